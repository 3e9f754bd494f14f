import HTTPTypes
import TelexTransport
import TelexValues

/// The directives of a reply that a private cache obeys (RFC 9111, section 5.2.2).
///
/// Other directives are ignored: `private`, `public` and `s-maxage` concern shared caches. If a
/// directive occurs several times, the strictest one counts. A qualified directive, such as
/// `no-cache="Set-Cookie"`, counts like the unqualified one.
struct CacheControl: Sendable, Hashable {
    /// The largest number of seconds; larger ones count as this one (section 1.2.2).
    static let longest = Int(clamping: 2_147_483_648 as Int64)

    /// The value of `max-age` in seconds; zero if it is not a number.
    private(set) var maximumAge: Int?
    /// The value of `stale-if-error` in seconds (RFC 5861, section 4); zero if it is not a number.
    private(set) var staleIfError: Int?
    /// Whether the reply must not be stored.
    private(set) var isNotStored = false
    /// Whether the server validates the reply before each use.
    private(set) var validatesAlways = false
    /// Whether the reply must not be used once it is stale, even if the server fails.
    private(set) var mustRevalidate = false

    init(_ fields: HTTPFields) {
        for text in fields[values: .cacheControl] {
            for item in text.parts(at: ",") { add(item) }
        }
    }

    private mutating func add(_ item: Substring) {
        let equals = item.firstIndex(of: "=") ?? item.endIndex
        let seconds = Self.seconds(in: item[equals...].dropFirst().withoutOptionalSpace)
        switch item[..<equals].withoutOptionalSpace.lowercased() {
        case "max-age": maximumAge = min(maximumAge ?? .max, seconds)
        case "stale-if-error": staleIfError = min(staleIfError ?? .max, seconds)
        case "no-store": isNotStored = true
        case "no-cache": validatesAlways = true
        case "must-revalidate": mustRevalidate = true
        default: break
        }
    }

    /// Returns a number of seconds, which some servers put into quotation marks; zero if the text
    /// is not one, so that the reply is stale (section 4.2.1).
    private static func seconds(in text: some StringProtocol) -> Int {
        let isQuoted = text.utf8.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
        let digits = isQuoted ? text.dropFirst().dropLast() : text[...]
        guard digits.areDigits else { return 0 }
        return min(Int(digits: digits) ?? longest, longest)
    }
}

extension HTTPFields {
    /// The seconds of the field `Age` (RFC 9111, section 5.1); zero if there is none. The first
    /// valid value counts.
    var age: Int {
        let texts = self[values: .age].flatMap { $0.parts(at: ",") }
        let seconds = texts.lazy.map(\.withoutOptionalSpace).first(where: \.areDigits)
        return seconds.map { Swift.min(Int(digits: $0) ?? .max, CacheControl.longest) } ?? 0
    }

    /// The names in a field that lists names, in lower case.
    func names(in name: HTTPField.Name) -> [String] {
        self[values: name].flatMap { $0.parts(at: ",") }
            .map { $0.withoutOptionalSpace.lowercased() }.filter { !$0.isEmpty }
    }
}

extension String {
    /// Returns the parts between separators that are not inside quotation marks (RFC 9110, section
    /// 5.6.4).
    func parts(at separator: Unicode.Scalar) -> [Substring] {
        var (parts, start): ([Substring], Index) = ([], startIndex)
        var (isQuoted, isEscaped) = (false, false)
        for index in unicodeScalars.indices {
            let letter = unicodeScalars[index]
            if isEscaped {
                isEscaped = false
            } else if letter == "\"" {
                isQuoted.toggle()
            } else if isQuoted {
                isEscaped = letter == "\\"
            } else if letter == separator {
                parts.append(self[start..<index])
                start = unicodeScalars.index(after: index)
            }
        }
        return parts + [self[start...]]
    }
}

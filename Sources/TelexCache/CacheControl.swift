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
        // Some servers put a number into quotation marks.
        let (name, value) = item.parameter
        let seconds = Self.seconds(in: value ?? "")
        switch name.lowercased() {
        case "max-age": maximumAge = min(maximumAge ?? .max, seconds)
        case "stale-if-error": staleIfError = min(staleIfError ?? .max, seconds)
        case "no-store": isNotStored = true
        case "no-cache": validatesAlways = true
        case "must-revalidate": mustRevalidate = true
        default: break
        }
    }

    /// Returns a number of seconds; zero if the text is not one, so that the reply is stale (section
    /// 4.2.1).
    private static func seconds(in digits: String) -> Int {
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

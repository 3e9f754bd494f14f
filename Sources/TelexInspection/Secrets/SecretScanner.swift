import SecretNames
import TelexJSON

/// Finds the values of secret names in texts that may be truncated or in any format.
///
/// In a complete JSON document, each string is scanned separately, because its content cannot
/// change where a later value ends. In other texts the end of a value is uncertain, so a value is
/// scanned again for further names, whose values may end later.
package struct SecretScanner {
    private static let longestName = 128
    /// How often, on average, a byte may be passed as part of a value. Beyond that, the text was
    /// probably crafted to be slow, and its rest counts as secret.
    private static let passes = 16

    private let bytes: [UInt8]
    private let names: Set<String>
    private let hidesCommonNames: Bool
    private var next = 0
    /// The end of the text that is being scanned.
    private var end: Int
    private var places: [Range<Int>] = []
    private var budget: Int

    private init(_ bytes: [UInt8], names: Set<String>, hidesCommonNames: Bool) {
        self.bytes = bytes
        self.names = names
        self.hidesCommonNames = hidesCommonNames
        end = bytes.count
        budget = bytes.count * Self.passes
    }

    /// Returns the ranges of the values of these names, ordered by their lower bounds; they may
    /// overlap.
    ///
    /// - Parameters:
    ///   - names: Names in lower case.
    ///   - hidesCommonNames: Whether the names that are secret in every API count, too.
    package static func places(
        of names: Set<String>, includingCommon hidesCommonNames: Bool = false, in bytes: [UInt8]
    ) -> [Range<Int>] {
        var scanner = SecretScanner(bytes, names: names, hidesCommonNames: hidesCommonNames)
        if scanner.isJSON { scanner.scanJSON() } else { scanner.scanText() }
        return scanner.places.sorted { $0.lowerBound < $1.lowerBound }
    }

    // MARK: JSON

    /// Whether the bytes are one complete JSON document.
    private var isJSON: Bool {
        guard let value = JSONReader.bytes(at: [], in: bytes) else { return false }
        return bytes[value.endIndex...].allSatisfy(Self.isSpace)
    }

    private mutating func scanJSON() {
        while next < end {
            guard bytes[next] == Self.quote else {
                next += 1
                continue
            }
            let start = next
            skipQuoted(Self.quote)
            let content = start + 1..<next - 1
            if isName(content), skipColon() {
                takeValue { $0.skipValue(before: ",]} \t\r\n") }
            } else if bytes[content].contains(UInt8(ascii: "\\")) {
                scanDecoded(content)
            } else {
                scanText(in: content)
            }
        }
    }

    /// Scans the decoded content of a string, which may be JSON itself.
    private mutating func scanDecoded(_ content: Range<Int>) {
        let (text, starts) = JSONEscape.decoded(content, of: bytes)
        for place in Self.places(of: names, includingCommon: hidesCommonNames, in: text) {
            places.append(starts[place.lowerBound]..<starts[place.upperBound])
        }
    }

    /// Skips a colon and the whitespace around it; returns `false` without moving if there is none.
    private mutating func skipColon() -> Bool {
        var place = next
        while place < end, Self.isSpace(bytes[place]) { place += 1 }
        guard place < end, bytes[place] == UInt8(ascii: ":") else { return false }
        place += 1
        while place < end, Self.isSpace(bytes[place]) { place += 1 }
        next = place
        return true
    }

    // MARK: Other texts

    private mutating func scanText(in range: Range<Int>) {
        let (after, outer) = (next, end)
        (next, end) = (range.lowerBound, range.upperBound)
        scanText()
        (next, end) = (after, outer)
    }

    private mutating func scanText() {
        while next < end { scanWord() }
    }

    /// Scans one word or one other character; after a name, records the range of its value.
    private mutating func scanWord() {
        let start = next
        while next < end, Self.isWord(bytes[next]) { next += 1 }
        let isName = start == next ? passQuoted() : isName(start..<next)
        let isElement = isName && skipTag(start)
        guard isElement || isName && skipMark() else {
            if start == next { next += 1 }
            return
        }
        let value = next
        takeValue { scanner in
            if isElement { scanner.skipElement() } else { scanner.skipValue(before: "&,;<\"'\r\n") }
        }
        // The assumed end may lie within another value, so the scan continues inside the value.
        next = value
        guard budget < 0 else { return }
        places.append(next..<end)
        next = end
    }

    /// Skips a quoted name, whatever its characters, if it is a secret name.
    private mutating func passQuoted() -> Bool {
        guard bytes[next] == Self.quote else { return false }
        let rest = bytes[(next + 1)..<end].prefix(Self.longestName + 1)
        guard let end = rest.firstIndex(of: Self.quote), isName(next + 1..<end) else {
            return false
        }
        next = end
        return true
    }

    /// Whether the range is a secret name, also with JSON escapes (RFC 8259, section 7).
    private func isName(_ range: Range<Int>) -> Bool {
        // One character of a name takes at most six bytes.
        guard range.count <= Self.longestName * 6 else { return false }
        let word = bytes[range]
        if isName(String(decoding: word, as: UTF8.self)) { return true }
        guard word.contains(UInt8(ascii: "\\")) else { return false }
        let literal = [Self.quote] + word + [Self.quote]
        let name = JSONReader.value(at: [], in: literal)?.asString
        return name.map(isName) ?? false
    }

    private func isName(_ word: String) -> Bool {
        names.contains(word.lowercased()) || hidesCommonNames && SecretName.isSuspicious(word)
    }

    /// Skips `": ` or `=`; returns `false` without moving if there is none.
    private mutating func skipMark() -> Bool {
        var place = next
        while place < end, "\"'\\ \t\r\n".utf8.contains(bytes[place]) { place += 1 }
        guard place < end, ":=".utf8.contains(bytes[place]) else { return false }
        place += 1
        while place < end, Self.isSpace(bytes[place]) { place += 1 }
        next = place
        return true
    }

    /// Skips the rest of an XML start tag such as `<name>` or `<prefix:name attribute="value">`;
    /// returns `false` without moving if there is none, or if the element is empty.
    private mutating func skipTag(_ start: Int) -> Bool {
        var first = start
        if first > 0, bytes[first - 1] == UInt8(ascii: ":") {
            first -= 1
            while first > 0, Self.isWord(bytes[first - 1]) { first -= 1 }
        }
        guard first > 0, bytes[first - 1] == UInt8(ascii: "<"), next < end,
            bytes[next] == UInt8(ascii: ">") || Self.isSpace(bytes[next]),
            let close = bytes[next..<end].firstIndex(where: { "<>".utf8.contains($0) }),
            bytes[close] == UInt8(ascii: ">"), bytes[close - 1] != UInt8(ascii: "/")
        else { return false }
        budget -= close - next
        next = close + 1
        return true
    }

    // MARK: Values

    /// Records the range of the value that begins here, and skips it.
    private mutating func takeValue(_ skip: (inout Self) -> Void) {
        let value = next
        skip(&self)
        places.append(value..<next)
        budget -= next - value
    }

    /// Skips to the next end tag, which may belong to a nested element, or to the end of the text.
    /// A CDATA section contains no tags.
    private mutating func skipElement() {
        let section = Array("<![CDATA[".utf8)
        if bytes[next..<end].starts(with: section) {
            let close = bytes[next..<end].firstRange(of: Array("]]>".utf8))
            next = close?.upperBound ?? end
        }
        next = bytes[next..<end].firstRange(of: Array("</".utf8))?.lowerBound ?? end
    }

    private mutating func skipValue(before ends: String) {
        guard next < end else { return }
        switch bytes[next] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): skipContainer()
        case Self.quote, UInt8(ascii: "'"): skipQuoted(bytes[next])
        case UInt8(ascii: "\\") where isEscapedQuote(next): skipQuotedInText()
        default:
            while next < end, !ends.utf8.contains(bytes[next]) { next += 1 }
        }
    }

    private mutating func skipQuoted(_ quote: UInt8) {
        next += 1
        while next < end, bytes[next] != quote {
            next += bytes[next] == UInt8(ascii: "\\") ? 2 : 1
        }
        next = min(next + 1, end)
    }

    private func isEscapedQuote(_ place: Int) -> Bool {
        place + 1 < end && bytes[place] == UInt8(ascii: "\\") && bytes[place + 1] == Self.quote
    }

    /// Skips an escaped string inside a JSON string: to the next `\"`, or to the end of the outer
    /// string. A quote that belongs to the inner string has two more backslashes.
    private mutating func skipQuotedInText() {
        next += 2
        while next < end, bytes[next] != Self.quote {
            if isEscapedQuote(next) {
                next += 2
                return
            }
            guard bytes[next] == UInt8(ascii: "\\") else {
                next += 1
                continue
            }
            next += 2
            if isEscapedQuote(next) { next += 2 }
        }
        next = min(next, end)
    }

    /// Skips to the matching closing bracket, or to the end if there is none.
    private mutating func skipContainer() {
        var depth = 0
        while next < end {
            switch bytes[next] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case Self.quote:
                skipQuoted(bytes[next])
                continue
            default: break
            }
            next += 1
            if depth == 0 { return }
        }
    }

    // MARK: Bytes

    private static let quote = UInt8(ascii: "\"")

    private static func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

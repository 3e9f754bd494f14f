/// Finds the values of secret names in texts of which nobody knows whether they are complete, or
/// JSON, or what.
struct SecretScanner {
    private static let longestName = 128
    private let bytes: [UInt8]
    private var next = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Where the values of these names are; names are in lower case.
    mutating func places(of names: Set<String>) -> [Range<Int>] {
        var places: [Range<Int>] = []
        while next < bytes.count {
            let start = next
            while next < bytes.count, Self.isWord(bytes[next]) { next += 1 }
            let isName = start == next ? passQuoted(names) : names.contains(word(start..<next))
            if isName, skipMark() || skipTagEnd(start) {
                let value = next
                skipValue()
                places.append(value..<next)
            } else if start == next {
                next += 1
            }
        }
        return places
    }

    /// Passes a name between quotes, whatever characters it is made of, if it is one of these.
    private mutating func passQuoted(_ names: Set<String>) -> Bool {
        guard bytes[next] == UInt8(ascii: "\"") else { return false }
        let rest = bytes[(next + 1)...].prefix(Self.longestName + 1)
        guard let end = rest.firstIndex(of: UInt8(ascii: "\"")),
            names.contains(word(next + 1..<end))
        else { return false }
        next = end
        return true
    }

    private func word(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self).lowercased()
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Passes `": ` or `=`; does nothing if there is none.
    private mutating func skipMark() -> Bool {
        var place = next
        while place < bytes.count, "\"'\\ \t\r\n".utf8.contains(bytes[place]) { place += 1 }
        guard place < bytes.count, ":=".utf8.contains(bytes[place]) else { return false }
        place += 1
        while place < bytes.count, " \t\r\n".utf8.contains(bytes[place]) { place += 1 }
        next = place
        return true
    }

    /// Passes the `>` of `<name>`, an element of XML; does nothing if there is none.
    private mutating func skipTagEnd(_ start: Int) -> Bool {
        guard start > 0, bytes[start - 1] == UInt8(ascii: "<"), next < bytes.count,
            bytes[next] == UInt8(ascii: ">")
        else { return false }
        next += 1
        return true
    }

    private mutating func skipValue() {
        guard next < bytes.count else { return }
        switch bytes[next] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): skipContainer()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): skipQuoted(bytes[next])
        case UInt8(ascii: "\\") where isEscapedQuote(next): skipQuotedInText()
        default:
            while next < bytes.count, !"&,;}]<\"'\r\n".utf8.contains(bytes[next]) { next += 1 }
        }
    }

    private mutating func skipQuoted(_ quote: UInt8) {
        next += 1
        while next < bytes.count, bytes[next] != quote {
            next += bytes[next] == UInt8(ascii: "\\") ? 2 : 1
        }
        next = min(next + 1, bytes.count)
    }

    private func isEscapedQuote(_ place: Int) -> Bool {
        place + 1 < bytes.count && bytes[place] == UInt8(ascii: "\\")
            && bytes[place + 1] == UInt8(ascii: "\"")
    }

    /// A text in JSON that is itself in a text: up to the next `\"`, or the end of the outer one. One
    /// that belongs to the inner text has two backslashes more.
    private mutating func skipQuotedInText() {
        next += 2
        while next < bytes.count, bytes[next] != UInt8(ascii: "\"") {
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
        next = min(next, bytes.count)
    }

    /// Up to the bracket that closes the first one; to the end, if there is none.
    private mutating func skipContainer() {
        var depth = 0
        while next < bytes.count {
            switch bytes[next] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                skipQuoted(bytes[next])
                continue
            default: break
            }
            next += 1
            if depth == 0 { return }
        }
    }
}

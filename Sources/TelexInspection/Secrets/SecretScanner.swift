import SecretNames
import TelexJSON

/// Finds the values of secret names.
///
/// In JSON, each string is scanned separately, because its content cannot change where a later
/// value ends. In other texts, a value ends with its line or at a separator; of one that begins
/// like JSON, the end is uncertain, so the rest of the text counts as secret.
package struct SecretScanner {
    private let bytes: [UInt8]
    private let names: Set<String>
    private let hidesCommonNames: Bool
    private var next = 0
    private var places: [Range<Int>] = []

    private init(_ bytes: [UInt8], names: Set<String>, hidesCommonNames: Bool) {
        self.bytes = bytes
        self.names = names
        self.hidesCommonNames = hidesCommonNames
    }

    /// Returns the ranges of the values of these names, in order.
    ///
    /// - Parameters:
    ///   - names: Names in lower case.
    ///   - hidesCommonNames: Whether the names that are secret in every API count, too.
    package static func places(
        of names: Set<String>, includingCommon hidesCommonNames: Bool = false, in bytes: [UInt8]
    ) -> [Range<Int>] {
        var scanner = SecretScanner(bytes, names: names, hidesCommonNames: hidesCommonNames)
        if isJSON(bytes) { scanner.scanJSON() } else { scanner.scanText(bytes.indices) }
        return scanner.places
    }

    /// Whether the bytes are one complete JSON document.
    package static func isJSON(_ bytes: [UInt8]) -> Bool {
        guard let value = JSONReader.bytes(at: [], in: bytes) else { return false }
        return bytes[value.endIndex...].allSatisfy(isSpace)
    }

    private func isName(_ word: some Collection<UInt8>) -> Bool {
        let word = String(decoding: word, as: UTF8.self)
        return names.contains(word.lowercased())
            || hidesCommonNames && SecretName.isSuspicious(word)
    }

    // MARK: JSON

    /// Whether the content of a string is a secret name, also with escapes (RFC 8259, section 7).
    private func isKey(_ content: Range<Int>) -> Bool {
        let key = bytes[content]
        guard key.contains(UInt8(ascii: "\\")) else { return isName(key) }
        return isName(JSONEscape.decoded(content, of: bytes).text)
    }

    private mutating func scanJSON() {
        while next < bytes.count {
            guard bytes[next] == Self.quote else {
                next += 1
                continue
            }
            let start = next
            skipString()
            let content = start + 1..<next - 1
            if let value = valueStart(after: ":"), isKey(content) {
                next = value
                skipValue()
                places.append(value..<next)
            } else if bytes[content].contains(UInt8(ascii: "\\")) {
                scanDecoded(content)
            } else {
                scanText(content)
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

    /// The start of the value behind a mark; nil if there is no such mark here.
    private func valueStart(after mark: Character) -> Int? {
        let place = bytes[next...].firstIndex { !Self.isSpace($0) }
        guard let place, bytes[place] == mark.asciiValue else { return nil }
        return bytes[(place + 1)...].firstIndex { !Self.isSpace($0) }
    }

    private mutating func skipString() {
        next += 1
        while bytes[next] != Self.quote { next += bytes[next] == UInt8(ascii: "\\") ? 2 : 1 }
        next += 1
    }

    private mutating func skipValue() {
        var depth = 0
        while next < bytes.count {
            switch bytes[next] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return
            case Self.quote:
                skipString()
                continue
            case let byte where depth == 0 && Self.isSpace(byte): return
            default: break
            }
            next += 1
        }
    }

    // MARK: Other texts

    private mutating func scanText(_ range: Range<Int>) {
        var place = range.lowerBound
        while place < range.upperBound {
            let word = bytes[place..<range.upperBound].prefix(while: Self.isWord)
            place = max(word.endIndex, place + 1)
            guard !word.isEmpty, isName(word) else { continue }
            let rest = bytes[word.endIndex..<range.upperBound].drop {
                "\"'\\ \t\r\n".utf8.contains($0)
            }
            guard let mark = rest.first, ":=".utf8.contains(mark) else { continue }
            let value = rest.dropFirst().drop(while: Self.isSpace)
            let end = Self.end(ofValue: value)
            places.append(value.startIndex..<end)
            place = end
        }
    }

    private static func end(ofValue text: ArraySlice<UInt8>) -> Int {
        guard let first = text.first, !"\"'\\{[".utf8.contains(first) else { return text.endIndex }
        return text.firstIndex { "&,;<\"'\r\n".utf8.contains($0) } ?? text.endIndex
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

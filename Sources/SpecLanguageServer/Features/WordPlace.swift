import SpecDiagnostics

/// The word around a place of a text, and how the line before it can continue.
struct WordPlace {
    /// The offsets of the word.
    let range: Range<Int>
    let text: String
    /// The line of the word.
    let line: Range<Int>
    /// The brackets of this line that are open before the word.
    private(set) var open: [UInt8] = []
    /// Whether a key belongs here, and not a value.
    private(set) var isKey = true
    private let bytes: [UInt8]

    /// - Parameter isStep: Whether a dot ends the word, as in a path.
    init(at offset: Int, in file: SourceFile, isStep: Bool = false) {
        bytes = file.bytes
        line = file.lineRange(file.position(of: offset).line)
        var start = min(max(offset, line.lowerBound), line.upperBound)
        var end = start
        func isPart(_ byte: UInt8) -> Bool {
            Self.isWord(byte) && !(isStep && byte == UInt8(ascii: "."))
        }
        while start > line.lowerBound, isPart(file.bytes[start - 1]) { start -= 1 }
        while end < line.upperBound, isPart(file.bytes[end]) { end += 1 }
        range = start..<end
        text = String(decoding: file.bytes[range], as: UTF8.self)
        scan()
    }

    /// Whether a colon follows the word.
    var hasColon: Bool { range.upperBound < line.upperBound && bytes[range.upperBound] == 0x3A }

    /// The brackets that are open at the end of the line, closed.
    var closing: String {
        var rest = open
        var quote: UInt8?
        for byte in bytes[range.upperBound..<line.upperBound] {
            Self.take(byte, &rest, &quote)
        }
        return rest.reversed().map { $0 == UInt8(ascii: "{") ? " }" : "]" }.joined()
    }

    private mutating func scan() {
        var quote: UInt8?
        var isText = false
        for index in line.lowerBound..<range.lowerBound {
            let byte = bytes[index]
            let isOpening = Self.take(byte, &open, &quote)
            switch byte {
            case _ where quote != nil: break
            case UInt8(ascii: "{"), UInt8(ascii: ","):
                isKey = open.last != UInt8(ascii: "[")
                isText = false
            case _ where isOpening: isKey = false
            case UInt8(ascii: ":")
            where bytes.indices.contains(index + 1) && bytes[index + 1] == 0x20:
                isKey = false
            case UInt8(ascii: ":") where index + 1 == range.lowerBound: isKey = false
            case UInt8(ascii: " "), UInt8(ascii: "-"): break
            default: isText = true
            }
        }
        // A word after another one continues a text.
        if isText, open.isEmpty { isKey = false }
    }

    /// Takes a byte of a line; whether it opens a bracket.
    @discardableResult
    private static func take(_ byte: UInt8, _ open: inout [UInt8], _ quote: inout UInt8?) -> Bool {
        if let current = quote {
            if byte == current { quote = nil }
            return false
        }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            open.append(byte)
            return true
        case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
        default: break
        }
        return false
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        let character = Character(Unicode.Scalar(byte))
        return byte >= 0x80 || character.isLetter || character.isNumber
            || "_-.$".contains(character)
    }
}

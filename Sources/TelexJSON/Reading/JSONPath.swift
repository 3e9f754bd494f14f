/// The text of a path: `response.items[3]["odd key"]`, or `$` for the document itself.
struct JSONPath {
    private(set) var text = ""

    init() {}

    /// A path as ``description`` returns it.
    init(_ description: String) {
        text = description == "$" ? "" : description
    }

    /// The path of a value inside the one at another path.
    static func joined(_ outer: String, _ inner: String) -> String {
        if inner == "$" { return outer }
        if outer == "$" { return inner }
        return outer + (inner.hasPrefix("[") ? "" : ".") + inner
    }

    /// The path, or `$` if it is empty.
    var description: String { text.isEmpty ? "$" : text }

    /// Appends a member. A key that is not an identifier is quoted and, if long, cut.
    mutating func append(key: String) {
        guard !Self.isIdentifier(key) else {
            if !text.isEmpty { text += "." }
            text += key
            return
        }
        var writer = JSONWriter()
        writer.value(Violation.bounded(key))
        text += "[" + String(decoding: writer.bytes, as: UTF8.self) + "]"
    }

    /// Appends an element.
    mutating func append(index: Int) {
        text += "[\(index)]"
    }

    private static func isIdentifier(_ key: String) -> Bool {
        guard let first = key.utf8.first, key.utf8.count <= 80, !isDigit(first) else {
            return false
        }
        return key.utf8.allSatisfy { isDigit($0) || isLetter($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F
    }
}

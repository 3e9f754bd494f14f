/// Decodes character and entity references of XML (section 4.1) and HTML.
enum XMLEntity {
    /// The maximum length of a reference: `&#0000038;` and `&#x000026;`, with the leading zeros
    /// that some servers write.
    package static let longest = 11
    private static let names: [String: UInt8] = [
        "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
        "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"),
    ]

    /// Decodes the reference that begins with the `&` at `place`; `nil` if it is neither a
    /// character reference nor one of the five predefined entities of XML.
    package static func character(in text: [UInt8], at place: Int) -> JSONEscape.Character? {
        let rest = text[place..<min(text.count, place + longest)]
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: rest[place + 1..<end], as: UTF8.self)
        if let byte = names[name] { return ([byte], end + 1) }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let scalar = number.flatMap(Unicode.Scalar.init) else { return nil }
        return (Array(String(Character(scalar)).utf8), end + 1)
    }

    /// Whether the text ends here, possibly in the middle of a reference.
    package static func breaksOff(in text: [UInt8], at place: Int) -> Bool {
        text.count - place < longest && !text[place...].contains(UInt8(ascii: ";"))
    }

    /// Returns the text escaped for XML and HTML.
    package static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: "&<>\"'".utf8.contains) else { return text }
        return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
            .replacing("'", with: "&#39;")
    }
}

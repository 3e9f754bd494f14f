/// Reads what stands for a character in XML (section 4.1) and in HTML.
enum XMLEntity {
    /// `&#0000038;` and `&#x000026;`, with zeros that some servers write.
    static let longest = 11
    private static let names: [String: UInt8] = [
        "amp": UInt8(ascii: "&"), "lt": UInt8(ascii: "<"), "gt": UInt8(ascii: ">"),
        "quot": UInt8(ascii: "\""), "apos": UInt8(ascii: "'"),
    ]

    /// The character of the entity that begins here with `&`; nil if it is none of those that any
    /// XML knows.
    static func character(in text: [UInt8], at place: Int) -> JSONEscape.Character? {
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

    /// Whether a text ends here, perhaps in the middle of an entity.
    static func breaksOff(in text: [UInt8], at place: Int) -> Bool {
        text.count - place < longest && !text[place...].contains(UInt8(ascii: ";"))
    }

    /// A text as servers write it into XML and HTML.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: "&<>\"'".utf8.contains) else { return text }
        return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
            .replacing("'", with: "&#39;")
    }
}

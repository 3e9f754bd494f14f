/// The beginning of a body that is on its way.
struct BodySample: Sendable {
    var bytes: [UInt8] = []
    /// How many bytes there were in all.
    var size = 0
    /// Whether all of them arrived.
    var isComplete = false
}

/// Makes texts for people of bodies.
enum BodyText {
    /// Whether bodies of a type are worth showing.
    static func isText(_ type: String?) -> Bool {
        guard let type = type?.prefix(while: { $0 != ";" }).lowercased() else { return true }
        return type.hasPrefix("text/")
            || ["json", "xml", "javascript", "x-www-form-urlencoded", "yaml"].contains {
                type.contains($0)
            }
    }

    /// The beginning of a body without its secrets; nil if it is no UTF-8.
    static func text(
        _ bytes: [UInt8], _ redactor: Redactor, hiding places: [Range<Int>], upTo limit: Int
    ) -> String? {
        let places = places.map { inside($0, of: bytes) }
        var shown = redactor.redact(bytes, hiding: places, upTo: limit)
        // The end may be in the middle of a character.
        for _ in 0..<4 {
            if let text = String(validating: shown, as: UTF8.self) { return text }
            guard bytes.count > limit, !shown.isEmpty else { return nil }
            shown.removeLast()
        }
        return nil
    }

    /// What is between the quotes of a text, so that JSON stays JSON.
    private static func inside(_ place: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
        let quote = UInt8(ascii: "\"")
        guard place.count >= 2, bytes[place.lowerBound] == quote,
            bytes[place.upperBound - 1] == quote
        else { return place }
        return place.lowerBound + 1..<place.upperBound - 1
    }

    /// Where the values of these names are, in JSON as in forms as in header fields: whatever
    /// stands behind the name and a colon or an equals sign.
    static func places(of names: Set<String>, in bytes: [UInt8]) -> [Range<Int>] {
        var scanner = SecretScanner(bytes)
        return scanner.places(of: names)
    }
}

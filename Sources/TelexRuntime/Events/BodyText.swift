/// The beginning of a body that is on its way.
struct BodySample: Sendable {
    var bytes: [UInt8] = []
    /// How many bytes there were in all.
    var size = 0
    /// Whether all of them arrived.
    var isComplete = false
}

/// The beginning of a body, as people may see it.
struct BodyText {
    let text: String
    /// Whether there is more of the body.
    let isCut: Bool

    /// - Parameters:
    ///   - bytes: The body, or the beginning of it.
    ///   - places: Where its secrets are, besides those that the redactor knows.
    ///   - limit: How many bytes are wanted.
    ///   - size: How many bytes it has in all; nil for as many as there are.
    /// - Returns: Nil if it is no UTF-8.
    init?(
        _ bytes: [UInt8], _ redactor: Redactor, hiding places: [Range<Int>], upTo limit: Int,
        of size: Int? = nil
    ) {
        let size = size ?? bytes.count
        let shown = redactor.redact(
            bytes, isCut: size > bytes.count, hiding: places.map { Self.inside($0, of: bytes) },
            upTo: limit)
        isCut = size > limit
        // The end may be in the middle of a character.
        guard let text = shown.text(droppingUpTo: isCut ? 3 : 0) else { return nil }
        self.text = text
    }

    /// Whether bodies of a type are worth showing.
    static func isText(_ type: String?) -> Bool {
        guard let type = type?.prefix(while: { $0 != ";" }).lowercased() else { return true }
        return type.hasPrefix("text/")
            || ["json", "xml", "javascript", "x-www-form-urlencoded", "yaml"].contains {
                type.contains($0)
            }
    }

    /// What is between the quotes of a text, so that JSON stays JSON.
    private static func inside(_ place: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
        let quote = UInt8(ascii: "\"")
        guard place.count >= 2, bytes[place.lowerBound] == quote,
            bytes[place.upperBound - 1] == quote
        else { return place }
        return place.lowerBound + 1..<place.upperBound - 1
    }
}

extension [UInt8] {
    /// The text that they are, without so many bytes at the end if that makes them one.
    fileprivate func text(droppingUpTo count: Int) -> String? {
        for dropped in 0...Swift.min(count, self.count) {
            let text = String(validating: dropLast(dropped), as: UTF8.self)
            if let text { return text }
        }
        return nil
    }
}

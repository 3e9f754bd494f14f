import TelexJSON

/// The beginning of a body that is being received.
package struct BodySample: Sendable {
    package var bytes: [UInt8] = []
    /// The number of bytes received so far, including those that are not kept.
    package var size = 0
    /// Whether the body was received to its end.
    package var isComplete = false

    package init() {}
}

/// The beginning of a body as text, without secrets.
package struct BodyText {
    package let text: String
    /// Whether the text is only a part of the body.
    package let isCut: Bool

    /// - Parameters:
    ///   - bytes: The body, or its beginning.
    ///   - places: The ranges of secrets in addition to those that the redactor finds.
    ///   - limit: The maximum number of bytes of the body to show.
    ///   - size: The number of bytes of the whole body; `bytes.count` by default.
    /// - Returns: `nil` if the body is not valid UTF-8.
    package init?(
        _ bytes: [UInt8], redactor: Redactor, hiding places: [Range<Int>], upTo limit: Int,
        of size: Int? = nil
    ) {
        let size = size ?? bytes.count
        let shown = redactor.redact(
            bytes, isCut: size > bytes.count, hiding: places.map { Self.inside($0, of: bytes) },
            upTo: limit)
        isCut = size > limit
        // The limit may have cut a multi-byte character.
        guard let text = shown.text(droppingUpTo: isCut ? 3 : 0) else { return nil }
        self.text = text
    }

    /// Whether bodies of a media type are text; `true` if the type is unknown.
    package static func isText(_ type: String?) -> Bool {
        guard let type = type?.prefix(while: { $0 != ";" }).lowercased() else { return true }
        return type.hasPrefix("text/")
            || ["json", "xml", "javascript", "x-www-form-urlencoded", "yaml"].contains {
                type.contains($0)
            }
    }

    /// The range without the surrounding quotes of a JSON string, so that redacted JSON stays
    /// valid.
    private static func inside(_ place: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
        let quote = UInt8(ascii: "\"")
        guard place.count >= 2, bytes[place.lowerBound] == quote,
            bytes[place.upperBound - 1] == quote
        else { return place }
        return place.lowerBound + 1..<place.upperBound - 1
    }
}

extension [UInt8] {
    /// The bytes as text, without up to `count` bytes at the end if only that makes them valid
    /// UTF-8; otherwise `nil`.
    fileprivate func text(droppingUpTo count: Int) -> String? {
        for dropped in 0...Swift.min(count, self.count) {
            let text = String(validUTF8: dropLast(dropped))
            if let text { return text }
        }
        return nil
    }
}

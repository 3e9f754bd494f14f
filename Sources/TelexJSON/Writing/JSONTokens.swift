/// The tokens of a document that a writer has written, in order. The writer has noted where they
/// begin, so nothing is parsed.
package struct JSONTokens {
    /// What a writer notes.
    struct Notes: Sendable {
        /// The offset of each token, or of the comma in front of it.
        var starts: [Int] = []
        /// The texts that are written with escapes, by the offset of the token.
        var texts: [Int: String] = [:]
    }

    /// A token. A key is a text.
    package enum Token: Equatable {
        case beginObject
        case beginArray
        /// The end of an object or an array.
        case end
        case text(String)
        case bool(Bool)
        case null
        case number(String)
    }

    private let bytes: [UInt8]
    private let notes: Notes
    private var index = 0

    init(bytes: [UInt8], notes: Notes) {
        self.bytes = bytes
        self.notes = notes
    }

    /// The next token; nil after the last one.
    package var first: Token? {
        guard index < notes.starts.count else { return nil }
        let place = start(index)
        switch bytes[place] {
        case ASCII.openBrace: return .beginObject
        case ASCII.openBracket: return .beginArray
        case ASCII.closeBrace, ASCII.closeBracket: return .end
        case ASCII.quote:
            return .text(notes.texts[place] ?? text(place + 1..<end(index) - 1))
        case UInt8(ascii: "t"): return .bool(true)
        case UInt8(ascii: "f"): return .bool(false)
        case UInt8(ascii: "n"): return .null
        default: return .number(text(place..<end(index)))
        }
    }

    /// Returns the next token and goes on; nil after the last one.
    package mutating func next() -> Token? {
        defer { index += 1 }
        return first
    }

    /// Returns the JSON of the next value and goes on.
    package mutating func json() -> String {
        let first = index
        var depth = 0
        repeat {
            switch bytes[start(index)] {
            case ASCII.openBrace, ASCII.openBracket: depth += 1
            case ASCII.closeBrace, ASCII.closeBracket: depth -= 1
            default: break
            }
            index += 1
        } while depth > 0
        return text(start(first)..<end(index - 1))
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The offset of a token.
    private func start(_ index: Int) -> Int {
        let place = notes.starts[index]
        return bytes[place] == ASCII.comma ? place + 1 : place
    }

    /// The offset behind a token, without the colon that follows a key.
    private func end(_ index: Int) -> Int {
        let next = index + 1
        let end = next < notes.starts.count ? notes.starts[next] : bytes.count
        return bytes[end - 1] == ASCII.colon ? end - 1 : end
    }
}

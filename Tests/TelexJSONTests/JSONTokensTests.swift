import TestSupport
import Testing

@testable import TelexJSON

@Suite("The tokens of a writer")
struct JSONTokensTests {
    @Test("The noted tokens of a document are the tree that a parser finds in its bytes")
    func tree() throws {
        var random = SeededGenerator(48)
        for _ in 0..<500 {
            let value = Self.value(depth: 4, &random)
            var writer = JSONWriter(notesTokens: true)
            writer.value(value)
            var tokens = try Self.tokens(of: writer)
            #expect(try Self.tree(&tokens) == value)
            #expect(tokens.first == nil)
            #expect(writer.bytes == (try value.jsonBytes()))
        }
    }

    @Test("A value is passed over as the JSON that a writer without notes writes")
    func json() throws {
        var random = SeededGenerator(52)
        for _ in 0..<200 {
            let items = (0..<3).map { _ in Self.value(depth: 3, &random) }
            var writer = JSONWriter(notesTokens: true)
            writer.value(JSONValue.array(items))
            var tokens = try Self.tokens(of: writer)
            #expect(tokens.next() == .beginArray)
            for item in items {
                #expect(tokens.json() == String(decoding: try item.jsonBytes(), as: UTF8.self))
            }
            #expect(tokens.next() == .end)
        }
    }

    @Test("A text longer than the buffer, with an escape at its end, is noted whole")
    func long() throws {
        let text = String(repeating: "æ,:]}\"", count: 5_000) + "\u{1}"
        var writer = JSONWriter(notesTokens: true)
        writer.value([text, "b"])
        var tokens = try Self.tokens(of: writer)
        #expect(try Self.tree(&tokens) == [.string(text), "b"])
    }

    private static func tokens(of writer: borrowing JSONWriter) throws -> JSONTokens {
        let tokens = writer.tokens
        return try #require(tokens)
    }

    private static func tree(_ tokens: inout JSONTokens) throws -> JSONValue {
        guard let token = tokens.next() else { throw Unexpected() }
        switch token {
        case .null: return .null
        case .bool(let truth): return .bool(truth)
        case .number(let text): return Int64(text).map(JSONValue.int) ?? .number(text)
        case .text(let text): return .string(text)
        case .beginArray:
            var items: [JSONValue] = []
            while tokens.first != .end { items.append(try tree(&tokens)) }
            _ = tokens.next()
            return .array(items)
        case .beginObject:
            var members: [JSONObject.Member] = []
            while case .text(let key)? = tokens.next() {
                members.append(JSONObject.Member(key: key, value: try tree(&tokens)))
            }
            return .object(JSONObject(members))
        case .end: throw Unexpected()
        }
    }

    private struct Unexpected: Error {}

    private static func value(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        let texts = [
            "", "a", ":", "]", "}", ",", "\"", "\\", "\n", "{\"a\":1}", "é\u{1F600}", "\u{0}",
        ]
        let text = { (random: inout SeededGenerator) in
            (0..<Int.random(in: 0...4, using: &random))
                .map { _ in texts.randomElement(using: &random) ?? "" }.joined()
        }
        switch Int.random(in: 0...(depth > 0 ? 7 : 4), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .int(.random(in: .min ... .max, using: &random))
        case 3: return .number("\(Double.random(in: -1e9...1e9, using: &random))e3")
        case 4: return .string(text(&random))
        case 5, 6:
            let count = Int.random(in: 0...4, using: &random)
            return .array((0..<count).map { _ in value(depth: depth - 1, &random) })
        default:
            let count = Int.random(in: 0...4, using: &random)
            let members = (0..<count).map {
                JSONObject.Member(
                    key: text(&random) + "\($0)", value: value(depth: depth - 1, &random))
            }
            return .object(JSONObject(members))
        }
    }
}

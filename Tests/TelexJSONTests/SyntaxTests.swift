import TelexJSON
import TestSupport
import Testing

@Suite struct SyntaxTests {
    private func error(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> JSONSyntaxError? {
        let result: JSONResult<JSONValue> = JSONReader.read(bytes, limits: limits) { $0.value() }
        let skipped: JSONResult<Void> = JSONReader.read(bytes, limits: limits) { $0.nothing() }
        #expect(skipped.syntaxError?.reason == result.syntaxError?.reason)
        return result.syntaxError
    }

    private func error(_ text: String, limits: JSONLimits = JSONLimits()) -> JSONSyntaxError? {
        error(Array(text.utf8), limits: limits)
    }

    @Test("a syntax error has a reason, an offset and a path")
    func placed() {
        let found = error(#"{"a": [1, {"odd key": tru}]}"#)
        #expect(found?.reason == .unexpectedByte(0x7D, expected: "`true`"))
        #expect(found?.offset == 25)
        let read: JSONResult<JSONValue> = read(#"{"a": [1, {"odd key": 01}]}"#) { $0.value() }
        #expect(read.syntaxError?.path == #"a[1]["odd key"]"#)
        #expect(read.syntaxError?.reason == .malformedNumber)
        #expect(read.value == nil)
        #expect(
            "\(JSONSyntaxError(.unexpectedEnd, offset: 3, path: "a"))"
                == "not JSON at byte 3 (a): the document ends inside a value")
    }

    @Test(
        "each kind of broken document has its reason",
        arguments: [
            ("", JSONSyntaxError.Reason.noValue), ("  ", .noValue), ("[1", .unexpectedEnd),
            ("1 2", .trailingData), ("[1,]", .unexpectedByte(0x5D, expected: "a value")),
            (#"{"a":1,}"#, .unexpectedByte(0x7D, expected: "a key in quotes")),
            (#"{"a" 1}"#, .unexpectedByte(0x31, expected: "`:`")),
            ("[1 2]", .unexpectedByte(0x32, expected: "`,` or `]`")),
            (#"{"a":1 "b"}"#, .unexpectedByte(0x22, expected: "`,` or `}`")),
            ("01", .malformedNumber), ("-", .malformedNumber), ("1.", .malformedNumber),
            ("1e+", .malformedNumber), ("\"\u{1}\"", .controlCharacter(1)),
            (#""\x""#, .malformedEscape), (#""\u12g4""#, .malformedEscape),
            (#""\ud800""#, .loneSurrogate), (#""\udc00""#, .loneSurrogate),
            (#""\ud800\u0041""#, .loneSurrogate), (#""abc"#, .unexpectedEnd),
        ])
    func reasons(text: String, reason: JSONSyntaxError.Reason) {
        #expect(error(text)?.reason == reason)
    }

    @Test(
        "malformed UTF-8 is refused wherever it stands",
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
            [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98],
            [0xD0, 0xBF, 0xD0, 0xBF, 0xD0, 0xBF, 0xC1, 0xBF],
        ] as [[UInt8]])
    func utf8(bytes: [UInt8]) {
        for padding in [0, 1, 7, 15, 16, 31] {
            let text = [0x22] + [UInt8](repeating: 0x61, count: padding) + bytes
            #expect(error(text + [0x22])?.reason == .malformedUTF8)
            #expect(error(text + Array(" more text behind it\"".utf8))?.reason == .malformedUTF8)
        }
    }

    @Test("well-formed text of every length and width is read as it is")
    func wellFormed() {
        for scalar in ["a", "é", "ж", "€", "\u{FFFF}", "😀", "\u{10FFFF}"] {
            for count in 0..<40 {
                let text = String(repeating: scalar, count: count)
                #expect(value("\"\(text)\"") == text)
                #expect(value(" [ \"x\(text)\" , \"y\" ] ") == ["x" + text, "y"])
            }
        }
    }

    @Test("UTF-8 is validated like in the standard library")
    func judged() {
        var generator = SeededGenerator(3)
        let pool = Array("abc жЯ € 漢 😀 \u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}".unicodeScalars)
        for round in 0..<20_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...40, using: &generator) {
                text.append(pool[Int.random(in: 0..<pool.count, using: &generator)])
            }
            var bytes = Array(String(text).utf8)
            if round % 4 > 0, !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = UInt8.random(in: 0x80...0xFF, using: &generator)
            }
            let decoded = String(decoding: bytes, as: UTF8.self)
            let expected = decoded.utf8.elementsEqual(bytes) ? decoded : nil
            let read: JSONResult<String> = JSONReader.read([0x22] + bytes + [0x22]) { $0.value() }
            #expect(read.value == expected, "\(bytes)")
        }
    }

    @Test("escapes are replaced, pairs of surrogates joined")
    func escapes() {
        let escaped = #""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\uDE00""#
        #expect(value(escaped) == "\"\\/\u{8}\u{C}\n\r\tAé€😀")
        #expect(value(#""\u0000""#) == "\0")
    }

    @Test("one byte order mark at the start is ignored")
    func mark() {
        #expect(error([0xEF, 0xBB, 0xBF, 0x31]) == nil)
        #expect(error([0xEF, 0xBB, 0xBF])?.reason == .noValue)
        #expect(error([0x31, 0xEF, 0xBB, 0xBF])?.reason == .trailingData)
    }

    @Test("depth is bounded in every way of reading")
    func depth() {
        let limits = JSONLimits(depth: 4)
        #expect(error("[[[[]]]]", limits: limits) == nil)
        #expect(error("[[[[[]]]]]", limits: limits)?.reason == .tooDeep(limit: 4))
        #expect(error(#"{"a":[{"a":[1]}]}"#, limits: limits) == nil)
        #expect(error(#"{"a":[{"a":[{}]}]}"#, limits: limits)?.reason == .tooDeep(limit: 4))
        let deep = String(repeating: "[", count: 100_000)
        #expect(error(deep)?.reason == .tooDeep(limit: 128))
        let allowed = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(error(allowed, limits: JSONLimits(depth: 100_000)) == nil)
        var limits600 = JSONLimits()
        limits600.depth = 600
        #expect(error("[" + allowed + "]", limits: limits600)?.reason == .tooDeep(limit: 512))
    }

    @Test("size is bounded")
    func size() {
        #expect(error("[1]", limits: JSONLimits(bytes: 3)) == nil)
        #expect(error("[1 ]", limits: JSONLimits(bytes: 3))?.reason == .tooLarge(limit: 3))
    }
}

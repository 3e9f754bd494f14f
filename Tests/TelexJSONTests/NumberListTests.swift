import TestSupport
import Testing

@testable import TelexJSON

@Suite("Lists of numbers")
struct NumberListTests {
    @Test("A list of numbers is read, or reported, as one whose elements are read one by one")
    func elements() {
        var random = SeededGenerator(52)
        for _ in 0..<4_000 {
            let text = Self.list(&random)
            let suffix = Bool.random(using: &random) ? String(repeating: " ", count: 20) : ""
            expectSame(Double.self, text + suffix)
            expectSame(Int.self, text + suffix)
            expectSame(Double.self, "[\(text),\(text)]" + suffix)
        }
    }

    @Test("A list at the limit of the depth is read, and one below it refused")
    func depth() {
        for (depth, isRead) in [(2, true), (1, false)] {
            let result: JSONResult<[[Double]]> = JSONReader.read(
                Array("[[1.5]]".utf8), limits: JSONLimits(depth: depth)
            ) { $0.list() }
            #expect(result.value == (isRead ? [[1.5]] : nil))
            #expect(result.syntaxError?.reason == (isRead ? nil : .tooDeep(limit: 1)))
        }
    }

    @Test("Containers nested to any depth, in any order, are skipped up to their end")
    func nesting() {
        var random = SeededGenerator(64)
        for depth in [1, 63, 64, 65, 127, 128, 129, 300, 511] {
            for _ in 0..<10 {
                let kinds = (0..<depth).map { _ in Bool.random(using: &random) }
                let open = kinds.map { $0 ? #"{"a":[],"b":"# : "[{}, " }.joined()
                let close = kinds.reversed().map { $0 ? #","c":1}"# : ",[2]]" }.joined()
                let bytes = Array((open + "null" + close).utf8)
                let limits = JSONLimits(depth: 512)
                let skipped: JSONResult<Void> = JSONReader.read(bytes, limits: limits) {
                    $0.nothing()
                }
                #expect(skipped.value != nil, "\(skipped.report)")
                var cut = bytes
                cut[bytes.count - 1] = cut[bytes.count - 1] == 0x7D ? 0x5D : 0x7D
                let wrong: JSONResult<Void> = JSONReader.read(cut, limits: limits) { $0.nothing() }
                #expect(wrong.syntaxError?.offset == bytes.count - 1)
            }
        }
    }

    private func expectSame<T: JSONReadable & Equatable>(_ type: T.Type, _ text: String) {
        let bytes = Array(text.utf8)
        let one: JSONResult<[T]> = JSONReader.read(bytes) { $0.list() }
        let other: JSONResult<[T]> = JSONReader.read(bytes) { json in json.list(T.read) }
        #expect(one.value == other.value, "\(text)")
        #expect(one.report == other.report, "\(text)")
    }

    /// A list of numbers, which may have other values and mistakes.
    private static func list(_ random: inout SeededGenerator) -> String {
        let items = (0..<Int.random(in: 0...20, using: &random)).map { _ in
            switch Int.random(in: 0...60, using: &random) {
            case 0:
                ["null", "\"1\"", "[]", "01", "-", "1.", "1e", "1e999", "", "tru", "1 2"]
                    .randomElement(using: &random) ?? ""
            case 1...10: "\(Double.random(in: -1e6...1e6, using: &random))"
            case 11...20: "\(Int64.random(in: .min ... .max, using: &random))"
            case 21: "\(UInt64.random(in: .min ... .max, using: &random))\(UInt64.max).25e-7"
            case 22: "-0"
            case 23: "1e2"
            case 24: "2.0"
            default: "\(Int.random(in: -1_000...1_000, using: &random))"
            }
        }
        let separator = [",", ", ", " ,\n "].randomElement(using: &random) ?? ","
        let space = ["", " ", "\n"].randomElement(using: &random) ?? ""
        let end = Int.random(in: 0...30, using: &random) == 0 ? "" : "]"
        return "[" + space + items.joined(separator: separator) + space + end
    }
}

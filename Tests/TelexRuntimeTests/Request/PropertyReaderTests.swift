import TelexJSON
import Testing

@testable import TelexRuntime

@Suite("Properties that are known only at run time")
struct PropertyReaderTests {
    private func reader(_ value: JSONValue) -> PropertyReader {
        PropertyReader(["data": value], "ping")
    }

    @Test("properties known only at run time read a text larger than any reply completely")
    func large() {
        let text = String(repeating: "x", count: 17 << 20)
        var reader = reader(.string(text))
        let value: String? = reader.optional("data")
        let isFine = reader.finish()
        #expect(isFine && value?.utf8.count == text.utf8.count)
    }

    @Test(
        "properties known at run time are read, or reported as too deep, and never left out",
        arguments: [140, 511, 600])
    func deep(_ depth: Int) {
        let deep = (0..<depth).reduce(JSONValue.int(1)) { value, _ in .array([value]) }
        var reader = reader(deep)
        let value: JSONValue? = reader.optional("data")
        let isFine = reader.finish()
        #expect(isFine == (value != nil))
        #expect(isFine || reader.error.violations.first?.rule == "depth")
    }

    @Test("properties known only at run time report an invalid number as a violation")
    func number() {
        var reader = reader(["a": .number("abc")])
        let value: JSONValue? = reader.optional("data")
        #expect(value == nil)
        let isFine = reader.finish()
        #expect(!isFine && reader.error.violations.map(\.path) == ["data.a"])
    }

    @Test("properties that are known only at run time show a hidden invalid number in no text")
    func hidden() {
        var reader = reader(["a": .number("hunter2")])
        reader.hide("data")
        let _: JSONValue? = reader.optional("data")
        let isFine = reader.finish()
        #expect(!isFine && !"\(reader.error) \(reader.error.violations)".contains("hunter2"))
    }
}

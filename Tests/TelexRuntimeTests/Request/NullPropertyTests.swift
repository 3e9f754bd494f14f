import TelexJSON
import Testing

@testable import TelexRuntime

/// Required properties that may be null.
@Suite("Null properties")
struct NullPropertyTests {
    @Test("a required value is missed, even if it may be null")
    func missing() {
        var reader = PropertyReader(["n": .int(1)], "ping")
        let nick: String? = reader.requiredNullable("nick")
        let n: Int? = reader.requiredNullable("n")
        let isFine = reader.finish()
        #expect(nick == nil && n == 1 && !isFine)
        #expect(reader.error.violations.map(\.path) == ["nick"])
        #expect(reader.error.violations.map(\.rule) == ["required"])
    }

    @Test("an explicit null is a value, and another type is an error")
    func null() {
        var reader = PropertyReader(["nick": .null, "n": .string("x")], "ping")
        let nick: String? = reader.requiredNullable("nick")
        let n: Int? = reader.requiredNullable("n") { json in json.value() }
        let isFine = reader.finish()
        #expect(nick == nil && n == nil && !isFine)
        #expect(reader.error.violations.map(\.path) == ["n"])
    }

    @Test("an explicit null does not select the default", arguments: [false, true])
    func defaults(isGiven: Bool) {
        var reader = PropertyReader(isGiven ? ["n": .null] : [:], "ping")
        let n: Int? = reader.nullable("n", default: 5)
        let isFine = reader.finish()
        #expect(isFine && n == (isGiven ? nil : 5))
    }
}

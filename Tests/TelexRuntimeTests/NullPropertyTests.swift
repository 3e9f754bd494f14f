import TelexJSON
import Testing

@testable import TelexRuntime

/// Properties that have to be there and may be null.
@Suite("Null properties")
struct NullPropertyTests {
    @Test("what has to be there is missed, even if it may be null")
    func missing() {
        var reader = PropertyReader(["n": .int(1)], Tiny.APIMethod.ping)
        let nick: String? = reader.requiredNullable("nick")
        let n: Int? = reader.requiredNullable("n")
        let isFine = reader.finish()
        #expect(nick == nil && n == 1 && !isFine)
        #expect(reader.error.violations.map(\.path) == ["nick"])
        #expect(reader.error.violations.map(\.rule) == ["required"])
    }

    @Test("a null that is there is one, and another type is not")
    func null() {
        var reader = PropertyReader(["nick": .null, "n": .string("x")], Tiny.APIMethod.ping)
        let nick: String? = reader.requiredNullable("nick")
        let n: Int? = reader.requiredNullable("n") { json in json.value() }
        let isFine = reader.finish()
        #expect(nick == nil && n == nil && !isFine)
        #expect(reader.error.violations.map(\.path) == ["n"])
    }

    @Test("a null that is given is no reason for the default", arguments: [false, true])
    func defaults(isGiven: Bool) {
        var reader = PropertyReader(isGiven ? ["n": .null] : [:], Tiny.APIMethod.ping)
        let n: Int? = reader.nullable("n", default: 5)
        let isFine = reader.finish()
        #expect(isFine && n == (isGiven ? nil : 5))
    }
}

import SpecSyntax
import Testing

@Suite("plain scalars have the meaning of the YAML 1.2 core schema")
struct ScalarTests {
    private func node(_ text: String) throws -> YAMLNode {
        try #require(ReadDocument("key: \(text)\n").root?.entries.first?.value)
    }

    @Test(
        "plain scalars of the YAML 1.2 core schema are null only if empty, ~ or null",
        arguments: ["", "~", "null", "Null", "NULL"])
    func null(_ text: String) throws {
        #expect(try node(text).isNull)
        #expect(try node(text).boolean == nil)
        #expect(try node(text).numberText == nil)
    }

    @Test("plain scalars of the YAML 1.2 core schema are booleans only if true or false")
    func booleans() throws {
        for text in ["true", "True", "TRUE"] { #expect(try node(text).boolean == true) }
        for text in ["false", "False", "FALSE"] { #expect(try node(text).boolean == false) }
        for text in ["no", "yes", "on", "off", "y", "n", "tRUE", "1", "0", "'true'", "\"false\""] {
            #expect(try node(text).boolean == nil, "\(text)")
        }
    }

    @Test(
        "whole numbers are decimal, 0o or 0x",
        arguments: [
            ("0", 0), ("-0", 0), ("+12", 12), ("-19", -19), ("0123", 123), ("0o17", 15),
            ("0x1F", 31), ("0xff", 255), ("9223372036854775807", Int.max),
            ("-9223372036854775808", Int.min),
        ])
    func integers(_ text: String, _ value: Int) throws {
        #expect(try node(text).integer == value)
        #expect(try node(text).text == text)
    }

    @Test(
        "a scalar that is not a decimal, 0o or 0x number is no whole number",
        arguments: [
            "1.0", "1e3", "1_000", "0b11", "0o18", "0x", "0xG", "-0x1", "1:30", "'1'", "١",
            "9223372036854775808", "0x10000000000000000", "+", "-x", ".", "~", "one",
        ])
    func noIntegers(_ text: String) throws {
        #expect(try node(text).integer == nil)
    }

    @Test(
        "numbers keep their exact value as JSON writes it",
        arguments: [
            ("1.10", "1.10"), ("+.5", "0.5"), ("-.5e-3", "-0.5e-3"), ("1.", "1"),
            ("007.50", "7.50"),
            ("0x1F", "31"), ("0o17", "15"), ("1E+10", "1E+10"), ("-0", "-0"),
            ("123456789012345678901234567890.123", "123456789012345678901234567890.123"),
        ])
    func exactNumbers(_ text: String, _ number: String) throws {
        #expect(try node(text).numberText == number)
        #expect(try node(text).double == Double(number))
    }

    @Test("infinities and nan are numbers without a JSON text")
    func specialNumbers() throws {
        for text in [".inf", "+.Inf", ".INF"] { #expect(try node(text).double == .infinity) }
        #expect(try node("-.inf").double == -.infinity)
        #expect(try node(".nan").double?.isNaN == true)
        #expect(try node(".nan").numberText == nil)
        for text in ["inf", "nan", "infinity", "0x1p3", "1e", "e1", "1.5.2", "5.199 "] {
            #expect(try node(text).double == (text == "5.199 " ? 5.199 : nil), "\(text)")
        }
    }

    @Test(
        "texts with a special meaning in YAML 1.1 stay texts",
        arguments: ["no", "1.10", "0123", "12:30:45", "2024-01-01", "1e3", "=", "on", "0b1", "NO"])
    func texts(_ text: String) throws {
        let node = try node(text)
        #expect(node.text == text)
        #expect(node.kind == .scalar)
        #expect(node.isPlain)
    }
}

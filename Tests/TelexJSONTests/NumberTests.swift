import Foundation
import TelexJSON
import TestSupport
import Testing

@Suite struct NumberTests {
    @Test("integers are exact up to their bounds, and violations beyond")
    func bounds() {
        #expect(value("9223372036854775807") == Int.max)
        #expect(value("-9223372036854775808") == Int.min)
        #expect(value("9223372036854775808", as: Int.self) == nil)
        #expect(value("-9223372036854775809", as: Int.self) == nil)
        #expect(value("18446744073709551615") == UInt.max)
        #expect(value("18446744073709551616", as: UInt.self) == nil)
        #expect(value("-1", as: UInt.self) == nil)
        #expect(value("2147483647") == Int32.max)
        #expect(value("2147483648", as: Int32.self) == nil)
        #expect(value("-0") == 0)
        #expect(value("1" + String(repeating: "0", count: 5_000), as: Int.self) == nil)
        let result: JSONResult<Int> = read("99999999999999999999") { $0.value() }
        #expect(result.violations.first?.found == "99999999999999999999")
        #expect(result.syntaxError == nil)
    }

    @Test("numbers and truth values in a text are read behind its escapes")
    func escapedText() {
        func int(_ text: String) -> JSONResult<Int> {
            read(text) { json in
                var value = 0
                return json.int(&value, from: .string) ? value : nil
            }
        }
        #expect(int(#""1\u0032""#).value == 12)
        #expect(int(#""\u002d3""#).value == -3)
        #expect(int(#""1\n""#).violations.map(\.found) == [#""1\n""#])
        let doubles: JSONResult<Double> = read(#""\u0031.5""#) { json in
            var value: Double?
            return json.double(&value, from: .either) ? value : nil
        }
        #expect(doubles.value == 1.5)
        let truth: JSONResult<Bool> = read(#""tr\u0075e""#) { json in
            var value = false
            return json.bool(&value, from: .string) ? value : nil
        }
        #expect(truth.value == true)
    }

    @Test(
        "a text stands for a value that is no JSON number, where a number may be text",
        arguments: [
            ("NaN", Double.nan), ("Infinity", .infinity), ("-Infinity", -.infinity),
            ("Inf", .infinity), ("+Inf", .infinity), ("-Inf", -.infinity), (#"\u004eaN"#, .nan),
        ])
    func notFinite(text: String, expected: Double) {
        func double(_ text: String, _ source: JSONSource) -> JSONResult<Double> {
            read(text) { json in
                var value: Double?
                guard json.double(&value, from: source) else { return nil }
                NumberRule.between(-1, 1).check(value, with: &json)
                return value
            }
        }
        for source in [JSONSource.string, .either] {
            let result = double("\"\(text)\"", source)
            #expect(result.value.map { $0 == expected || $0.isNaN && expected.isNaN } == true)
            // `NaN` breaks both bounds, an infinity one of them.
            #expect(result.violations.count == (expected.isNaN ? 2 : 1))
        }
        #expect(double("\"\(text)\"", .native).violations.map(\.rule) == ["type"])
        #expect(double(text, .either).value == nil)
    }

    @Test(
        "no text but NaN, Inf and Infinity stands for a value that is no JSON number",
        arguments: [
            "nan", "infinity", "INF", "+NaN", "-NaN", "+Infinity", "1e999", "", "NaN ", "∞",
        ])
    func otherTexts(text: String) {
        for source in [JSONSource.string, .either] {
            let result: JSONResult<Double> = read("\"\(text)\"") { json in
                var value: Double?
                return json.double(&value, from: source) ? value : nil
            }
            #expect(result.value == nil && result.violations.map(\.rule) == ["type"])
        }
        let cut: JSONResult<Double> = read("\"Na") { json in
            var value: Double?
            return json.double(&value, from: .either) ? value : nil
        }
        #expect(cut.syntaxError != nil)
    }

    @Test("a Boolean may be one of two words, exactly")
    func words() {
        func bool(_ text: String) -> JSONResult<Bool> {
            read(text) { json in
                var value = false
                return json.bool(&value, true: "Y", false: "N") ? value : nil
            }
        }
        #expect(bool(#""Y""#).value == true && bool(#""\u004e""#).value == false)
        for text in [#""y""#, #""YN""#, #""""#, "true", "1", "null", "{}"] {
            #expect(bool(text).violations.map(\.expected) == [#""Y" or "N""#])
        }
    }

    @Test("a fraction or exponent makes an integer only if its value is one")
    func integral() {
        #expect(value("1.0") == 1)
        #expect(value("1.50e2") == 150)
        #expect(value("120e-1") == 12)
        #expect(value("1.5", as: Int.self) == nil)
        #expect(value("1e400", as: Int.self) == nil)
        #expect(value("1e-1", as: Int.self) == nil)
        #expect(value("0e999999999999") == 0)
    }

    @Test(
        "doubles are correctly rounded",
        arguments: [
            "0", "-0.0", "1", "0.1", "1e22", "1e23", "9007199254740993", "9007199254740992.5",
            "9007199254740993.0000000000000000000001", "2.2250738585072014e-308",
            "2.2250738585072011e-308", "4.9e-324", "2.4703282292062327e-324",
            "2.4703282292062328e-324", "1.7976931348623157e308", "1.7976931348623158e308",
            "123456789012345678901234567890",
            "0.000000000000000000000000000000000001234567890123456789",
            "8.5e-310", "6.62607015e-34", "5e-324", "1.00000000000000011102230246251565404e0",
            "1.00000000000000011102230246251565403e0", "3.5e15", "1e-400", "7.2057594037927933e16",
        ])
    func rounded(text: String) throws {
        let expected = try #require(Double(text))
        #expect(value(text, as: Double.self)?.bitPattern == expected.bitPattern)
    }

    @Test("doubles of random bits, and random decimals, read as the standard library reads them")
    func random() {
        var generator = SeededGenerator(42)
        for round in 0..<40_000 {
            let text: String
            if round % 2 == 0 {
                let number = Double(bitPattern: generator.next())
                guard number.isFinite else { continue }
                text = "\(number)"
            } else {
                let digits = "\(generator.next())\(generator.next() % 1_000)"
                text =
                    "\(digits.prefix(Int.random(in: 1...22, using: &generator)))."
                    + "\(generator.next() % 1_000_000)"
                    + "e\(Int.random(in: -340...300, using: &generator))"
            }
            guard let expected = Double(text) else { continue }
            let read: JSONResult<Double> = read(text) { $0.value() }
            #expect(read.syntaxError == nil || text.hasPrefix("0"), "\(text)")
            guard read.syntaxError == nil, expected.isFinite else { continue }
            #expect(read.value?.bitPattern == expected.bitPattern, "\(text)")
        }
    }

    @Test("a number beyond Double is a violation, not an infinity")
    func infinite() {
        let result: JSONResult<Double> = read("1e400") { $0.value() }
        #expect(result.value == nil)
        #expect(result.violations.map(\.rule) == ["type"])
    }

    @Test("numbers are read from text, and text from numbers, only where the source says so")
    func sources() {
        func int(_ text: String, _ source: JSONSource) -> Int? {
            read(text) { json -> Int? in
                var value: Int?
                json.int(&value, from: source)
                return value
            }.value
        }
        #expect(int("12", .native) == 12)
        #expect(int("\"12\"", .native) == nil)
        #expect(int("\"12\"", .string) == 12)
        #expect(int("12", .string) == nil)
        #expect(int("\"-12\"", .either) == -12)
        #expect(int("12", .either) == 12)
        #expect(int("\" 12\"", .either) == nil)
        #expect(int("\"\"", .either) == nil)
        func bool(_ text: String, _ source: JSONSource) -> Bool? {
            read(text) { json -> Bool? in
                var value: Bool?
                json.bool(&value, from: source)
                return value
            }.value
        }
        #expect(bool("1", .int) == true)
        #expect(bool("0", .int) == false)
        #expect(bool("2", .int) == nil)
        #expect(bool("true", .int) == nil)
        #expect(bool("\"false\"", .string) == false)
        #expect(bool("\"1\"", .either) == true)
        #expect(bool("true", .native) == true)
        #expect(bool("1", .native) == nil)
        let text = read("1.50") { json -> String? in
            var value = ""
            return json.string(&value, from: .int) ? value : nil
        }
        #expect(text.value == "1.50")
    }

    @Test("written doubles are the shortest that read as the same value")
    func written() async {
        await onThreadForLongTests {
            func text(_ value: Double) -> String {
                var json = JSONWriter()
                json.value(value)
                return json.text
            }
            func digits(_ text: String) -> Int {
                text.prefix { $0 != "e" }.filter(\.isNumber).count
            }
            #expect(text(0) == "0")
            #expect(text(-0.0) == "-0")
            #expect(text(0.1) == "0.1")
            #expect(text(-12.5) == "-12.5")
            #expect(text(100) == "100")
            #expect(text(1234.000001) == "1234.000001")
            #expect(text(.leastNonzeroMagnitude) == "5e-324")
            #expect(text(1.7976931348623157e308) == "1.7976931348623157e+308")
            #expect(text(0.0001) == "0.0001")
            #expect(text(1e-9) == "1e-9")
            #expect(text(1e15) == "1000000000000000")
            #expect(text(-123_456.75e20) == "-1.2345675e+25")
            let powers = (-1074...1023).map { Double(sign: .plus, exponent: $0, significand: 1) }
            for power in powers + powers.map(\.nextUp) + powers.map(\.nextDown) where power > 0 {
                #expect(Double(text(power)) == power)
                #expect(digits(text(power)) <= digits("\(power)"), "\(power)")
            }
            var generator = SeededGenerator(7)
            for round in 0..<20_000 {
                let raw = Double(bitPattern: generator.next())
                let scaled = Double(generator.next() % 1_000_000_000) / pow(10, Double(round % 8))
                let number = round % 2 == 0 && raw.isFinite ? raw : scaled
                #expect(Double(text(number))?.bitPattern == number.bitPattern)
                #expect(digits(text(number)) <= digits("\(number)"), "\(number)")
            }
        }
    }
}

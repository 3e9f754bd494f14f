import Foundation
import TelexJSON
import TelexValues
import Testing

@testable import TelexRuntime

@Suite("Numbers and durations as text, exactly")
struct NumberFormTests {
    private func duration(_ text: String) -> Duration? {
        let result: JSONResult<Duration> = JSONReader.read(Array(text.utf8)) { $0.value() }
        return result.value
    }

    private func written(_ duration: Duration?) -> String {
        var json = JSONWriter()
        json.value(duration ?? .zero)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test(
        "a duration is written as it was read",
        arguments: [
            "1.1", "3.3", "-3.3", "0.1", "-0.000000000000000001", "999999999999999.123456789",
            "1717186500", "0",
        ])
    func roundTrip(_ text: String) {
        #expect(written(duration(text)) == text)
    }

    @Test(
        "durations may have an exponent, and more digits than count",
        arguments: [
            ("33e-1", "3.3"), ("1.5E2", "150"), ("0.0000000000000000005", "0.000000000000000001"),
            ("0.00000000000000000049", "0"), ("1e-99999999", "0"), ("0e99999999", "0"),
            ("-25e-20", "0"), ("1e14", "100000000000000"),
        ])
    func exponents(_ text: String, _ expected: String) {
        #expect(written(duration(text)) == expected)
    }

    @Test("a duration beyond 10¹⁵ seconds is refused", arguments: ["1e15", "-1e15", "1e99999999"])
    func bounds(_ text: String) {
        #expect(duration(text) == nil)
    }

    @Test(
        "durations of ISO 8601 are exact, too",
        arguments: [
            ("PT1.1S", "1.1"), ("PT0.1M", "6"), ("P0.1D", "8640"), ("P1W", "604800"),
            ("P1DT2H3M4.000000005S", "93784.000000005"),
        ])
    func iso(_ text: String, _ expected: String) {
        #expect(written(duration("\"\(text)\"")) == expected)
    }

    @Test(
        "an invalid duration of ISO 8601 is refused",
        arguments: [
            "PT1ST1S", "P1DTT1S", "PT", "P1DT", "P", "PT1", "PT.S", "PT1.1.1S", "PT1S1S", "P1H",
            "PT99999999999999999999999999999999999999999999S",
        ])
    func noISO(_ text: String) {
        #expect(duration("\"\(text)\"") == nil)
    }

    @Test(
        "zero is zero, whatever its exponent", arguments: ["0e99999", "-0.00e-99999", "0", "0.0"])
    func zero(_ text: String) {
        #expect(DecimalForm.decimal(from: text) == 0)
    }
}

import Foundation
import TelexJSON
import TelexValues
import Testing

@testable import TelexRuntime

@Suite("Dates as text, byte by byte")
struct DateFormTests {
    @Test(
        "a date and time may have a fraction of any length, and a zone",
        arguments: [
            ("2024-05-31T20:15:00z", 1_717_186_500.0), ("2024-05-31 20:15:00Z", 1_717_186_500),
            ("2024-05-31T20:15:00.5Z", 1_717_186_500.5),
            ("2024-05-31T20:15:00.2500000000000000000001Z", 1_717_186_500.25),
            ("2024-05-31T20:15:00-0130", 1_717_191_900),
            ("2024-05-31T20:15:00.125+23:59", 1_717_100_160.125),
            ("0000-01-01T00:00:00+00:01", -62_167_219_260),
            ("2024-02-29T23:59:60Z", 1_709_251_200),
        ])
    func dateTimes(_ text: String, _ seconds: Double) {
        #expect(DateForm.dateTime.date(from: text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "an invalid date and time is refused",
        arguments: [
            "", "2024-05-31", "2024-05-31T20:15:00", "2024-05-31T20:15:00.",
            "2024-05-31T20:15:00.Z",
            "2024-05-31T20:15:00ZZ", "2024-05-31T20:15:00Z\u{301}", "2024-05-31_20:15:00Z",
            "2024-02-30T20:15:00Z", "2023-02-29T20:15:00Z", "2024-00-31T20:15:00Z",
            "2024-05-00T20:15:00Z", "2024-05-31T20:60:00Z", "2024-05-31T20:15:61Z",
            "2024-05-31T20:15:60Z", "2024-05-31T20:15:00+24:00", "2024-05-31T20:15:00+00:60",
            "2024-05-31T20:15:00+1:00", "2024-05-31T20:15:00+01:0", "2024-05-31T20:15:00+01",
            "2024-05-31T20:15:00 Z", "2024/05/31T20:15:00Z", "2024-05-31T20-15-00Z",
            "+024-05-31T20:15:00Z", "2024-05-31T20:15:0٠Z", "2024-05-31T20:15:00.٠Z",
        ])
    func noDateTimes(_ text: String) {
        #expect(DateForm.dateTime.date(from: text) == nil)
    }

    @Test(
        "a local date and time is in UTC, unless it has an offset; its fraction has any length",
        arguments: [
            ("2024-05-31T20:15:00", 1_717_186_500.0), ("2024-05-31 20:15:00", 1_717_186_500),
            ("2024-05-31T20:15:00.5", 1_717_186_500.5),
            ("2024-05-31T20:15:00.2500000000000000000001", 1_717_186_500.25),
            ("2024-05-31T20:15:00Z", 1_717_186_500), ("2024-05-31T20:15:00.5Z", 1_717_186_500.5),
            ("2024-05-31T20:15:00.125+23:59", 1_717_100_160.125),
            ("0000-01-01T00:00:00", -62_167_219_200), ("2024-02-29T23:59:60", 1_709_251_200),
        ])
    func localDateTimes(_ text: String, _ seconds: Double) {
        #expect(DateForm.localDateTime().date(from: text)?.timeIntervalSince1970 == seconds)
    }

    @Test("a local date and time may have another offset than UTC, which one in the text replaces")
    func offsets() {
        for (offset, seconds) in [(10_800, 1_717_175_700.0), (-16_200, 1_717_202_700)] {
            let form = DateForm.localDateTime(offset: offset)
            let date = form.date(from: "2024-05-31T20:15:00")
            #expect(date?.timeIntervalSince1970 == seconds)
            #expect(date.flatMap(form.text) == "2024-05-31T20:15:00")
            #expect(form.date(from: "2024-05-31T20:15:00Z")?.timeIntervalSince1970 == 1_717_186_500)
        }
    }

    @Test(
        "an invalid local date and time is refused, and the violation tells the form",
        arguments: [
            "", "2024-05-31", "20:15:00", "2024-05-31T", "2024-05-31T20:15", "2024-05-3120:15:00",
            "20240531T201500", "2024-05-31_20:15:00", "2024-05-31T20:15:00.",
            "2024-05-31T20:15:00,5", "2024-05-31T20:15:00.Z", "2024-05-31T20:15:00 ",
            " 2024-05-31T20:15:00",
            "2024-05-31T20:15:00ZZ", "2024-05-31T20:15:00+01", "2024-05-31T20:15:00+24:00",
            "2024-13-31T20:15:00", "2024-00-31T20:15:00", "2023-02-29T20:15:00",
            "2024-05-31T24:00:00", "2024-05-31T20:60:00", "2024-05-31T20:15:60",
            "2024-05-31T20:15:0٠", "2024-05-31T20:15:00.٠",
        ])
    func noLocalDateTimes(_ text: String) throws {
        let result = JSONReader.read(Array("\"\(text)\"".utf8)) { json -> Date? in
            var date: Date?
            json.date(&date, .localDateTime())
            return date
        }
        #expect(result.value == nil)
        let violation = try #require(result.report.violations.first)
        #expect(violation.check == .types)
        #expect(violation.expected == "a date and time like 2024-05-31T20:15:00")
        #expect(violation.found == text)
    }

    @Test("a local date and time is written without an offset, with milliseconds if there are any")
    func writesLocal() {
        let whole = Date(timeIntervalSince1970: 1_717_186_500)
        #expect(DateForm.localDateTime().text(for: whole) == "2024-05-31T20:15:00")
        #expect(
            DateForm.localDateTime().text(for: whole + 0.123456) == "2024-05-31T20:15:00.123")
        #expect(DateForm.localDateTime().text(for: .distantFuture + 1e12) == nil)
        var json = JSONWriter()
        json.dateValue(whole, .localDateTime())
        #expect(String(decoding: json.bytes, as: UTF8.self) == #""2024-05-31T20:15:00""#)
    }

    @Test("dates are written with four digits of a year")
    func writes() {
        let early = Date(timeIntervalSince1970: -62_135_596_800.0 + 0.007)
        #expect(DateForm.dateTime.text(for: early) == "0001-01-01T00:00:00.007Z")
        #expect(DateForm.date.text(for: early) == "0001-01-01")
        #expect(DateForm.pattern("SSS y").text(for: early) == "007 1")
    }

    @Test(
        "a quote is written twice, inside of quotes and outside",
        arguments: [
            ("yyyy 'o''clock'", "1970 o'clock"), ("yyyy''MM", "1970'01"),
            ("yyyy '''a'''", "1970 'a'"), ("yyyy 'é'' d'd", "1970 é' d1"),
            ("'yyyy' yyyy", "yyyy 1970"),
        ])
    func quotes(_ pattern: String, _ text: String) {
        let form = DateForm.pattern(pattern)
        #expect(form.text(for: Date(timeIntervalSince1970: 0)) == text)
        #expect(form.date(from: text) == Date(timeIntervalSince1970: 0))
    }

    @Test(
        "seconds as text are a number as JSON has them",
        arguments: ["0x10", "-0x1p4", "1.", ".5", "+1", "01", "1e", "", "-", "nan", "1 "])
    func unixText(_ text: String) {
        #expect(DateForm.unixText.date(from: text) == nil)
        #expect(DateForm.unixMillisecondsText.date(from: text) == nil)
        #expect(DateForm.unixText.date(from: "-1.5e1") == Date(timeIntervalSince1970: -15))
    }
}

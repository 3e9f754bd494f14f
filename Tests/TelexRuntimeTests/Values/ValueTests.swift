import Foundation
import TelexJSON
import TelexValues
import Testing

@testable import TelexRuntime

/// Reads one value from a JSON text.
private func read<T>(_ text: String, _ body: (inout JSONReader, inout T?) -> Bool) -> T? {
    JSONReader.read(Array(text.utf8)) { json -> T? in
        var value: T?
        return body(&json, &value) ? value : nil
    }.value
}

/// Writes one value as JSON.
private func write(_ value: some JSONWritable) -> String {
    var json = JSONWriter()
    json.value(value)
    return String(decoding: json.bytes, as: UTF8.self)
}

@Suite("Foundation's values in JSON")
struct ValueTests {
    @Test(
        "dates are read in every form",
        arguments: [
            (DateForm.unix, "1717186500", 1_717_186_500.0), (.unix, "-1", -1), (.unix, "1.5", 1.5),
            (.unixMilliseconds, "1717186500250", 1_717_186_500.25),
            (.dateTime, "\"2024-05-31T20:15:00Z\"", 1_717_186_500),
            (.dateTime, "\"2024-05-31t22:15:00.250+02:00\"", 1_717_186_500.25),
            (.dateTime, "\"1990-12-31T23:59:60Z\"", 662_688_000),
            (.dateTime, "\"0000-01-01T00:00:00Z\"", -62_167_219_200),
            (.date, "\"2024-02-29\"", 1_709_164_800), (.date, "\"1969-12-31\"", -86_400),
            (.pattern("yyyy-MM-dd HH:mm:ss"), "\"2024-05-31 20:15:00\"", 1_717_186_500),
            (
                .pattern("EEE MMM dd HH:mm:ss Z yyyy"), "\"Fri May 31 20:15:00 +0000 2024\"",
                1_717_186_500
            ),
            (.pattern("d.M.yyyy 'at' H"), "\"31.5.2024 at 20\"", 1_717_185_600),
        ])
    func readsDates(_ form: DateForm, _ text: String, _ seconds: Double) {
        let date = read(text) { $0.date(&$1, form) }
        #expect(date?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "an invalid date is refused",
        arguments: [
            (DateForm.unix, "\"1\""), (.unix, "1e300"), (.dateTime, "1"), (.date, "\"2023-02-29\""),
            (.date, "\"2023-2-09\""), (.date, "\"2023-02-09 \""),
            (.dateTime, "\"2024-05-31T20:15:00\""),
            (.dateTime, "\"2024-05-31T24:15:00Z\""), (.dateTime, "\"2024-05-31T20:15:00.Z\""),
            (.dateTime, "\"2024-13-31T20:15:00Z\""), (.pattern("yyyy"), "\"٢٠٢٤\""),
            (.pattern("SSSSSSSSSSSSSSSSSSSSSS"), "\"1111111111111111111111\""),
        ])
    func refusesDates(_ form: DateForm, _ text: String) {
        #expect(read(text) { $0.date(&$1, form) } == nil)
    }

    @Test("dates come back as they were written, in every form")
    func datesRoundTrip() throws {
        var generator = SystemRandomNumberGenerator()
        let forms: [DateForm] = [.unix, .unixMilliseconds, .dateTime, .pattern("yyyyMMddHHmmss")]
        for _ in 0..<2_000 {
            let seconds = Int.random(in: -62_167_219_200...253_402_300_799, using: &generator)
            let date = Date(timeIntervalSince1970: Double(seconds))
            for form in forms {
                let text = try #require(form.text(for: date))
                #expect(form.date(from: text) == date)
            }
        }
        let half = Date(timeIntervalSince1970: 0.25)
        #expect(DateForm.dateTime.text(for: half) == "1970-01-01T00:00:00.250Z")
        #expect(DateForm.pattern("EEE dd MMM").text(for: half) == "Thu 01 Jan")
        #expect(DateForm.unix.text(for: Date(timeIntervalSince1970: 1e18)) == nil)
    }

    @Test("decimals are exact or refused")
    func decimals() {
        let pi = "3.1415926535897932384626433832795028841"
        #expect(read(pi) { $0.decimal(&$1) }?.description == pi)
        #expect(read("\"0.10\"") { $0.decimal(&$1) } == Decimal(literal: "0.1"))
        #expect(read(pi + "97") { $0.decimal(&$1) } == nil)
        #expect(read("\"1x\"") { $0.decimal(&$1) } == nil)
        #expect(read("1e999") { $0.decimal(&$1) } == nil)
        #expect(write(Decimal(literal: "-12.50")) == "-12.5")
    }

    @Test("decimals and Unix times can be texts")
    func texts() {
        #expect(read("\"0.10\"") { $0.decimal(&$1, from: .string) } == Decimal(literal: "0.1"))
        #expect(read("0.10") { $0.decimal(&$1, from: .string) } == nil)
        #expect(read("\"90\"") { $0.date(&$1, .unixText) } == Date(timeIntervalSince1970: 90))
        #expect(read("90") { $0.date(&$1, .unixText) } == nil)
        #expect(read("\"90x\"") { $0.date(&$1, .unixMillisecondsText) } == nil)
        var json = JSONWriter()
        json.beginArray()
        for value in ["1.50", "-3"] {
            json.beginElement()
            json.value(Decimal(literal: value), as: .string)
        }
        for form in [DateForm.unixText, .unixMillisecondsText] {
            json.beginElement()
            json.dateValue(Date(timeIntervalSince1970: 90), form)
        }
        json.endArray()
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"["1.5","-3","90","90000"]"#)
    }

    @Test("durations are numbers of seconds or ISO 8601")
    func durations() {
        #expect(read("90") { $0.duration(&$1) } == .seconds(90))
        #expect(read("\"PT1H30M\"") { $0.duration(&$1) } == .seconds(5400))
        #expect(read("\"P1DT0.5S\"") { $0.duration(&$1) } == .seconds(86_400.5))
        for bad in ["\"P\"", "\"PT\"", "\"1H\"", "\"P1M\"", "\"PT1S1S\"", "1e300", "true"] {
            #expect(read(bad) { $0.duration(&$1) } == nil, "\(bad)")
        }
        #expect(write(Duration.milliseconds(-1250)) == "-1.25")
        #expect(write(Duration.seconds(3)) == "3")
    }

    @Test("URLs, UUIDs and bytes are read and written")
    func others() {
        #expect(read("\"https://h/a?b\"") { $0.url(&$1) }?.host() == "h")
        let uuid = "123e4567-e89b-12d3-a456-426614174000"
        #expect(write(UUID(literal: uuid)) == "\"\(uuid)\"")
        #expect(read("\"\(uuid)\"") { $0.uuid(&$1) } == UUID(literal: uuid))
        #expect(read("\"x\"") { $0.uuid(&$1) } == nil)
        #expect(read("\"AP8=\"") { $0.bytes(&$1) } == Data([0, 255]))
        #expect(read("\"AP8\"") { $0.bytes(&$1) } == nil)
        #expect(write(Data([0, 255])) == "\"AP8=\"")
    }

    @Test("dates obey their rules, by an injected clock")
    func dateRules() {
        let clock = RuntimeClock { Date(timeIntervalSince1970: 1000) }
        let before = Date(timeIntervalSince1970: 900)
        let after = Date(timeIntervalSince1970: 1100)
        var request = RequestBuilder(TinyAPI.APIMethod.ping)
        request.query("t", ParameterText.date(before, .unix))
        RuntimeClock.$current.withValue(clock) {
            request.past(before)
            request.future(after)
            request.after(after, before)
            request.before(before, after)
            request.within(before, seconds: 100)
            request.past(nil)
            #expect(request.template.violations.isEmpty)
            request.past(after)
            request.future(before)
            request.after(before, before)
            request.before(after, after)
            request.within(before, seconds: 99)
        }
        #expect(
            request.template.violations.map(\.rule) == [
                "past", "future", "after", "before", "within",
            ])
        #expect(request.template.violations.first?.found == "1970-01-01T00:18:20Z")
    }
}

import TelexJSON
import TelexValues
import Testing

@testable import TelexRuntime

@Suite("Durations as text")
struct DurationTextTests {
    private func read(_ text: String, _ unit: DurationUnit) -> (Duration?, [String]) {
        let result = JSONReader.read(Array(text.utf8)) { json -> Duration? in
            var value: Duration?
            json.duration(&value, in: unit)
            return value
        }
        return (result.value, result.report.violations.map(\.expected))
    }

    private func written(_ duration: Duration, _ unit: DurationUnit) -> String? {
        var json = JSONWriter()
        json.value(duration, in: unit)
        return JSONReader.value(at: [], in: json.bytes)?.asString
    }

    @Test(
        "durations as text are the same when they are read back",
        arguments: [
            (Duration.seconds(600), "00:10:00", "PT10M"), (.zero, "00:00:00", "PT0S"),
            (.seconds(93_784.5), "1.02:03:04.5", "PT26H3M4.5S"),
            (.seconds(-5400), "-01:30:00", "-PT1H30M"), (.seconds(59), "00:00:59", "PT59S"),
            (.milliseconds(-50), "-00:00:00.05", "-PT0.05S"),
            (.seconds(86_400), "1.00:00:00", "PT24H"),
            (.nanoseconds(100), "00:00:00.0000001", "PT0.0000001S"),
        ])
    func both(duration: Duration, clock: String, iso8601: String) {
        for (unit, text) in [(DurationUnit.clock, clock), (.iso8601, iso8601)] {
            #expect(written(duration, unit) == text)
            #expect(read("\"\(text)\"", unit).0 == duration)
            #expect(ParameterText.duration(duration, unit) == text)
        }
    }

    @Test("long durations are written as text; those of a clock are rounded to what .NET reads")
    func extremes() {
        #expect(written(.nanoseconds(49), .clock) == "00:00:00")
        #expect(written(.nanoseconds(-51), .clock) == "-00:00:00.0000001")
        #expect(written(.seconds(60) - .nanoseconds(1), .clock) == "00:01:00")
        #expect(written(.seconds(Int64.min), .clock) == "-106751991167300.15:30:08")
        #expect(written(.seconds(Int64.max), .iso8601) == "PT2562047788015215H30M7S")
    }

    @Test(
        "durations as text have more forms than are written",
        arguments: [
            ("0:10:00", DurationUnit.clock, 600), ("36:00:00", .clock, 129_600),
            ("1.2:03:04", .clock, 93_784), ("00:00:01.0000000", .clock, 1),
            ("P1W", .iso8601, 604_800), ("P1DT12H", .iso8601, 129_600), ("PT1M0.0S", .iso8601, 60),
        ])
    func lenient(text: String, unit: DurationUnit, seconds: Int) {
        #expect(read("\"\(text)\"", unit).0 == .seconds(seconds))
    }

    @Test(
        "durations as text in another form are a violation",
        arguments: [
            ("", DurationUnit.clock), ("10:00", .clock), ("00:60:00", .clock), ("00:00:60", .clock),
            ("1.24:00:00", .clock), ("00:1:00", .clock), ("00:00:1", .clock),
            ("--00:00:00", .clock),
            ("00:00:00.", .clock), ("00:00:00.1.2", .clock), ("1.2.03:00:00", .clock),
            (":00:00", .clock), ("00:00:00:00", .clock), ("+1:00:00", .clock),
            ("00:00:1e1", .clock),
            ("٠٠:00:00", .clock), ("1000000000000000:00:00", .clock),
            ("999999999999999.00:00:00", .clock),
            ("PT1H", .clock), ("", .iso8601), ("P", .iso8601), ("PT", .iso8601), ("P1Y", .iso8601),
            ("P1M", .iso8601), ("P1DT", .iso8601), ("PT1H1H", .iso8601), ("1H", .iso8601),
            ("--PT1H", .iso8601), ("00:10:00", .iso8601), ("PT-1H", .iso8601),
        ])
    func refused(text: String, unit: DurationUnit) {
        let (value, problems) = read("\"\(text)\"", unit)
        #expect(value == nil && problems == [unit.expectation])
    }

    @Test("durations as text are no numbers")
    func numbers() {
        for unit in [DurationUnit.clock, .iso8601] {
            #expect(read("5", unit).0 == nil && read("null", unit).1 == [unit.expectation])
        }
    }
}

import TelexJSON
import TelexValues
import Testing

@testable import TelexRuntime

@Suite("Durations as numbers of a unit")
struct DurationUnitTests {
    private func read(_ text: String, _ unit: DurationUnit) -> Duration? {
        JSONReader.read(Array(text.utf8)) { json -> Duration? in
            var value: Duration?
            json.duration(&value, in: unit)
            return value
        }.value
    }

    private func written(_ duration: Duration, _ unit: DurationUnit) -> String {
        var json = JSONWriter()
        json.value(duration, in: unit)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test(
        "durations as numbers of a unit are exact, and the same when they are read back",
        arguments: [
            (Duration.milliseconds(1500), "1.5", "1500"), (.zero, "0", "0"),
            (.seconds(-2), "-2", "-2000"), (.milliseconds(-50), "-0.05", "-50"),
            (.microseconds(1), "0.000001", "0.001"), (.microseconds(-1_001), "-0.001001", "-1.001"),
            (.seconds(999_999_999_999), "999999999999", "999999999999000"),
            (
                Duration(secondsComponent: 1, attosecondsComponent: 1), "1.000000000000000001",
                "1000.000000000000001"
            ),
        ])
    func exact(duration: Duration, seconds: String, milliseconds: String) {
        #expect(written(duration, .seconds) == seconds)
        #expect(written(duration, .milliseconds) == milliseconds)
        #expect(read(seconds, .seconds) == duration)
        #expect(read(milliseconds, .milliseconds) == duration)
        #expect(ParameterText.duration(duration, .milliseconds) == milliseconds)
    }

    @Test("durations as numbers of a unit of any length can be written")
    func longest() {
        #expect(written(.seconds(Int64.max), .milliseconds) == "9223372036854775807000")
        #expect(written(.seconds(Int64.min), .milliseconds) == "-9223372036854775808000")
    }

    @Test(
        "durations as numbers of a unit are refused if they are no number or too large",
        arguments: ["true", "[]", "1e15", "\"5\""])
    func refused(text: String) {
        #expect(read(text, .milliseconds) == nil)
    }

    @Test("durations as numbers of a unit may be ISO 8601 text in any unit")
    func text() {
        #expect(read("\"PT1.5S\"", .milliseconds) == .milliseconds(1500))
    }
}

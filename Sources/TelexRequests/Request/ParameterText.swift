import TelexJSON
import TelexTransport
import TelexValues

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The text of values whose format is defined outside their type: dates, Booleans, JSON inside a
/// parameter.
public enum ParameterText {
    /// Returns the text of a date in a given form; nil for nil. A date outside the years 0…9999 is
    /// clamped to them.
    public static func date(_ date: Date?, _ form: DateForm) -> String? {
        guard let date else { return nil }
        let seconds = date.timeIntervalSince1970
        let bounded = seconds.isNaN ? 0 : min(max(seconds, CivilDate.first), CivilDate.last)
        return form.text(for: Date(timeIntervalSince1970: bounded))
    }

    /// Returns the text of a number, also of one that is not finite: `NaN`, `Infinity`, `-Infinity`;
    /// nil for nil.
    public static func number(_ value: Double?) -> String? {
        guard let value else { return nil }
        var json = JSONWriter()
        json.value(value, as: .string)
        return String(decoding: json.bytes.dropFirst().dropLast(), as: UTF8.self)
    }

    /// Returns the text of a duration in this form; nil for nil.
    public static func duration(_ duration: Duration?, _ unit: DurationUnit) -> String? {
        duration.map { DurationForm.text($0, unit) }
    }

    /// Returns the text of bytes in this form; nil for nil.
    public static func bytes(_ data: Data?, as form: BytesForm) -> String? {
        data.map(form.text)
    }

    /// Returns the text of a Boolean; nil for nil. With `.presence`, true is the empty text and
    /// false is nil.
    public static func bool(_ truth: Bool?, _ style: BooleanStyle) -> String? {
        truth.flatMap(style.text)
    }

    /// Returns the value as JSON; nil for nil.
    public static func json(_ value: (some JSONWritable)?) -> String? {
        guard let value else { return nil }
        var json = JSONWriter()
        json.value(value)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

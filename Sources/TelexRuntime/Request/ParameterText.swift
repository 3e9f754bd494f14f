import TelexJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The text of values whose form is not their own: dates, truth values, JSON inside a parameter.
public enum ParameterText {
    /// The text of a date in a form; nil for nil. A date outside the years 0…9999 is taken for the
    /// nearest inside.
    public static func date(_ date: Date?, _ form: DateForm) -> String? {
        guard let date else { return nil }
        let seconds = date.timeIntervalSince1970
        let bounded = seconds.isNaN ? 0 : min(max(seconds, CivilDate.first), CivilDate.last)
        return form.text(for: Date(timeIntervalSince1970: bounded))
    }

    /// The text of a truth value; nil for nil. `.presence` is the empty text for true, nil for
    /// false.
    public static func bool(_ truth: Bool?, _ style: BooleanStyle) -> String? {
        truth.flatMap(style.text)
    }

    /// The value as JSON; nil for nil.
    public static func json(_ value: (some JSONWritable)?) -> String? {
        guard let value else { return nil }
        var json = JSONWriter()
        json.value(value)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

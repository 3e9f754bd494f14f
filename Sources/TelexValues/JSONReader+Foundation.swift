import TelexJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension JSONReader {
    /// Reads a date in this form.
    ///
    /// - Parameters:
    ///   - value: Changed only if a date was read.
    ///   - form: The format of the date.
    /// - Returns: Whether a date was read; if not, a type violation was recorded.
    @discardableResult
    public mutating func date(_ value: inout Date?, _ form: DateForm) -> Bool {
        let text =
            form.isNumber
            ? numberText(expected: form.expectation) : text(expected: form.expectation)
        guard let text else { return false }
        return store(form.date(from: text), from: text, expected: form.expectation, in: &value)
    }

    /// Reads a URL (RFC 3986), absolute or relative; invalid characters are percent-encoded.
    @discardableResult
    public mutating func url(_ value: inout URL?) -> Bool {
        guard let text = text(expected: "a URL") else { return false }
        return store(URL(string: text), from: text, expected: "a URL", in: &value)
    }

    /// Reads a UUID (RFC 9562) in its text form.
    @discardableResult
    public mutating func uuid(_ value: inout UUID?) -> Bool {
        guard let text = text(expected: "a UUID") else { return false }
        // Foundation stops at a NUL.
        let uuid = text.utf8.count == 36 ? UUID(uuidString: text) : nil
        return store(uuid, from: text, expected: "a UUID", in: &value)
    }

    /// Reads bytes from a text in this form.
    @discardableResult
    public mutating func bytes(_ value: inout Data?, as form: BytesForm = .base64) -> Bool {
        guard let text = text(expected: form.expectation) else { return false }
        return store(form.data(from: text), from: text, expected: form.expectation, in: &value)
    }

    /// Reads a decimal number exactly. More digits than a `Decimal` can hold are a violation.
    ///
    /// - Parameters:
    ///   - value: Changed only if a number was read.
    ///   - source: `.string` accepts only text; other sources accept text and numbers.
    /// - Returns: Whether a number was read; if not, a violation was recorded.
    @discardableResult
    public mutating func decimal(_ value: inout Decimal?, from source: JSONSource = .either) -> Bool
    {
        let isText = kind == .string || source == .string
        let expected =
            "a decimal number of at most 38 digits\(source == .string ? ", as text" : "")"
        let text = isText ? text(expected: expected) : numberText(expected: expected)
        guard let text else { return false }
        return store(DecimalForm.decimal(from: text), from: text, expected: expected, in: &value)
    }

    /// Reads a duration: a number of a unit or an ISO 8601 text without years and months, such as
    /// `PT1H30M`; or only a text, for the forms that are texts.
    @discardableResult
    public mutating func duration(
        _ value: inout Duration?, in unit: DurationUnit = .seconds
    ) -> Bool {
        let expected = unit.expectation
        let isText = unit.isText || kind == .string
        let text = isText ? text(expected: expected) : numberText(expected: expected)
        guard let text else { return false }
        let duration = isText ? DurationForm.read(text, unit) : DurationForm.number(text, unit)
        return store(duration, from: text, expected: expected, in: &value)
    }

    /// Stores a value, or records a violation for nil.
    private mutating func store<T>(
        _ new: T?, from text: String, expected: String, in value: inout T?
    ) -> Bool {
        guard let new else {
            fail(expected: expected, found: text)
            return false
        }
        value = new
        return true
    }
}

extension JSONReader {
    /// Reads a date in this form; nil if there is none.
    public mutating func date(_ form: DateForm) -> Date? {
        var value: Date?
        date(&value, form)
        return value
    }

    /// Reads a date in this form.
    @discardableResult
    public mutating func date(_ value: inout Date, _ form: DateForm) -> Bool {
        required(&value) { json, new in json.date(&new, form) }
    }

    /// Reads a URL.
    @discardableResult
    public mutating func url(_ value: inout URL) -> Bool {
        required(&value) { json, new in json.url(&new) }
    }

    /// Reads a UUID.
    @discardableResult
    public mutating func uuid(_ value: inout UUID) -> Bool {
        required(&value) { json, new in json.uuid(&new) }
    }

    /// Reads bytes from a text in this form.
    @discardableResult
    public mutating func bytes(_ value: inout Data, as form: BytesForm = .base64) -> Bool {
        required(&value) { json, new in json.bytes(&new, as: form) }
    }

    /// Reads a decimal number.
    @discardableResult
    public mutating func decimal(_ value: inout Decimal, from source: JSONSource = .either) -> Bool
    {
        required(&value) { json, new in json.decimal(&new, from: source) }
    }

    /// Reads a duration.
    @discardableResult
    public mutating func duration(
        _ value: inout Duration, in unit: DurationUnit = .seconds
    ) -> Bool {
        required(&value) { json, new in json.duration(&new, in: unit) }
    }

    private mutating func required<T>(
        _ value: inout T, _ read: (inout JSONReader, inout T?) -> Bool
    ) -> Bool {
        var new: T?
        guard read(&self, &new), let new else { return false }
        value = new
        return true
    }
}

import TelexJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension JSONWriter {
    /// Writes a date member; nothing for nil. A date outside the years 0…9999 is a violation.
    public mutating func dateField(
        _ key: StaticString, _ date: Date?, _ form: DateForm, sensitive: Bool = false
    ) {
        field(key, date, sensitive: sensitive) { $0.dateValue($1, form) }
    }

    /// Writes a member with an array of dates; nothing for nil.
    public mutating func dateField(
        _ key: StaticString, _ dates: [Date]?, _ form: DateForm, sensitive: Bool = false
    ) {
        field(key, dates, sensitive: sensitive) { json, dates in
            json.list(dates) { $0.dateValue($1, form) }
        }
    }

    /// Writes a date in this form. A date outside the years 0…9999 is a violation and written as
    /// null.
    public mutating func dateValue(_ date: Date, _ form: DateForm) {
        guard let text = form.text(for: date) else {
            let found = "\(date.timeIntervalSince1970) seconds since 1970"
            broken(
                "date", expected: form.expectation, found: found, message: nil, severity: .error)
            return null()
        }
        if form.isNumber { number(text) } else { value(text) }
    }
}

extension JSONWriter {
    /// Writes a decimal number exactly, as text for `.string`. A number that is not finite is a
    /// violation and written as null.
    public mutating func value(_ value: Decimal, as form: JSONSource) {
        if form == .string, value.isFinite {
            self.value(value.description)
        } else {
            self.value(value)
        }
    }
}

extension JSONWriter {
    /// Writes a duration as a number of a unit, or as a text in a form.
    public mutating func value(_ value: Duration, in unit: DurationUnit) {
        let text = DurationForm.text(value, unit)
        if unit.isText { self.value(text) } else { number(text) }
    }
}

extension URL: JSONReadable, JSONWritable {
    /// Reads a URL.
    public static func read(from json: inout JSONReader) -> URL? {
        var value: URL?
        json.url(&value)
        return value
    }

    /// Writes the absolute URL.
    public func write(to json: inout JSONWriter) { json.value(absoluteString) }

    /// Returns the absolute URL.
    public static func parameterText(of value: URL) -> String? { value.absoluteString }
}

extension UUID: JSONReadable, JSONWritable {
    /// Reads a UUID.
    public static func read(from json: inout JSONReader) -> UUID? {
        var value: UUID?
        json.uuid(&value)
        return value
    }

    /// Writes the UUID in lower case, as in RFC 9562.
    public func write(to json: inout JSONWriter) { json.value(uuidString.lowercased()) }

    /// Returns the UUID in lower case.
    public static func parameterText(of value: UUID) -> String? { value.uuidString.lowercased() }
}

extension Data: JSONReadable, JSONWritable {
    /// Reads bytes in base 64.
    public static func read(from json: inout JSONReader) -> Data? {
        var value: Data?
        json.bytes(&value)
        return value
    }

    /// Writes the bytes in base 64 (RFC 4648, section 4).
    public func write(to json: inout JSONWriter) { json.value(base64EncodedString()) }
}

extension Decimal: JSONReadable, JSONWritable {
    /// Reads a decimal number.
    public static func read(from json: inout JSONReader) -> Decimal? {
        var value: Decimal?
        json.decimal(&value)
        return value
    }

    /// Writes the exact number. A number that is not finite is a violation and written as null.
    public func write(to json: inout JSONWriter) { json.number(description) }
}

extension Duration: JSONReadable, JSONWritable {
    /// Reads a duration.
    public static func read(from json: inout JSONReader) -> Duration? {
        var value: Duration?
        json.duration(&value)
        return value
    }

    /// Writes a number of seconds.
    public func write(to json: inout JSONWriter) { json.number(DurationForm.text(self)) }
}

import TelexJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Dates as parameters: the text that their form gives them.
extension RequestBuilder {
    /// Adds a query parameter that is a date; nil sends nothing.
    public mutating func query(
        _ name: String, _ date: Date?, _ form: DateForm, sensitive: Bool = false
    ) {
        query(name, text(name, date, form, sensitive), sensitive: sensitive)
    }

    /// Adds a query parameter that is a list of dates; nil sends nothing.
    public mutating func query(
        _ name: String, _ dates: [Date]?, _ form: DateForm, list: ListStyle = .repeated,
        sensitive: Bool = false
    ) {
        query(name, texts(name, dates, form, sensitive), list: list, sensitive: sensitive)
    }

    /// Adds a header field that is a date; nil sends nothing.
    public mutating func header(
        _ name: String, _ date: Date?, _ form: DateForm, sensitive: Bool = false
    ) {
        header(name, text(name, date, form, sensitive), sensitive: sensitive)
    }

    /// Gives a path parameter a date.
    public mutating func path(
        _ name: String, _ date: Date?, _ form: DateForm, sensitive: Bool = false
    ) {
        path(name, text(name, date, form, sensitive), sensitive: sensitive)
    }

    /// Adds a field of a form that is a date; nil sends nothing.
    public mutating func form(
        _ name: String, _ date: Date?, _ form: DateForm, sensitive: Bool = false
    ) {
        self.form(name, text(name, date, form, sensitive), sensitive: sensitive)
    }

    /// Adds a field of a form that is a list of dates; nil sends nothing.
    public mutating func form(
        _ name: String, _ dates: [Date]?, _ form: DateForm, list: ListStyle = .repeated,
        sensitive: Bool = false
    ) {
        self.form(name, texts(name, dates, form, sensitive), list: list, sensitive: sensitive)
    }

    /// Adds a part that is a date; nil sends nothing.
    public mutating func part(
        _ name: String, _ date: Date?, _ form: DateForm, sensitive: Bool = false
    ) {
        part(name, text(name, date, form, sensitive), sensitive: sensitive)
    }

    private mutating func text(
        _ name: String, _ date: Date?, _ form: DateForm, _ isSensitive: Bool
    ) -> String? {
        guard let date else { return nil }
        mark(name, isSensitive)
        let text = form.text(for: date)
        if text == nil { broken("date", form.expectation, "a date beyond the calendar") }
        return text
    }

    private mutating func texts(
        _ name: String, _ dates: [Date]?, _ form: DateForm, _ isSensitive: Bool
    ) -> [String]? {
        dates.map { dates in dates.compactMap { text(name, $0, form, isSensitive) } }
    }
}

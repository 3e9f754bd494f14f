import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves the spelling of values: `from`, `as` and the form of dates.
extension Resolver {
    /// Applies `from` and `as`.
    mutating func applySpelling(
        _ syntax: TypeSyntax, to value: inout Value, in context: TypeContext
    ) {
        let attributes = syntax.attributes
        // That of an object is in its model.
        if let spelling = attributes.spelling, syntax.fields == nil {
            apply(as: spelling, to: &value)
        }
        if let from = attributes.from { apply(from: from, to: &value) }
    }

    private mutating func apply(from: Located<AttributesSyntax.Source>, to value: inout Value) {
        let form: JSONForm =
            switch from.value {
            case .int: .int
            case .string: .string
            case .either: .either
            }
        switch (value.type, form) {
        case (.string, .int), (.string, .either): value.type = .string(from: form)
        case (.integer(let width, _), .string), (.integer(let width, _), .either):
            value.type = .integer(width, from: form)
        case (.double, .string), (.double, .either): value.type = .double(from: form)
        case (.decimal, .string), (.decimal, .either): value.type = .decimal(from: form)
        case (.bool(.trueFalse), .string): value.type = .bool(.text)
        case (.date(.unix), .string): value.type = .date(.unixText)
        case (.date(.unixMilliseconds), .string): value.type = .date(.unixMillisecondsText)
        // A text may be one of their values, too.
        case (.json, .string), (.union, .string): value.from = form
        case (.object, .string), (.list, .string), (.map, .string), (.object, .either),
            (.list, .either), (.map, .either), (.enumeration(_, true), .string),
            (.enumeration(_, true), .either):
            value.from = form
        default:
            bag.report(
                .attributeDoesNotApply,
                "`from: \(from.value.rawValue)` does not apply to this type",
                at: from.span,
                help:
                    "text can come `from: int`; a number, a `true`, a Unix time, and a list, a map or "
                    + "a model as JSON in a text `from: string`; text and numbers `from: either`")
        }
    }

    private mutating func apply(as spelling: Located<String>, to value: inout Value) {
        switch value.type {
        case .date:
            if let form = dateForm(named: spelling) { value.type = .date(form) }
        case .bool:
            if let form = boolForm(named: spelling) { value.type = .bool(form) }
        case .duration:
            if let unit = unit(named: spelling) { value.type = .duration(unit) }
        default:
            bag.report(
                .attributeDoesNotApply, "`as` does not apply to this type", at: spelling.span,
                help: value.type.helpForSpelling)
        }
    }

    private mutating func unit(named name: Located<String>) -> DurationUnit? {
        if let unit = DurationUnit(rawValue: name.value) { return unit }
        bag.report(
            .notAllowed, "`\(name.value.prefix(60))` is not a unit of durations", at: name.span,
            label: "expected `s` or `ms`",
            help: "another unit is a number: `{ type: double, doc: In hours. }`")
        return nil
    }

    private mutating func boolForm(named name: Located<String>) -> BoolForm? {
        switch AttributesSyntax.BoolWord(rawValue: name.value) {
        case .trueFalse: return .trueFalse
        case .oneZero: return .oneZero
        case .yesNo: return .yesNo
        case .presence: return .presence
        case nil:
            let words = AttributesSyntax.BoolWord.allCases.map(\.rawValue)
            bag.report(
                .notAllowed, "`\(name.value)` is not a form of a Boolean", at: name.span,
                label: "expected one of \(words.map { "`\($0)`" }.joined(separator: ", "))",
                help: didYouMean(name.value, among: words).map { "did you mean `\($0)`?" })
            return nil
        }
    }

    // MARK: Dates

    /// The date form of the settings; RFC 3339 by default.
    mutating func dateForm(_ cascade: SettingsCascade) -> DateForm {
        cascade.dates.flatMap { dateForm(named: Located($0.value, at: $0.span)) } ?? .dateTime
    }

    private mutating func dateForm(named name: Located<String>) -> DateForm? {
        switch AttributesSyntax.DateWord(rawValue: name.value) {
        case .unix: return .unix
        case .unixMilliseconds: return .unixMilliseconds
        case .dateTime: return .dateTime
        case .localDateTime: return .localDateTime
        case .date: return .date
        case nil: break
        }
        if Self.isDatePattern(name.value) { return .pattern(name.value) }
        bag.report(
            .unknownDateForm, "`\(name.value)` is not a form of dates", at: name.span,
            label: "expected `unix`, `unix-ms`, `date-time`, `local-date-time`, `date` or a "
                + "pattern",
            help: "a pattern is made of `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss`, `SSS`, `MMM`, `EEE`, "
                + "`Z`, `XXX`, "  // of UTS 35
                + "letters in quotes, and what is no letter: `yyyy-MM-dd HH:mm`")
        return nil
    }

    /// The fields of the runtime's date patterns; `MMM` and `EEE` are English.
    private static let dateFields: Set<String> = [
        "yyyy", "MM", "MMM", "dd", "EEE", "HH", "mm", "ss", "SSS", "Z", "XXX",  // UTS 35
    ]

    /// Whether a text is a date pattern: fields of fixed width, each at most once, including a
    /// year.
    private static func isDatePattern(_ text: String) -> Bool {
        var rest = text[...]
        var seen: Set<Substring> = []
        while let first = rest.first {
            if first == "'" {
                guard let end = rest.dropFirst().firstIndex(of: "'") else { return false }
                rest = rest[rest.index(after: end)...]
                continue
            }
            let run = rest.prefix { $0 == first }
            if first.isLetter {
                guard dateFields.contains(String(run)), seen.insert(run).inserted else {
                    return false
                }
            }
            rest = rest.dropFirst(run.count)
        }
        return seen.contains("yyyy")
    }
}

extension ValueType {
    fileprivate var helpForSpelling: String {
        if holdsSpelt { return "set it for the elements: `items: { as: … }`" }
        if case .object = self { return "set it where the model is declared" }
        return "`as` sets the form of a `Date`, a `Duration`, a `bool` or an object"
    }

    /// Whether it is a list of dates, durations or Booleans.
    fileprivate var holdsSpelt: Bool {
        guard case .list(let element) = self else { return false }
        return switch element.type {
        case .date, .duration, .bool: true
        default: false
        }
    }
}

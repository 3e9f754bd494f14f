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
            if case .bytes = value.type, [.body, .reply].contains(context.place),
                !context.isElement
            {
                bag.report(
                    .attributeDoesNotApply, "bytes as a whole body or reply are not text",
                    at: spelling.span, help: "remove it: they are sent and received as they are")
            }
        }
        if let from = attributes.from { apply(from: from, to: &value) }
    }

    private mutating func apply(from: Located<JSONForm>, to value: inout Value) {
        let form = from.value
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
                "`from: \(form.rawValue)` does not apply to this type",
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
            let help = "another unit is a number: `{ type: double, doc: In hours. }`"
            let unit: DurationUnit? = word(spelling, "durations", help: help)
            if let unit { value.type = .duration(unit) }
        case .bytes:
            if let form: BytesForm = word(spelling, "bytes") { value.type = .bytes(form) }
        default:
            bag.report(
                .attributeDoesNotApply, "`as` does not apply to this type", at: spelling.span,
                help: value.type.helpForSpelling)
        }
    }

    /// A form from a list of words; nil if it is none of them, which is reported.
    private mutating func word<Form: RawRepresentable & CaseIterable>(
        _ name: Located<String>, _ type: String, help: String? = nil
    ) -> Form? where Form.RawValue == String {
        if let form = Form(rawValue: name.value) { return form }
        let words = Form.allCases.map(\.rawValue)
        bag.report(
            .notAllowed, "`\(name.value.prefix(60))` is not a form of \(type)", at: name.span,
            label: "expected one of \(words.map { "`\($0)`" }.joined(separator: ", "))",
            help: didYouMean(name.value, among: words) ?? help)
        return nil
    }

    private mutating func boolForm(named name: Located<String>) -> BoolForm? {
        if let form = BoolForm(word: name.value) { return form }
        let pair = BoolForm.parts(of: name.value)
        let isPair = pair.count == 2 && pair.joined(separator: "/") == name.value
        if isPair, pair.allSatisfy(Self.isWord), pair[0] != pair[1] {
            guard Self.falseWords.contains(pair[0].lowercased()) else { return .words(name.value) }
            bag.report(
                .notAllowed, "the first word means true", at: name.span,
                help: "did you mean `\(pair[1])/\(pair[0])`?")
            return nil
        }
        let words = BoolForm.words.map(\.key)
        bag.report(
            .notAllowed, "`\(name.value)` is not a form of a Boolean", at: name.span,
            label: "expected one of \(words.map { "`\($0)`" }.joined(separator: ", ")), or a "
                + "pair such as `yes/no`",
            help: didYouMean(name.value, among: words + ["yes/no"]))
        return nil
    }

    /// Words for false, which are no words for true.
    private static let falseWords: Set = ["no", "n", "off", "false", "f"]

    /// Whether a text is a letter, and further letters, digits, `-` and `_`.
    private static func isWord(_ text: String) -> Bool {
        text.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
    }

    // MARK: Dates

    /// The date form of the settings; RFC 3339 by default.
    mutating func dateForm(_ cascade: SettingsCascade) -> DateForm {
        cascade.dates.flatMap { dateForm(named: Located($0.value, at: $0.span)) } ?? .dateTime
    }

    private mutating func dateForm(named name: Located<String>) -> DateForm? {
        if let form = DateForm(word: name.value) { return form }
        if let word = DateForm.localDateTime().word, name.value.hasPrefix("\(word) ") {
            return localDateTime(name, offset: name.value.dropFirst(word.count + 1))
        }
        if Self.isDatePattern(name.value) { return .pattern(name.value) }
        bag.report(
            .unknownDateForm, "`\(name.value)` is not a form of dates", at: name.span,
            label: "expected `unix`, `unix-ms`, `date-time`, `local-date-time`, `date` or a "
                + "pattern",
            help: Self.isDatePattern(Self.usual(name.value))
                ? "did you mean `\(Self.usual(name.value))`?"
                : "a pattern is made of `yyyy`, `MM`, `M`, `dd`, `d`, `HH`, `mm`, `ss`, `SSS`, `MMM`, "
                    + "`EEE`, `Z`, `XXX`, "  // `XXX` is the field of a time zone (UTS 35)
                    + "letters in quotes, and what is no letter: `yyyy-MM-dd HH:mm`")
        return nil
    }

    /// `local-date-time +03:00`
    private mutating func localDateTime(_ name: Located<String>, offset: Substring) -> DateForm? {
        if let seconds = DateSyntaxCheck.offset(offset) { return .localDateTime(offset: seconds) }
        bag.report(
            .unknownDateForm, "`\(name.value.prefix(60))` does not name an offset", at: name.span,
            label: "expected an offset such as `+03:00`",
            help:
                "write `local-date-time +03:00`; a zone whose offset changes in summer has no form")
        return nil
    }

    /// A pattern in the letters of other libraries, as `DD.MM.YYYY`, in those of Telex.
    private static func usual(_ pattern: String) -> String {
        String(pattern.map { "DY".contains($0) ? Character($0.lowercased()) : $0 })
    }

    /// The fields of the runtime's date patterns; `MMM` and `EEE` are English.
    private static let dateFields: Set<String> = [
        "yyyy", "M", "MM", "MMM", "d", "dd", "EEE", "HH", "mm", "ss", "SSS", "Z",
        "XXX",  // the field of a time zone (UTS 35)
    ]

    /// Whether a text is a date pattern: fields, each at most once, including a year. Only `d` and
    /// `M` have no fixed width, so no digits may follow them.
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
                let next = rest.dropFirst(run.count)
                let isOpen = run.count == 1 && run != "Z"
                let isFollowed = next.first?.isLetter == true && !next.hasPrefix("MMM")
                guard dateFields.contains(String(run)), !(isOpen && isFollowed),
                    seen.insert(run).inserted
                else { return false }
            }
            rest = rest.dropFirst(run.count)
        }
        let isOnce = !seen.isSuperset(of: ["d", "dd"]) && !seen.isSuperset(of: ["M", "MM"])
        return isOnce && seen.contains("yyyy")
    }
}

extension ValueType {
    fileprivate var helpForSpelling: String {
        if holdsSpelt { return "set it for the elements: `items: { as: … }`" }
        if case .object = self { return "set it where the model is declared" }
        return "`as` sets the form of a `Date`, a `Duration`, a `bool`, of `bytes` or an object"
    }

    /// Whether it is a list of dates, durations or Booleans.
    fileprivate var holdsSpelt: Bool {
        guard case .list(let element) = self else { return false }
        return switch element.type {
        case .date, .duration, .bool, .bytes: true
        default: false
        }
    }
}

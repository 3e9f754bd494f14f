import SpecIR

/// Documents the constraints of a value.
extension Value {
    var constraintText: [String] {
        var sentences = rules.compactMap(\.constraintText)
        if let range = rangeText {
            sentences =
                sentences.filter { !$0.hasPrefix("At ") || !range.covers($0) } + [range.text]
        }
        if case .date(let form) = type { sentences.append(form.constraintText) }
        if case .duration = type { sentences.append("In seconds.") }
        return sentences
    }

    /// Minimum and maximum in one sentence.
    private var rangeText: (text: String, covers: (String) -> Bool)? {
        var low: String?
        var high: String?
        for rule in rules {
            if case .min(let bound) = rule.kind { low = bound }
            if case .max(let bound) = rule.kind { high = bound }
        }
        guard let low, let high else { return nil }
        return (
            "Between \(low) and \(high).", { $0 == "At least \(low)." || $0 == "At most \(high)." }
        )
    }
}

extension Field {
    var constraintText: [String] {
        var sentences = value.constraintText
        if let defaultValue { sentences.append(defaultText(defaultValue.swift(value.type))) }
        if isSensitive { sentences.append("Sensitive: never shown in descriptions and logs.") }
        return sentences
    }
}

extension Parameter {
    var constraintText: [String] {
        var sentences = value.constraintText
        switch presence {
        case .defaulted(let literal): sentences.append(defaultText(literal.swift(value.type)))
        case .credential(let key):
            sentences.append("Default: \(Markup.code(key)) of the credential.")
        case .optional: sentences.append("Not sent when `nil`.")
        case .required, .constant: break
        }
        return sentences
    }
}

private func defaultText(_ swift: String) -> String { "Default: \(Markup.code(swift))." }

extension DateForm {
    fileprivate var constraintText: String {
        switch self {
        case .unix, .unixText: "Encoded as seconds since 1970."
        case .unixMilliseconds, .unixMillisecondsText: "Encoded as milliseconds since 1970."
        case .dateTime: "Encoded as RFC 3339 date and time."
        case .date: "Encoded as RFC 3339 date."
        case .pattern(let text): "Encoded as \(Markup.code(text)), UTC."
        }
    }
}

extension Rule {
    fileprivate var constraintText: String? {
        switch kind {
        case .min(let bound): "At least \(bound)."
        case .max(let bound): "At most \(bound)."
        case .above(let bound): "Greater than \(bound)."
        case .below(let bound): "Less than \(bound)."
        case .multiple(let divisor): "A multiple of \(divisor)."
        case .digits(let count): "At most \(count) digits after the decimal point."
        case .minLength(let count): "At least \(count) characters."
        case .maxLength(let count): "At most \(count) characters."
        case .length(let count): "Exactly \(count) characters."
        case .minBytes(let count): "At least \(count) bytes."
        case .maxBytes(let count): "At most \(count) bytes."
        case .pattern(let source, _): "Matches \(Markup.code(source))."
        case .prefix(let text): "Begins with \(Markup.code(text))."
        case .suffix(let text): "Ends with \(Markup.code(text))."
        case .contains(let text): "Contains \(Markup.code(text))."
        case .excludes(let text): "Does not contain \(Markup.code(text))."
        case .format(let name): "Format: \(name)."
        case .notBlank: "Not blank."
        case .minItems(let count): "At least \(count) items."
        case .maxItems(let count): "At most \(count) items."
        case .unique: "No two items are equal."
        case .uniqueBy(let field): "No two items have the same \(Markup.code(field))."
        case .minKeys(let count): "At least \(count) entries."
        case .maxKeys(let count): "At most \(count) entries."
        case .past: "In the past."
        case .future: "In the future."
        case .after(let date): "After \(date)."
        case .before(let date): "Before \(date)."
        case .within(let seconds): "Within \(seconds) s of now."
        case .maxSize(let bytes): "At most \(bytes) bytes."
        case .mime(let types): "Of type \(types.joined(separator: ", "))."
        case .oneOf, .noneOf, .constant: nil
        }
    }
}

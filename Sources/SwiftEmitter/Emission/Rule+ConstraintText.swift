import SpecIR

/// Documents the constraints of a value.
extension Value {
    var constraintText: [String] {
        var sentences = rulesBesidesRange.compactMap(\.constraintText)
        if let range { sentences.append("Between \(range.low) and \(range.high).") }
        if !keyRules.isEmpty, case .map(let key, _) = type {
            let keys = Value(key.type, rules: keyRules).constraintText.joined(separator: " ")
            if !keys.isEmpty { sentences.append("Keys: \(keys)") }
        }
        if case .date(let form) = type { sentences.append(form.constraintText) }
        if case .duration(let unit) = type {
            sentences.append(unit.constraintText)
        }
        return sentences
    }

    /// Minimum and maximum, which are documented in one sentence.
    private var range: (low: String, high: String)? {
        var bounds: [RuleName: String] = [:]
        for rule in rules {
            if case .number(let bound) = rule.argument { bounds[rule.name] = bound }
        }
        guard let low = bounds[.min], let high = bounds[.max] else { return nil }
        return (low, high)
    }

    private var rulesBesidesRange: [Rule] {
        guard let range else { return rules }
        return rules.filter {
            switch $0.name {
            case .min: $0.argument != .number(range.low)
            case .max: $0.argument != .number(range.high)
            default: true
            }
        }
    }
}

extension Field {
    var constraintText: [String] {
        var sentences = value.constraintText
        for tolerance in value.tolerances {
            sentences.append(
                tolerance == .skip
                    ? "Invalid elements are left out." : "A value of another kind is read as empty."
            )
        }
        if keepsNull { sentences.append("`.null` is null, `nil` is a missing key.") }
        if let defaultValue, !isAdditional {
            sentences.append(defaultText(defaultValue.swift(value.type)))
        }
        sentences += documentation.exampleText
        if isSensitive { sentences.append("Sensitive: never shown in descriptions and logs.") }
        return sentences
    }
}

extension Parameter {
    var constraintText: [String] {
        var sentences = value.constraintText
        switch presence {
        case .defaulted(let literal): sentences.append(defaultText(literal.swift(value.type)))
        case .credential(let key) where key.hasPrefix("$secret."):
            let name = Markup.code(String(key.dropFirst("$secret.".count)))
            sentences.append("Default: the app's secret \(name)\(exception).")
        case .credential(let key):
            sentences.append("Default: \(Markup.code(key)) of the credential\(exception).")
        case .optional:
            sentences.append(
                fallback?.value.map { defaultText($0.swift(value.type), exception) }
                    ?? "Not sent when `nil`\(omitsEmpty ? " or empty" : "").")
        case .required, .constant, .callID: break
        }
        if isWrapped { sentences.append("`.null` sends null.") }
        if defaultsEmpty { sentences.append("An empty value is sent as the default.") }
        if clamp != nil { sentences.append("A number outside the bounds is sent as the bound.") }
        if let serverDefault {
            let text = serverDefault.swift(value.type)
            sentences.append("The server's default is \(Markup.code(text)).")
        }
        return sentences + documentation.exampleText
    }

    /// The parameters without which the default holds, in a sentence.
    private var exception: String {
        guard let fallback else { return "" }
        return ", unless \(fallback.unless.map(Markup.code).joined(separator: " or ")) is given"
    }
}

private func defaultText(_ swift: String, _ exception: String = "") -> String {
    "Default: \(Markup.code(swift))\(exception)."
}

extension Documentation {
    /// The examples of a field or a parameter, in a sentence.
    fileprivate var exampleText: [String] {
        if examples.isEmpty { return [] }
        let values = examples.map { Markup.code($0.value.json) }.joined(separator: ", ")
        return ["Example\(examples.count == 1 ? "" : "s"): \(values)."]
    }
}

extension DocComment {
    /// Adds the examples of a model, or of the reply of a method.
    mutating func examples(_ examples: [Example]) {
        for example in examples {
            let name = example.name.map { " of a reply, \(Markup.code($0))" } ?? ""
            let lines = example.value.lines(width: 80)
            paragraph((["Example\(name):", "```json"] + lines + ["```"]).joined(separator: "\n"))
        }
    }

    /// Adds the rules between fields or parameters.
    mutating func rules(_ rules: [CrossRule]) {
        if rules.isEmpty { return }
        paragraph("Rules: " + rules.map(\.text).joined(separator: "; ") + ".")
    }
}

extension DurationUnit {
    fileprivate var constraintText: String {
        switch self {
        case .seconds: "Encoded as seconds."
        case .milliseconds: "Encoded as milliseconds."
        case .clock: "Encoded as `hh:mm:ss`, with days before a dot."
        case .iso8601: "Encoded as an ISO 8601 duration."
        }
    }
}

extension DateForm {
    fileprivate var constraintText: String {
        switch self {
        case .unix, .unixText: "Encoded as seconds since 1970."
        case .unixMilliseconds, .unixMillisecondsText: "Encoded as milliseconds since 1970."
        case .dateTime: "Encoded as RFC 3339 date and time."
        case .localDateTime(0): "Encoded as date and time without an offset, UTC."
        case .localDateTime(let offset):
            "Encoded as date and time without an offset, UTC\(offset < 0 ? "" : "+")\(offset / 60) min."
        case .date: "Encoded as RFC 3339 date."
        case .pattern(let text): "Encoded as \(Markup.code(text)), UTC."
        }
    }
}

extension Rule {
    fileprivate var constraintText: String? {
        name.row.sentence.map { sentence in
            [sentence.words, argument.text(in: sentence.unit)].compactMap(\.self)
                .joined(separator: " ") + "."
        }
    }
}

extension RuleArgument {
    /// The argument in a sentence, with its unit; nil if there is none to show.
    fileprivate func text(in unit: (one: String, many: String)?) -> String? {
        switch self {
        case .flag, .choices, .literal: nil
        case .number(let text), .divisor(let text), .format(let text), .date(let text): text
        case .text(let text), .pattern(let text, _), .field(let text), .check(let text, _):
            Markup.code(text)
        case .count(let count), .seconds(let count), .size(let count):
            unit.map { "\(count) \(count == 1 ? $0.one : $0.many)" } ?? "\(count)"
        case .mimeTypes(let types): types.joined(separator: ", ")
        }
    }
}

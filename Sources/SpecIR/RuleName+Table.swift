/// The table of rules. A rule is one row here, and one method of `RuleChecker` at run time.
extension RuleName {
    private static let numbers: Set<RuleFamily> = [.integer, .fraction]
    private static let choices: Set<RuleFamily> = [.integer, .fraction, .text, .enumeration]

    /// The properties of the rule.
    public var row: RuleRow {
        switch self {
        case .min:
            RuleRow(
                .number, for: Self.numbers, bound: .low(.value), jsonSchema: ["minimum"],
                call: "minimum", .words("At least"))
        case .max:
            RuleRow(
                .number, for: Self.numbers, bound: .high(.value), jsonSchema: ["maximum"],
                call: "maximum", .words("At most"))
        case .above:
            RuleRow(
                .number, for: Self.numbers, bound: .low(.value, isStrict: true),
                jsonSchema: ["exclusiveMinimum"], call: "above", .words("Greater than"))
        case .below:
            RuleRow(
                .number, for: Self.numbers, bound: .high(.value, isStrict: true),
                jsonSchema: ["exclusiveMaximum"], call: "below", .words("Less than"))
        case .multipleOf:
            RuleRow(
                .divisor, for: Self.numbers, jsonSchema: ["multipleOf"],
                call: "multiple", .words("A multiple of"))
        case .digits:
            RuleRow(
                .count, for: [.fraction], call: "digits",
                .words(
                    "At most", one: "digit after the decimal point",
                    many: "digits after the decimal point"))
        case .minLength:
            RuleRow(
                .count, for: [.text], bound: .low(.scalars), jsonSchema: ["minLength"],
                call: "minLength", .words("At least", one: "character", many: "characters"))
        case .maxLength:
            RuleRow(
                .count, for: [.text], bound: .high(.scalars), jsonSchema: ["maxLength"],
                call: "maxLength", .words("At most", one: "character", many: "characters"))
        case .length:
            RuleRow(
                .count, for: [.text], bound: .exact(.scalars),
                call: "length", .words("Exactly", one: "character", many: "characters"))
        case .minBytes:
            RuleRow(
                .count, for: [.text], bound: .low(.bytes),
                call: "minBytes", .words("At least", one: "byte", many: "bytes"))
        case .maxBytes:
            RuleRow(
                .count, for: [.text], bound: .high(.bytes),
                call: "maxBytes", .words("At most", one: "byte", many: "bytes"))
        case .pattern: RuleRow(.pattern, for: [.text], call: "pattern", .words("Matches"))
        case .prefix: RuleRow(.text, for: [.text], call: "prefix", .words("Begins with"))
        case .suffix: RuleRow(.text, for: [.text], call: "suffix", .words("Ends with"))
        case .contains: RuleRow(.text, for: [.text], call: "contains", .words("Contains"))
        case .excludes: RuleRow(.text, for: [.text], call: "excludes", .words("Does not contain"))
        case .oneOf: RuleRow(.choices, for: Self.choices, call: "oneOf", nil)
        case .noneOf: RuleRow(.choices, for: Self.choices, call: "noneOf", nil)
        case .format: RuleRow(.format, for: [.text], call: "format", .words("Format:"))
        case .notBlank: RuleRow(.flag, for: [.text], call: "notBlank", .words("Not blank"))
        case .minItems:
            RuleRow(
                .count, for: [.list], bound: .low(.elements), jsonSchema: ["minItems"],
                call: "minItems", .words("At least", one: "item", many: "items"))
        case .maxItems:
            RuleRow(
                .count, for: [.list], bound: .high(.elements), jsonSchema: ["maxItems"],
                call: "maxItems", .words("At most", one: "item", many: "items"))
        case .unique:
            RuleRow(
                .flag, for: [.list], jsonSchema: ["uniqueItems"],
                call: "unique", .words("No two items are equal"))
        case .uniqueBy:
            RuleRow(
                .field, for: [.list], call: "uniqueBy", .words("No two items have the same"))
        case .minKeys:
            RuleRow(
                .count, for: [.map], bound: .low(.elements), jsonSchema: ["minProperties"],
                call: "minKeys", .words("At least", one: "entry", many: "entries"))
        case .maxKeys:
            RuleRow(
                .count, for: [.map], bound: .high(.elements), jsonSchema: ["maxProperties"],
                call: "maxKeys", .words("At most", one: "entry", many: "entries"))
        case .past: RuleRow(.flag, for: [.date], call: "past", .words("In the past"))
        case .future: RuleRow(.flag, for: [.date], call: "future", .words("In the future"))
        case .after: RuleRow(.date, for: [.date], call: "after", .words("After"))
        case .before: RuleRow(.date, for: [.date], call: "before", .words("Before"))
        case .within:
            RuleRow(
                .seconds, for: [.date], call: "within",
                .words("Within", one: "s of now", many: "s of now"))
        case .maxSize:
            RuleRow(
                .size, for: [.file], call: "maxSize", .words("At most", one: "byte", many: "bytes"))
        case .mime: RuleRow(.mimeTypes, for: [.file], call: "mime", .words("Of type"))
        case .constant: RuleRow(.literal, for: [], call: "constant", nil)
        case .own:
            RuleRow(
                .check, for: Set(RuleFamily.allCases), call: "own", .words("The app checks"))
        }
    }
}

import SpecTemplateRules

/// One row of the table of rules: the properties of a rule that do not depend on its argument.
public struct RuleRow: Sendable {
    /// The spellings of JSON Schema (draft 2020-12, Validation §6).
    public let synonyms: [String]
    /// What the rule takes.
    public let argument: RuleArgument.Kind
    /// The types it applies to.
    public let families: Set<RuleFamily>
    /// The bound that it sets.
    public let bound: RuleBound?
    /// The method of `RuleChecker` that checks it.
    public let call: String
    /// The sentence that documents it; nil for choices, which would make it too long.
    public let sentence: RuleSentence?

    init(
        _ argument: RuleArgument.Kind, for families: Set<RuleFamily>, bound: RuleBound? = nil,
        jsonSchema synonyms: [String] = [], call: String, _ sentence: RuleSentence?
    ) {
        self.synonyms = synonyms
        self.argument = argument
        self.families = families
        self.bound = bound
        self.call = call
        self.sentence = sentence
    }
}

/// Types that have the same rules.
public enum RuleFamily: Sendable, CaseIterable {
    /// Integers of every width.
    case integer
    /// `double` and `decimal`.
    case fraction
    /// `string`
    case text
    /// Enumerations.
    case enumeration
    /// Lists.
    case list
    /// Maps.
    case map
    /// `Date`
    case date
    /// `file`
    case file
    /// The types that only the app's own rules apply to.
    case other
}

extension RuleFamily {
    /// The family of a type that the language names.
    package init(ofScalar name: String) {
        switch name {
        case "int", "int32", "uint": self = .integer
        case "double", "decimal": self = .fraction
        case "string": self = .text
        case "Date": self = .date
        case "file": self = .file
        default: self = .other
        }
    }
}

extension ValueType {
    /// The family that decides which rules apply.
    public var ruleFamily: RuleFamily {
        switch self {
        case .integer: .integer
        case .double, .decimal: .fraction
        case .string: .text
        case .enumeration: .enumeration
        case .list: .list
        case .map: .map
        case .date: .date
        case .file: .file
        case .bool, .duration, .url, .uuid, .bytes, .json, .object, .union: .other
        }
    }
}

/// A sentence that documents a rule: words, the argument, and its unit.
public struct RuleSentence: Sendable {
    /// The words before the argument.
    public let words: String
    /// What the argument counts: after 1, and after other numbers.
    public let unit: (one: String, many: String)?

    static func words(_ words: String) -> Self { Self(words: words, unit: nil) }

    static func words(_ words: String, one: String, many: String) -> Self {
        Self(words: words, unit: (one, many))
    }
}

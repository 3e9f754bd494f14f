import SpecSyntax
import SpecTemplateRules

/// The rules of a template's value as rules of a type. A constant is none: it is a type of its own.
struct TypeRules {
    /// The rules, each as an entry of YAML.
    private(set) var texts: [String] = []

    init(_ rules: [TemplateRule], of kinds: TemplateKinds) {
        for rule in rules { add(rule, kinds) }
        if kinds == .integer { addIntegerBounds(rules) }
    }

    private mutating func add(_ rule: TemplateRule, _ kinds: TemplateKinds) {
        switch (rule, kinds) {
        case (.length(let count), .string): texts.append("length: \(count)")
        case (.minLength(let count), .string): texts.append("min-length: \(count)")
        case (.maxLength(let count), .string): texts.append("max-length: \(count)")
        case (.prefix(let text), .string): texts.append("prefix: \(YAMLText.quoted(text))")
        case (.suffix(let text), .string): texts.append("suffix: \(YAMLText.quoted(text))")
        case (.oneOf(let choices, let ignoringCase), .string):
            texts.append(Self.choice(choices, ignoringCase))
        case (.minItems(let count), .array): texts.append("min-items: \(count)")
        case (.maxItems(let count), .array): texts.append("max-items: \(count)")
        case (.minimum(let bound), .number): texts.append("min: \(Self.double(bound))")
        case (.maximum(let bound), .number): texts.append("max: \(Self.double(bound))")
        default: break
        }
    }

    private static func choice(_ choices: [String], _ ignoringCase: Bool) -> String {
        var seen: Set<[UInt8]> = []
        let own = choices.filter { text in
            seen.insert(Array((ignoringCase ? text.lowercased() : text).utf8)).inserted
        }
        let list = "[\(own.map(YAMLText.quoted).joined(separator: ", "))]"
        return ignoringCase ? "in: { value: \(list), case-insensitive: true }" : "in: \(list)"
    }

    /// A bound as a literal that Swift has, too: neither too large nor too close to 0.
    private static func double(_ text: String) -> String {
        let bound = Double(text) ?? 0
        if bound != 0, !bound.isNormal, bound.isFinite {
            return bound < 0 ? "-\(Double.leastNormalMagnitude)" : "\(Double.leastNormalMagnitude)"
        }
        let most = Double.greatestFiniteMagnitude
        return "\(min(max(bound, -most), most))"
    }

    /// Bounds of integers are integers: a fraction is rounded to the next one that it allows.
    private mutating func addIntegerBounds(_ rules: [TemplateRule]) {
        var least: Int?
        var most: Int?
        for rule in rules {
            switch rule {
            case .minimum(let text): least = Self.integer(text, .up)
            case .maximum(let text): most = Self.integer(text, .down)
            default: break
            }
        }
        if let least { texts.append("min: \(least)") }
        if let most, most >= least ?? .min { texts.append("max: \(most)") }
    }

    private static func integer(_ text: String, _ rule: FloatingPointRoundingRule) -> Int {
        if let exact = Int(text) { return exact }
        let rounded = (Double(text) ?? 0).rounded(rule)
        return Int(exactly: rounded) ?? (rounded < 0 ? .min : .max)
    }
}

import SpecIR
import SpecSyntax
import SpecTemplateRules

/// The rules of a template's value as rules of a type. A constant is none: it is a type of its own.
struct TypeRules {
    /// The rules, each as an entry of YAML.
    private(set) var texts: [String] = []

    init(_ rules: [TemplateRule], of kinds: TemplateKinds) {
        if kinds.isEmpty { return }
        for rule in rules { add(rule, kinds) }
        if kinds == .integer { addIntegerBounds(rules) }
    }

    private mutating func add(_ rule: TemplateRule, _ kinds: TemplateKinds) {
        guard let name = Rule(rule)?.name.rawValue else { return }
        switch rule {
        case .bound(let bound, let limit) where bound.measure.kinds.contains(kinds):
            let isNumber = bound.measure == .value
            // Those of integers are joined.
            if isNumber, kinds == .integer { return }
            texts.append("\(name): \(isNumber ? Self.double(limit) : limit)")
        case .prefix(let text) where kinds == .string, .suffix(let text) where kinds == .string:
            texts.append("\(name): \(YAMLText.quoted(text))")
        case .oneOf(let choices, let ignoringCase) where kinds == .string:
            texts.append(Self.choice(choices, ignoringCase))
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
        for case .bound(let bound, let limit) in rules where bound.measure == .value {
            if bound.side == .low {
                least = Self.integer(limit, .up)
            } else {
                most = Self.integer(limit, .down)
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

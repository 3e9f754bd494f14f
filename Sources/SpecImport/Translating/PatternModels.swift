import SpecSemantics

/// Gives a name to texts with the same pattern and rules, such as identifiers and slugs.
struct PatternModels {
    /// The fewest places for which a name is worth its declaration.
    private static let fewest = 3
    private static let rules: Set<String> = [
        "pattern", "min-length", "max-length", "length", "format", "not-blank",
    ]

    /// How often the fields with some rules have each name.
    private var keys: [[DraftEntry]: [String: Int]] = [:]
    private var names: [[DraftEntry]: String] = [:]

    static func declare(in draft: inout SpecDraft, _ types: TypeTranslator) {
        var patterns = PatternModels()
        patterns.visit(&draft) { patterns, type, key in
            if let rules = rules(of: type) {
                patterns.keys[rules, default: [:]][key, default: 0] += 1
            }
        }
        let frequent = patterns.keys.filter { $0.value.values.reduce(0, +) >= fewest }
        let named = frequent.map { rules, keys in (key: name(keys), rules: rules) }
        for (key, rules) in named.sorted(by: { ($0.key, text($0.rules)) < ($1.key, text($1.rules)) }
        ) {
            let name = types.invent(key)
            patterns.names[rules] = name
            draft.unplaced.append(DraftModel(name, .named("string", rules)))
        }
        patterns.visit(&draft) { patterns, type, _ in
            guard let rules = rules(of: type), let name = patterns.names[rules] else { return }
            type.form = .named(name)
            type.attributes.removeAll { Self.rules.contains($0.key) }
        }
    }

    private static func text(_ rules: [DraftEntry]) -> String { SpecDraftWriter.text(rules) }

    /// The most frequent name of fields. `id` alone would say too little.
    private static func name(_ keys: [String: Int]) -> String {
        let most = keys.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
        let name = SwiftNamer().upperCamel(most) ?? "Text"
        return ["ID", "Name", "Value", "Key"].contains(name) ? name + "Text" : name
    }

    /// The rules of a text with a pattern.
    private static func rules(of type: DraftType) -> [DraftEntry]? {
        guard type.form == .named("string"), type.attributes["pattern"] != nil else { return nil }
        return type.attributes.filter { rules.contains($0.key) }
    }

    private typealias Visit = (inout PatternModels, inout DraftType, _ key: String) -> Void

    /// Visits fields and parameters, and their elements.
    private mutating func visit(_ draft: inout SpecDraft, _ body: Visit) {
        var patterns = self
        for index in draft.unplaced.indices {
            draft.unplaced[index].type.update(key: "") { type, key in
                if !key.isEmpty { body(&patterns, &type, key) }
            }
        }
        draft.updateMethods { method in
            method.updateTypes { type, key in
                type.update(key: key) { type, key in
                    if !key.isEmpty { body(&patterns, &type, key) }
                }
            }
        }
        self = patterns
    }
}

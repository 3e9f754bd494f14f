import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Compares two versions of a declaration by the grammar.
struct DeclarationChange {
    private let old: Side, new: Side

    /// The mappings of the grammar in one version.
    private struct Side {
        let root: YAMLNode
        let mappings: [Span: [GrammarTrace.Mapping]]
    }

    /// Reads two group files of one declaration each; nil if one has broken YAML.
    init?(from old: [UInt8], to new: [UInt8]) {
        guard let old = Self.side(old), let new = Self.side(new) else { return nil }
        (self.old, self.new) = (old, new)
    }

    /// Whether nothing differs but texts of documentation, and rules where they may.
    func isSmall(rules: Bool) -> Bool { isSame(old.root, new.root, rules: rules) }

    /// Whether something in a group file takes the fields of a model, also in the short form of an
    /// object; or has a field called `with` of its type.
    static func mixesIn(_ model: String, _ text: [UInt8]) -> Bool {
        side(text).map { mixesIn(model, $0.root) } ?? true
    }

    private static func mixesIn(_ model: String, _ node: YAMLNode) -> Bool {
        node.items.contains { mixesIn(model, $0) }
            || node.entries.contains { entry in
                let texts = [entry.value.text] + entry.value.items.map(\.text)
                let isMixin = entry.key.text == "with" && texts.contains { $0.contains(model) }
                return isMixin || mixesIn(model, entry.value)
            }
    }

    private static func side(_ bytes: [UInt8]) -> Side? {
        var sources = SourceMap()
        let source = sources.add(path: "group.yaml", bytes: bytes)
        guard let trace = SpecParser.trace(SpecFile(path: source.path, source: source)),
            let root = trace.mappings.first?.node
        else { return nil }
        return Side(root: root, mappings: Dictionary(grouping: trace.mappings, by: \.node.span))
    }

    private func isSame(_ one: YAMLNode, _ other: YAMLNode, rules: Bool) -> Bool {
        guard one.kind == other.kind, !one.isAlias, !other.isAlias else { return false }
        switch one.kind {
        case .scalar: return one.text == other.text && one.isPlain == other.isPlain
        case .sequence:
            return one.items.count == other.items.count
                && zip(one.items, other.items).allSatisfy { isSame($0, $1, rules: rules) }
        case .mapping:
            let one = Self.fixed(one, in: old, rules: rules)
            let other = Self.fixed(other, in: new, rules: rules)
            return one.count == other.count
                && zip(one, other).allSatisfy {
                    $0.key.text == $1.key.text && isSame($0.value, $1.value, rules: rules)
                }
        }
    }

    /// The entries of a mapping besides its documentation, and its rules where they may differ.
    private static func fixed(_ node: YAMLNode, in side: Side, rules: Bool) -> [YAMLEntry] {
        guard let known = side.mappings[node.span] else { return node.entries }
        return node.entries.filter { entry in
            let key = entry.key.text
            return !known.allSatisfy { mapping in
                mapping.keys.contains(key)
                    ? key == "doc" : rules && mapping.takesRules && RuleName(key: key) != nil
            }
        }
    }
}

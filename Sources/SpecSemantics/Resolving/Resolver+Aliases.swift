import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves aliases: models that are another name for a type.
extension Resolver {
    /// The deepest nesting of lists and maps after aliases are expanded.
    private static let maximumDepth = 100

    /// The highest number of rules of an alias, including those of the aliases that it refers to.
    private static let maximumRules = 100

    /// Resolves every alias in the order of dependencies, also unused ones, to report their errors.
    mutating func resolveAliases() {
        let names = spec.groups.flatMap { $0.models.map(\.name.value) }.filter {
            symbols.models[$0]?.kind == .alias
        }
        let order = DependencyOrder(names) { targets(of: $0) }
        for cycle in order.cycles { reportCycle(cycle) }
        for name in order.sorted { resolveAlias(name) }
    }

    /// The aliases that an alias refers to, in order.
    private func targets(of name: String) -> [String] {
        guard let type = symbols.models[name]?.syntax.type else { return [] }
        return type.names.filter { symbols.models[$0]?.kind == .alias }
    }

    private mutating func resolveAlias(_ name: String) {
        guard let entry = symbols.models[name], !recursiveAliases.contains(name) else { return }
        let span = entry.syntax.name.span
        let context = TypeContext(
            place: .alias, key: name, span: span, parent: "",
            dates: dateForm(SettingsCascade(api, group: spec.groups[entry.group])))
        var none: [Model] = []
        currentModel = name
        defer { currentModel = nil }
        sensitivity.add(alias: name, entry.syntax.type)
        guard var value = value(entry.syntax.type, in: context, nested: &none) else { return }
        guard value.type.depth <= Self.maximumDepth else {
            bag.report(
                .nestingTooDeep,
                "alias `\(name)` nests deeper than \(Self.maximumDepth) levels", at: span)
            return
        }
        guard value.rules.count <= Self.maximumRules else {
            bag.report(
                .nestingTooDeep,
                "alias `\(name)` has more than \(Self.maximumRules) rules", at: span,
                help:
                    "it includes the rules of all aliases that it refers to: refer to a type further down"
            )
            return
        }
        value.alias = name
        aliases[name] = value
    }

    private mutating func reportCycle(_ cycle: [String]) {
        recursiveAliases.formUnion(cycle)
        guard let first = cycle.first, let entry = symbols.models[first] else { return }
        bag.report(
            .endlessAlias, "alias `\(first)` refers to itself", at: entry.syntax.name.span,
            label: DependencyOrder.shown(cycle: cycle),
            help: "end the chain at a type of the language or at a model with fields")
    }
}

extension TypeSyntax {
    /// The type names outside of inline objects, in order.
    fileprivate var names: [String] {
        switch form {
        case .named(let name): [name]
        case .list(let element): element.names
        case .map(let key, let value): key.names + value.names
        case .object, .enumeration, .union, .invalid: []
        }
    }
}

extension ValueType {
    /// The nesting depth of lists and maps.
    fileprivate var depth: Int {
        var depth = 0
        var type = self
        while true {
            switch type {
            case .list(let element), .map(_, let element):
                depth += 1
                type = element.type
            default: return depth
            }
        }
    }
}

import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves aliases: models that are another name for a type.
extension Resolver {
    /// The deepest nesting of lists and maps after aliases are expanded.
    private static let maximumDepth = 100

    /// The highest number of rules of an alias, including those of the aliases that it refers to.
    private static let maximumRules = 100

    /// Resolves every alias in the order of dependencies. A long chain therefore needs no deep
    /// recursion, and errors of unused aliases are reported.
    mutating func resolveAliases() {
        var seen: Set<String> = []
        for group in spec.groups {
            for model in group.models where symbols.models[model.name.value]?.kind == .alias {
                resolve(from: model.name.value, &seen)
            }
        }
    }

    private mutating func resolve(from root: String, _ seen: inout Set<String>) {
        guard seen.insert(root).inserted else { return }
        var path = [(name: root, open: targets(of: root))]
        var isOpen: Set<String> = [root]
        while let last = path.indices.last {
            guard let next = path[last].open.popLast() else {
                let name = path.removeLast().name
                isOpen.remove(name)
                resolveAlias(name)
                continue
            }
            if isOpen.contains(next) {
                let start = path.firstIndex { $0.name == next } ?? 0
                reportCycle(path[start...].map(\.name))
            } else if seen.insert(next).inserted {
                path.append((next, targets(of: next)))
                isOpen.insert(next)
            }
        }
    }

    /// The aliases that an alias refers to, in reverse order.
    private func targets(of name: String) -> [String] {
        guard let type = symbols.models[name]?.syntax.type else { return [] }
        return type.names.filter { symbols.models[$0]?.kind == .alias }.reversed()
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
            label: Self.shown(cycle: cycle),
            help: "end the chain at a type of the language or at a model with fields")
    }

    /// `A → B → A`, cut in the middle if it is long.
    static func shown(cycle: [String]) -> String {
        var names = cycle + cycle.prefix(1)
        if names.count > 9 { names.replaceSubrange(4..<names.count - 3, with: ["…"]) }
        return names.joined(separator: " → ")
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

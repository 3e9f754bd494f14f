import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves groups, with their models and methods.
extension Resolver {
    mutating func groups() -> [ResolvedGroup] {
        var methods: [String: Span] = [:]
        return spec.groups.compactMap { group in
            guard let names = groupNames(group) else { return nil }
            self.names.declare(group, names, into: &bag)
            for capability in group.capabilities {
                self.names.declare(capability, into: &bag)
            }
            let cascade = SettingsCascade(api, group: group)
            var models = models(of: group, dates: dateForm(cascade))
            let resolved = self.methods(of: group, taken: &methods, models: &models)
            return ResolvedGroup(
                syntax: group, cascade: cascade, names: names, models: models, methods: resolved)
        }
    }

    private mutating func methods(
        of group: GroupSyntax, taken: inout [String: Span], models: inout [Model]
    ) -> [ResolvedMethod] {
        group.methods.compactMap { syntax in
            let span = syntax.name.span
            guard let method = method(syntax, in: group, nested: &models) else { return nil }
            if let first = taken.updateValue(span, forKey: method.apiName) {
                bag.report(
                    .duplicateMethod, "method `\(method.apiName)` is declared twice", at: span,
                    notes: [Diagnostic.Note("first declared here", at: first)],
                    help: "remove one of them, or rename it")
                return nil
            }
            names.declare(method, into: &bag)
            return method
        }
    }

    /// The models of a group, without aliases.
    private mutating func models(of group: GroupSyntax, dates: DateForm) -> [Model] {
        defer { currentModel = nil }
        return group.models.compactMap { syntax in
            guard let entry = symbols.models[syntax.name.value], entry.kind != .alias,
                entry.syntax.name.span == syntax.name.span
            else { return nil }
            currentModel = syntax.name.value
            AttributeChecker.checkDeclaration(syntax.type, into: &bag)
            names.declare(entry, into: &bag)
            let model = model(
                named: entry.swiftName, apiName: syntax.name.value, syntax: syntax.type,
                parent: "", dates: dates)
            keepExamples(
                syntax.type.attributes.documentation, value: Value(model.type),
                at: syntax.name.span, direction: nil)
            return model
        }
    }

    private mutating func groupNames(_ group: GroupSyntax) -> GroupNames? {
        let name = group.name
        let place = group.span.part(0..<0)
        let isOwn = name.lowercased() == "api" || name.lowercased().hasPrefix("api.")
        if name.count(where: { $0 == "." }) > group.path.count(where: { $0 == "/" }) {
            bag.report(
                .badGroupName, "the file `\(group.path)` has a dot in its name or its folder's",
                at: place, help: "write `-`, or make a folder: `shop/items.yaml` is `shop.items`")
            return nil
        }
        guard !isOwn, OutputName.isPlain(group.path), let stem = namer.upperCamel(name),
            let property = namer.lowerCamel(name),
            SwiftNamer.isIdentifier(stem)
        else {
            bag.report(
                .badGroupName, "the file `\(group.path)` cannot name a group", at: place,
                help: "name files with letters, digits, `-` and `_`; `api` is taken")
            return nil
        }
        return GroupNames(property: property, stem: stem)
    }
}

extension Model {
    /// The type of its values.
    fileprivate var type: ValueType {
        switch kind {
        case .object: .object(qualifiedName)
        case .union: .union(qualifiedName)
        case .enumeration(let values):
            .enumeration(qualifiedName, isInteger: values.isInteger)
        }
    }
}

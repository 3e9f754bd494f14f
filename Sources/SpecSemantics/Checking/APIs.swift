import SpecDiagnostics
import SpecIR
import SpecSyntax

/// The API as a whole.
extension Analyzer {
    mutating func api(_ syntax: APISyntax) -> API {
        let name = apiName(syntax)
        moduleNames.take(name, for: "the API", at: syntax.name?.span ?? syntax.span, into: &bag)
        let base = baseParameters(syntax)
        let servers = servers(syntax)
        let errors = errors(syntax)
        let auth = auth(syntax)
        let groups = groups(syntax)
        let api = API(
            name: name, documentation: documentation(syntax.documentation), servers: servers,
            baseParameters: base, reply: Self.replyRules(syntax.settings), errors: errors,
            auth: auth, timeout: syntax.settings.timeout?.value,
            limits: limits(syntax.limits), groups: groups)
        return finished(api)
    }

    private mutating func apiName(_ syntax: APISyntax) -> String {
        guard let given = syntax.name, let name = namer.typeName(given.value) else {
            if let given = syntax.name {
                bag.report(
                    .noSwiftName, "`\(given.value)` makes no Swift name", at: given.span,
                    help: "name the API with letters: `api: MyAPI`")
            }
            return "API"
        }
        checkTypeName(name, at: given.span)
        return name
    }

    private func limits(_ syntax: LimitsSyntax) -> ReplyLimits {
        var limits = ReplyLimits()
        if let bytes = syntax.bytes { limits.bytes = bytes.value }
        if let depth = syntax.depth { limits.depth = depth.value }
        return limits
    }

    private mutating func baseParameters(_ syntax: APISyntax) -> [Parameter] {
        var none: [Model] = []
        var result: [PlacedParameter] = []
        for item in syntax.parameters {
            let context = TypeContext(
                place: item.location.place, key: item.key.value, parent: "",
                prefix: apiName(syntax), dates: dateForm(syntax.settings),
                isJSONText: item.type.attributes.style?.value == "json")
            guard let lowered = parameter(item, context, nested: &none) else { continue }
            result.append((lowered, item.key.span))
        }
        if !none.isEmpty, let first = syntax.parameters.first {
            bag.report(
                .typeNotAllowed, "a parameter of every request cannot declare a type",
                at: first.type.span, help: "declare it under `models` of a group")
        }
        checkArguments(result, of: "the parameters of every request")
        return Self.ordered(result.map(\.lowered))
    }

    // MARK: Groups

    private mutating func groups(_ syntax: APISyntax) -> [Group] {
        var methods: [String: Span] = [:]
        var caseNames = NameScope("`APIMethod`")
        var properties = NameScope("the API")
        return spec.groups.enumerated().compactMap { index, group in
            guard let names = groupNames(group) else { return nil }
            properties.take(
                names.property, for: "group `\(group.path)`", at: group.span, into: &bag)
            for type in names.types {
                moduleNames.take(
                    type, for: "group `\(group.path)`", at: group.span, into: &bag)
            }
            var models = models(of: group, index)
            let lowered = lowered(group, names, syntax, &methods, &caseNames, &models)
            for (model, span) in models where !model.name.isEmpty {
                moduleNames.take(
                    model.name, for: "model `\(model.apiName)`", at: span, into: &bag)
                checkTypeName(model.name, at: span)
            }
            return Group(
                apiName: groupName(group), sourcePath: group.path,
                fileName: OutputName.file(forSpec: group.path), names: names,
                documentation: documentation(group.documentation), methods: lowered,
                models: models.map(\.0))
        }
    }

    private mutating func lowered(
        _ group: GroupSyntax, _ names: GroupNames, _ api: APISyntax,
        _ taken: inout [String: Span], _ caseNames: inout NameScope,
        _ models: inout [(Model, Span)]
    ) -> [Method] {
        let scope = MethodScope(group: group, groupName: groupName(group), api: api)
        var functions = NameScope("group `\(scope.groupName)`")
        var result: [Method] = []
        for syntax in group.methods {
            let span = syntax.name.span
            var nested: [Model] = []
            guard let method = method(syntax, scope, nested: &nested) else { continue }
            models += nested.map { ($0, span) }
            if let first = taken.updateValue(span, forKey: method.apiName) {
                bag.report(
                    .duplicateMethod, "method `\(method.apiName)` is declared twice", at: span,
                    notes: [Diagnostic.Note("first declared here", at: first)])
                continue
            }
            let what = "method `\(method.apiName)`"
            caseNames.take(method.caseName, for: what, at: span, into: &bag)
            functions.take(method.name, for: what, at: span, into: &bag)
            result.append(method)
        }
        if group.methods.isEmpty, group.models.isEmpty {
            bag.report(
                .emptyMethods, "the file declares no methods and no models",
                at: group.span.part(0..<0), help: "add `methods:` or `models:`, or remove it")
        }
        return result
    }

    /// The models of a group that become Swift types.
    private mutating func models(of group: GroupSyntax, _ index: Int) -> [(Model, Span)] {
        var result: [(Model, Span)] = []
        for syntax in group.models {
            guard let entry = symbols.models[syntax.name.value],
                entry.syntax.name.span == syntax.name.span
            else { continue }
            if entry.kind == .alias {
                checkAlias(syntax, group)
                continue
            }
            if let place = syntax.type.optional {
                bag.report(
                    .optionalNotAllowed, "a model cannot be optional", at: place,
                    help: "write `?` where it is used")
            }
            let model = model(
                named: entry.swiftName, apiName: syntax.name.value, syntax.type, parent: "",
                dateForm(group.settings))
            result.append((model, syntax.name.span))
        }
        return result
    }

    /// Works an alias out even if nothing uses it, so that its mistakes are reported.
    private mutating func checkAlias(_ syntax: ModelSyntax, _ group: GroupSyntax) {
        let used = usedModels
        var none: [Model] = []
        let context = TypeContext(
            place: .alias, key: syntax.name.value, parent: "", dates: dateForm(group.settings))
        let name = TypeSyntax(.named(syntax.name.value), at: syntax.name.span)
        _ = value(name, context, nested: &none)
        if !used.contains(syntax.name.value) { usedModels.remove(syntax.name.value) }
    }

    // MARK: Group names

    func groupName(_ group: GroupSyntax) -> String {
        let stem = group.path.prefix { $0 != "." }
        return stem.split(separator: "/").joined(separator: ".")
    }

    private mutating func groupNames(_ group: GroupSyntax) -> GroupNames? {
        let name = groupName(group)
        let place = group.span.part(0..<0)
        let isOwn = name.lowercased() == "api" || name.lowercased().hasPrefix("api.")
        guard !isOwn, let stem = namer.upperCamel(name), let property = namer.lowerCamel(name),
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

import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and lowers the API as a whole.
extension Analyzer {
    mutating func api(_ syntax: APISyntax) -> API {
        resolveAliases()
        let cascade = SettingsCascade(syntax)
        _ = dateForm(cascade)
        let name = apiName(syntax)
        moduleNames.declare(name, for: "the API", at: syntax.name?.span ?? syntax.span, into: &bag)
        let base = baseParameters(syntax, name)
        let servers = servers(syntax)
        let errors = errors(syntax)
        let auth = auth(syntax)
        checkReferences(cascade)
        checkSuccess(cascade)
        let groups = groups(syntax)
        let api = API(
            name: name, documentation: documentation(syntax.documentation), servers: servers,
            baseParameters: base, reply: Self.successRules(cascade), errors: errors,
            auth: auth, timeouts: Self.timeouts(cascade),
            limits: limits(syntax.limits), traffic: Self.traffic(syntax),
            retry: cascade.hasRetry ? retryPolicy(cascade) : nil, groups: groups)
        return finalized(api)
    }

    private mutating func apiName(_ syntax: APISyntax) -> String {
        guard let given = syntax.name, let name = namer.typeName(given.value) else {
            if let given = syntax.name {
                bag.report(
                    .noSwiftName, "`\(given.value)` cannot become a Swift name", at: given.span,
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

    private mutating func baseParameters(_ syntax: APISyntax, _ prefix: String) -> [Parameter] {
        var result: [LocatedParameter] = []
        for item in syntax.parameters {
            var nested: [Model] = []
            let context = TypeContext(
                place: item.location.place, key: item.key.value, span: item.key.span, parent: "",
                prefix: prefix, dates: dateForm(SettingsCascade(syntax)),
                isJSONText: item.type.attributes.style?.value == .json)
            let lowered = parameter(item, in: context, nested: &nested)
            if let lowered { result.append((lowered, item.key.span)) }
            if nested.isEmpty { continue }
            bag.report(
                .typeNotAllowed, "a parameter of every request cannot declare a type",
                at: item.type.span, help: "declare it under `models` of a group")
        }
        checkArguments(result, of: "the parameters of every request")
        return result.map(\.lowered)
    }

    // MARK: Groups

    private mutating func groups(_ syntax: APISyntax) -> [Group] {
        var methods: [String: Span] = [:]
        var caseNames = NameScope("`APIMethod`")
        var properties = NameScope("the API")
        return spec.groups.compactMap { group in
            guard let names = groupNames(group) else { return nil }
            let place = group.span.part(0..<0)
            let what = "group `\(group.path)`"
            let help = "rename one of them; a group is named after its file"
            if ReservedNames.managerProperties.contains(names.property) {
                bag.report(
                    .reservedName, "`\(names.property)` is a property of every manager", at: place,
                    help: "rename the file: a group is named after it")
            }
            properties.declare(names.property, for: what, at: place, into: &bag, help: help)
            for type in names.types {
                moduleNames.declare(type, for: what, at: place, into: &bag, help: help)
            }
            var models = models(of: group, in: syntax)
            let lowered = lowered(
                group, names: names, api: syntax, taken: &methods, caseNames: &caseNames,
                models: &models)
            return Group(
                apiName: group.name, sourcePath: group.path,
                fileName: OutputName.file(forSpec: group.path), names: names,
                documentation: documentation(group.documentation), methods: lowered,
                models: models)
        }
    }

    private mutating func lowered(
        _ group: GroupSyntax, names: GroupNames, api: APISyntax,
        taken: inout [String: Span], caseNames: inout NameScope,
        models: inout [Model]
    ) -> [Method] {
        let scope = MethodScope(group: group, groupName: group.name, api: api)
        let cascade = SettingsCascade(api, group: group)
        checkReferences(cascade)
        checkSuccess(cascade)
        if let expired = group.settings.expired {
            checkExpired(expired, api: api, rules: Self.allSuccessRules(of: group, api))
        }
        var functions = NameScope("group `\(scope.groupName)`")
        var result: [Method] = []
        for syntax in group.methods {
            let span = syntax.name.span
            guard let method = method(syntax, in: scope, nested: &models) else { continue }
            if let first = taken.updateValue(span, forKey: method.apiName) {
                bag.report(
                    .duplicateMethod, "method `\(method.apiName)` is declared twice", at: span,
                    notes: [Diagnostic.Note("first declared here", at: first)],
                    help: "remove one of them, or rename it")
                continue
            }
            let what = "method `\(method.apiName)`"
            caseNames.declare(method.caseName, for: what, at: span, into: &bag)
            functions.declare(method.name, for: what, at: span, into: &bag)
            result.append(method)
        }
        return result
    }

    /// The models of a group, without aliases.
    private mutating func models(of group: GroupSyntax, in api: APISyntax) -> [Model] {
        var result: [Model] = []
        defer { currentModel = nil }
        for syntax in group.models {
            guard let entry = symbols.models[syntax.name.value], entry.kind != .alias,
                entry.syntax.name.span == syntax.name.span
            else { continue }
            currentModel = syntax.name.value
            checkDeclaration(syntax.type)
            moduleNames.declare(
                entry.swiftName, for: "model `\(syntax.name.value)`", at: syntax.name.span,
                into: &bag)
            checkTypeName(entry.swiftName, at: syntax.name.span)
            result.append(
                model(
                    named: entry.swiftName, apiName: syntax.name.value, syntax: syntax.type,
                    parent: "",
                    dates: dateForm(SettingsCascade(api, group: group))))
        }
        return result
    }

    // MARK: Group names

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

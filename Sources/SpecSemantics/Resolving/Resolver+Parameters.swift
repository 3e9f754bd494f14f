import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves parameters.
extension Resolver {
    mutating func parameters(
        _ syntax: MethodSyntax, apiName: String, _ cascade: SettingsCascade, prefix: String,
        dates: DateForm, nested: inout [Model]
    ) -> [ResolvedParameter] {
        // Parameters override base parameters when the request is built.
        let tokens = cascade.schemes.filter { $0.placement?.value == .path }
        var all = pathParameters(syntax, tokens: tokens.compactMap { $0.name?.value })
        all += cascade.groupParameters
        all += syntax.parameters.filter { $0.location != .path }
        if let body = syntax.body, let key = syntax.bodyKey {
            all.append(ParameterSyntax(key: key.word, location: .body, type: body))
        }
        var result: [ResolvedParameter] = []
        var indices: [String: [Int]] = [:]
        let wrapsAll = syntax.wrapper != nil && syntax.procedure.arguments == nil
        for var item in all {
            // What names the call stands beside the others.
            if wrapsAll, item.location == .json, item.callValue == nil { item.isInWrapper = true }
            let context = TypeContext(
                item, prefix: prefix, part: "\(apiName).\(item.key.value)", dates: dates)
            guard var resolved = parameter(item, in: context, nested: &nested) else { continue }
            let sameKey = indices[resolved.key] ?? []
            if item.type.attributes.swift.name == nil {
                resolved.nameApart(from: sameKey.map { result[$0] }, namer)
            }
            indices[resolved.key] = sameKey + [result.count]
            result.append(resolved)
        }
        for index in result.indices {
            if !result[index].syntax.type.attributes.defaultUnless.isEmpty {
                addFallback(to: index, of: &result)
            }
            if result[index].listStyle == .entries { checkNames(of: result[index], in: result) }
        }
        return result
    }

    /// Makes the default of a parameter hold only if others are absent: `default-unless`.
    private mutating func addFallback(
        to index: Int, of parameters: inout [ResolvedParameter]
    ) {
        let parameter = parameters[index]
        let attributes = parameter.syntax.type.attributes
        var unless: [String] = []
        for name in attributes.defaultUnless {
            let other = parameters.first { $0.specName == name.value && $0.span != parameter.span }
            if let other, RuleOperand(other).mayBeAbsent {
                unless.append(other.name)
            } else {
                let known = parameters.map(\.specName).filter { $0 != parameter.specName }
                bag.report(
                    .badCrossRule,
                    other == nil
                        ? "unknown parameter `\(name.value)`" : "`\(name.value)` is always sent",
                    at: name.span,
                    help: other == nil
                        ? didYouMean(name.value, among: known)
                        : "name a parameter with `?`")
            }
        }
        var fallback = Parameter.Fallback(value: nil, unless: unless)
        switch parameter.presence {
        case .credential where parameter.location != .path: break
        case .defaulted(let literal)
        where ![.path, .body].contains(parameter.location) && !parameter.value.isNullable:
            fallback.value = literal
            parameters[index].presence = .optional
        default:
            return report(
                .defaultUnless, of: parameter.syntax,
                help:
                    "it goes with the `default` of a parameter that may be absent: not in a path, "
                    + "not a whole body, without `| null`")
        }
        parameters[index].fallback = fallback
    }

    mutating func parameter(
        _ syntax: ParameterSyntax, in context: TypeContext, nested: inout [Model]
    ) -> ResolvedParameter? {
        let attributes = syntax.type.attributes
        if syntax.location == .header, syntax.callValue == nil {
            HeaderChecker.checkName(syntax.sentKey, into: &bag)
        }
        if syntax.location != .path, let place = attributes.location, !isBase(syntax) {
            bag.report(
                .attributeDoesNotApply, "`in` does not apply here", at: place.span,
                help: "the section sets the location of a parameter")
        }
        if syntax.location == .body, let place = attributes.place(of: .key) {
            bag.report(
                .attributeDoesNotApply, "`key` does not apply to a whole body", at: place,
                help: "a single value has no key; write `json:` for an object")
        }
        let name = namer.valueName(
            syntax.key, given: attributes.swift.name, reserved: ["self", "Self", "Type"],
            into: &bag)
        guard let value = value(syntax.type, in: context, nested: &nested), let name,
            let presence = presence(syntax, value)
        else { return nil }
        keepExamples(
            attributes.documentation, value: value, at: syntax.key.span, direction: .request)
        if syntax.location == .header {
            HeaderChecker.checkTexts(
                syntax, value: value, enumerations: literals.enumerations, into: &bag)
        }
        var parameter = ResolvedParameter(
            syntax: syntax, name: name, value: value, presence: presence,
            listStyle: listStyle(attributes, value: value, in: context),
            isSensitive: sensitivity.isSensitive(syntax))
        addSending(to: &parameter)
        checkWrapped(parameter)
        return parameter
    }

    /// Reports an attribute of a parameter that does not apply.
    mutating func report(
        _ key: AttributesSyntax.Key, of syntax: ParameterSyntax, help: String
    ) {
        bag.report(
            .attributeDoesNotApply, "`\(key.rawValue)` does not apply here",
            at: syntax.type.attributes.place(of: key) ?? syntax.key.span, help: help)
    }

    private func isBase(_ syntax: ParameterSyntax) -> Bool {
        api.parameters.contains { $0.key.span == syntax.key.span }
            || spec.groups.contains { group in
                group.parameters.contains { $0.key.span == syntax.key.span }
            }
    }

    // MARK: Presence

    private mutating func presence(
        _ syntax: ParameterSyntax, _ value: Value
    ) -> Parameter.Presence? {
        let attributes = syntax.type.attributes
        switch syntax.callValue {
        case .text(let text): return .constant(.string(text))
        case .callID: return callID(syntax, value)
        case nil: break
        }
        if let constant = attributes.constant {
            guard !isCallValue(constant),
                let literal = self.constant(constant, type: syntax.type, value: value)
            else {
                return nil
            }
            return .constant(
                Self.spelling(constant, value: value, location: syntax.location) ?? literal)
        }
        if let node = attributes.credentialDefault {
            AttributeChecker.checkSensitive(attributes, node, into: &bag)
            return credential(node, syntax: syntax, value: value)
        }
        if let node = attributes.defaultValue, node.kind == .scalar, node.isPlain,
            let meant = CredentialReference.misspelt(node.text)
        {
            bag.report(
                .badCredentialDefault, "`\(node.text)` is not a value of the credential",
                at: node.span,
                help: "did you mean `\(meant)`? A text that begins like this needs quotes")
            return nil
        }
        if attributes.defaultValue != nil {
            return checkedDefault(syntax.type, value).map { .defaulted($0) }
        }
        if let place = syntax.type.optional {
            if syntax.location == .path {
                bag.report(
                    .optionalNotAllowed, "a path parameter cannot be optional", at: place,
                    help: "give it a `default`, or declare a second method")
            }
            return .optional
        }
        return .required
    }

    private mutating func constant(
        _ node: YAMLNode, type: TypeSyntax, value: Value
    ) -> Literal? {
        if let place = type.optional {
            bag.report(
                .optionalWithDefault, "`?` has no effect with `const`", at: place,
                help: "a constant is always sent")
        }
        return checkedLiteral(node, named: "constant", of: type, value)
    }

    /// The source text of a number that is sent as text, where `2.0` differs from `2`; nil
    /// otherwise.
    private static func spelling(
        _ node: YAMLNode, value: Value, location: Parameter.Location?
    ) -> Literal? {
        guard location.place.isText || location == .part else { return nil }
        switch value.type {
        // `0x1F` and `0o17` are notations of YAML that a server may not understand.
        case .double, .decimal:
            return node.text.contains { "xo".contains($0) } ? nil : .string(node.text)
        default: return nil
        }
    }

    /// `default: $token.user_id`, `default: [$token.user_id]`, or `default: $secret.API_KEY`, whose
    /// key is the whole text.
    private mutating func credential(
        _ node: YAMLNode, syntax: ParameterSyntax, value: Value
    ) -> Parameter.Presence? {
        let isSecret = node.text.hasPrefix(CredentialReference.secret)
        let key = isSecret ? node.text : String(node.text.dropFirst("$token.".count))
        var problem: (text: String, help: String)?
        if key.isEmpty {
            problem = ("`$token.` names no value of the credential", "write `$token.user_id`")
        }
        if key == CredentialReference.secret {
            problem = ("`$secret.` names no secret", "write `$secret.API_KEY`")
        }
        if api.auth == nil, !isSecret {
            problem = ("the API has no `auth`, so there is no credential", "add it to `api.yaml`")
        }
        let isList = syntax.type.attributes.defaultValue?.kind == .sequence
        switch value.type {
        case .string where !isList, .integer where !isList: break
        case .list(let element) where element.type.isOfCredential:
            if !isList {
                problem = ("the default of a list is a list", "write `default: [\(node.text)]`")
            } else if syntax.type.attributes.style?.value == .json {
                problem = (
                    "JSON text cannot come from the credential",
                    "choose another `style`, or `join: \",\"`"
                )
            }
        default:
            problem = (
                "a credential's values are text or integers",
                isList && value.type.isOfCredential
                    ? "write `default: \(node.text)`" : "change the type"
            )
        }
        if syntax.location == .body {
            problem = (
                "a whole body cannot come from the credential",
                "write `json: { … }` for an object with the value"
            )
        }
        if let problem {
            bag.report(.badCredentialDefault, problem.text, at: node.span, help: problem.help)
            return nil
        }
        return .credential(key)
    }

    // MARK: Lists

    private mutating func listStyle(
        _ attributes: AttributesSyntax, value: Value, in context: TypeContext
    ) -> ListStyle {
        if let join = attributes.join, let style = attributes.style {
            bag.report(
                .conflict, "`join` cannot be combined with `style`", at: join.span,
                notes: [Diagnostic.Note("`style` is here", at: style.span)],
                help: "keep one of them")
        }
        if attributes.style?.value == .json {
            // A scalar has one text; in a part it needs no type.
            let isPart = context.place == .part && value.type.hasMembers && !value.type.holdsFiles
            if !context.place.isText && !isPart { reportStyle(attributes) }
            return .json
        }
        if let style = attributes.style, style.value == .entries {
            checkEntries(style.span, value: value, context: context)
            return .entries
        }
        if let style = attributes.style, style.value.takesAnyJSON {
            if ![.query, .form].contains(context.place) || !value.type.hasMembers {
                bag.report(
                    .attributeDoesNotApply,
                    "`style: \(style.value.word ?? "")` does not apply here",
                    at: style.span,
                    help: "it names the members of an object, a map or a list in a query or a form")
            }
            return style.value
        }
        guard let place = attributes.join?.span ?? attributes.style?.span else {
            return Self.usualStyle(value, context)
        }
        guard case .list = value.type, context.place.isText || context.place == .part else {
            reportStyle(attributes)
            return .repeated
        }
        if case .list(let element) = value.type, element.type == .file,
            attributes.join != nil || attributes.style?.value != .repeated
        {
            bag.report(
                .attributeDoesNotApply, "files are sent as separate parts of one name",
                at: place, help: "for a name with brackets, write `key: \"files[]\"`")
            return .repeated
        }
        if let join = attributes.join { return .joined(join.value) }
        return style(attributes.style, context)
    }

    /// The default encoding of a list: in a header as one field (RFC 9110 §5.3).
    private static func usualStyle(_ value: Value, _ context: TypeContext) -> ListStyle {
        guard case .list = value.type, context.place == .header else { return .repeated }
        return .joined(", ")
    }

    private mutating func style(
        _ style: Located<ListStyle>?, _ context: TypeContext
    ) -> ListStyle {
        guard let style, style.value != .repeated else { return .repeated }
        if context.place == .header {
            bag.report(
                .attributeDoesNotApply,
                "`style: \(style.value.word ?? "")` does not apply to a header", at: style.span,
                help: "the name of a header has no brackets: write `style: repeat` for a field of "
                    + "each item, or `join: \", \"` for one of all")
        }
        return style.value
    }

    private mutating func reportStyle(_ attributes: AttributesSyntax) {
        let name = attributes.join == nil ? "style" : "join"
        guard let place = attributes.join?.span ?? attributes.style?.span else { return }
        bag.report(
            .attributeDoesNotApply, "`\(name)` does not apply here", at: place,
            help: "it sets how a list is encoded in a query, a header or a form")
    }
}

extension ValueType {
    /// Whether a value of the credential can have the type.
    fileprivate var isOfCredential: Bool {
        switch self {
        case .string, .integer: true
        default: false
        }
    }

    /// Whether it is a list of files.
    fileprivate var holdsFiles: Bool {
        if case .list(let element) = self { element.type == .file } else { false }
    }

    /// Whether a text alone cannot express it.
    var hasMembers: Bool {
        switch self {
        case .list, .map, .object, .union, .json: true
        default: false
        }
    }
}

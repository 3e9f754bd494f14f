import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Narrows a field of a mixin by a second declaration of the field, which may only forbid more.
struct FieldNarrowing {
    /// What a declaration allows although the mixin does not.
    struct Widening: Error {
        let reason: String
    }

    private let models: [String: ModelSyntax]

    init(_ models: [String: ModelSyntax]) {
        self.models = models
    }

    /// The field with the attributes and rules of both declarations.
    func narrowed(
        _ own: ParameterSyntax, from base: ParameterSyntax
    ) throws(Widening) -> ParameterSyntax {
        var result = own
        result.type = try narrowed(own.type, from: base.type)
        return result
    }

    private func narrowed(
        _ own: TypeSyntax, from base: TypeSyntax
    ) throws(Widening) -> TypeSyntax {
        let mayBeMissing = { (type: TypeSyntax) in
            type.optional != nil || type.attributes.defaultValue != nil
        }
        if mayBeMissing(own), !mayBeMissing(base) { throw Widening(reason: "it may be missing") }
        if own.nullable != nil, base.nullable == nil { throw Widening(reason: "it may be null") }
        var result = own
        // `{ const: … }` alone says nothing about the type.
        let isBareConstant = own.attributes.constant?.span == own.span
        result.form = isBareConstant ? base.form : try form(own, from: base)
        result.attributes = try attributes(own.attributes, from: base.attributes)
        return result
    }

    // MARK: Types

    private func form(
        _ own: TypeSyntax, from base: TypeSyntax
    ) throws(Widening) -> TypeSyntax.Form {
        switch (own.form, base.form) {
        case (.invalid, _), (_, .invalid), (_, .named("json")): return own.form
        case (.list(let element), .list(let other)):
            return .list(try narrowed(element, from: other))
        case (.map(let key, let value), .map(let otherKey, let otherValue)):
            return .map(
                key: try narrowed(key, from: otherKey),
                value: try narrowed(value, from: otherValue))
        default: break
        }
        if isSame(own, base) || isScalar(own, within: base) || isMixed(own, from: base) {
            return own.form
        }
        if let cases = enumeration(own) {
            try check(cases, within: base)
            return own.form
        }
        // An alias has the values of its type, or fewer.
        if let alias = own.name.flatMap({ models[$0]?.type }), alias.fields == nil,
            alias.name == base.name || alias.name.map({ models[$0] == nil }) ?? true
        {
            _ = try narrowed(alias, from: base)
            return own.form
        }
        throw Widening(reason: "`\(shown(own))` is not a narrower `\(shown(base))`")
    }

    private func isSame(_ own: TypeSyntax, _ base: TypeSyntax) -> Bool {
        own.name != nil && own.name == base.name
    }

    private func isScalar(_ own: TypeSyntax, within base: TypeSyntax) -> Bool {
        switch base.name {
        case "string": ["uuid", "url"].contains(own.name)
        case "int": own.name == "int32"
        default: false
        }
    }

    /// Whether an object has all fields of another, because it mixes it in.
    private func isMixed(_ own: TypeSyntax, from base: TypeSyntax) -> Bool {
        guard let base = base.name, models[base]?.type.fields != nil else { return false }
        var open = own.name.map { [$0] } ?? own.mixins.compactMap(\.name)
        var seen: Set<String> = []
        while let name = open.popLast() {
            if name == base { return true }
            if seen.insert(name).inserted {
                open += models[name]?.type.mixins.compactMap(\.name) ?? []
            }
        }
        return false
    }

    private func enumeration(_ type: TypeSyntax) -> EnumerationSyntax? {
        let declared = type.name.flatMap { models[$0]?.type } ?? type
        guard case .enumeration(let syntax) = declared.form else { return nil }
        return syntax
    }

    private func check(
        _ own: EnumerationSyntax, within base: TypeSyntax
    ) throws(Widening) {
        let kind = own.base?.value ?? .string
        if base.name == kind.rawValue { return }
        guard let other = enumeration(base), (other.base?.value ?? .string) == kind else {
            throw Widening(reason: "an enumeration is not a narrower `\(shown(base))`")
        }
        let known = Set(other.cases.map(\.value.text))
        if let extra = own.cases.first(where: { !known.contains($0.value.text) }) {
            throw Widening(reason: "the mixin does not have the value `\(extra.value.text)`")
        }
    }

    private func shown(_ type: TypeSyntax) -> String {
        switch type.form {
        case .named(let name): name
        case .list: "list"
        case .map: "map"
        case .object: "object"
        case .enumeration: "enumeration"
        case .union: "union"
        case .invalid: "type"
        }
    }

    // MARK: Attributes

    private func attributes(
        _ own: AttributesSyntax, from base: AttributesSyntax
    ) throws(Widening) -> AttributesSyntax {
        var result = own
        result.key = try same("key", own: own.key, base: base.key, text: \.value)
        result.from = try same("from", own: own.from, base: base.from, text: \.value.rawValue)
        result.spelling = try same("as", own: own.spelling, base: base.spelling, text: \.value)
        result.at = try same(
            "at", own: own.at, base: base.at, text: { $0.value.joined(separator: ".") })
        result.only = try same("only", own: own.only, base: base.only, text: \.value.rawValue)
        result.constant = try same("const", own: own.constant, base: base.constant, text: \.text)
        if own.isSensitive == false, base.isSensitive == true {
            throw Widening(reason: "it is not sensitive")
        }
        result.isSensitive = own.isSensitive ?? base.isSensitive
        result.swift.name = own.swift.name ?? base.swift.name
        result.documentation.text = own.documentation.text ?? base.documentation.text
        result.documentation.link = own.documentation.link ?? base.documentation.link
        result.documentation.deprecation =
            own.documentation.deprecation ?? base.documentation.deprecation
        let keys = own.keys.map(\.value) + [.defaultValue]
        result.keys += base.keys.filter { !keys.contains($0.value) }
        result.rules = try rules(own.rules, from: base.rules)
        return result
    }

    /// An attribute that both declarations have or only the mixin's. A constant may be new.
    private func same<Attribute>(
        _ name: String, own: Attribute?, base: Attribute?, text: (Attribute) -> String
    ) throws(Widening) -> Attribute? {
        guard let own else { return base }
        if base.map(text) == text(own) || base == nil && name == "const" { return own }
        throw Widening(reason: "its `\(name)` differs")
    }

    // MARK: Rules

    /// The rules of both, without those that a tighter one replaces.
    private func rules(
        _ own: [RuleSyntax], from base: [RuleSyntax]
    ) throws(Widening) -> [RuleSyntax] {
        var kept: [RuleSyntax] = []
        for rule in base {
            let name = rule.name.value
            guard let tighter = own.first(where: { $0.name.value == name }) else {
                kept.append(rule)
                continue
            }
            guard let isTighter = isTighter(tighter, than: rule) else {
                kept.append(rule)
                continue
            }
            if !isTighter { throw Widening(reason: "its rule `\(name.rawValue)` allows more") }
        }
        return kept + own
    }

    /// Whether a rule allows nothing that another rule of the name forbids; nil if both have to be
    /// checked.
    private func isTighter(_ own: RuleSyntax, than base: RuleSyntax) -> Bool? {
        if own.name.value == .oneOf {
            let allowed = Set(base.argument.items.map(\.text))
            return own.argument.items.allSatisfy { allowed.contains($0.text) }
        }
        guard let side = own.name.value.row.bound?.side, let bound = ExactNumber(own.argument.text),
            let other = ExactNumber(base.argument.text)
        else { return nil }
        return switch side {
        case .low: bound >= other
        case .high: bound <= other
        case .both: bound == other
        }
    }
}

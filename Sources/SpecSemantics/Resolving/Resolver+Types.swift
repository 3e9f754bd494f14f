import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves types.
extension Resolver {
    /// Resolves a type; inline types are added to `nested`. Returns `nil` for an invalid type,
    /// which is reported.
    mutating func value(
        _ syntax: TypeSyntax, in context: TypeContext, nested: inout [Model]
    ) -> Value? {
        guard var value = base(syntax, in: context, nested: &nested) else { return nil }
        if let place = syntax.nullable {
            value.isNullable = true
            if context.place.isText { reportNull(place, context) }
        }
        if context.isElement || [.alias, .alternative].contains(context.place) {
            requirePresent(syntax, context)
        }
        if !syntax.attributes.keys.isEmpty { applyAttributes(syntax, to: &value, in: context) }
        if !syntax.attributes.rules.isEmpty {
            value.rules += ruleValidator.rules(
                syntax.attributes.rules, on: value, literals: &literals, into: &bag)
        }
        return TypeChecker.allows(value, at: syntax.span, in: context, into: &bag) ? value : nil
    }

    // A function of its own keeps the frames of the recursion small.
    private mutating func applyAttributes(
        _ syntax: TypeSyntax, to value: inout Value, in context: TypeContext
    ) {
        AttributeChecker.check(syntax, context: context, sensitivity: sensitivity, into: &bag)
        applySpelling(syntax, to: &value, in: context)
        applyTolerance(syntax.attributes, to: &value, in: context)
    }

    private mutating func base(
        _ syntax: TypeSyntax, in context: TypeContext, nested: inout [Model]
    ) -> Value? {
        switch syntax.form {
        case .invalid: return nil
        case .named(let name): return named(name, syntax, in: context)
        case .list(let element):
            return value(element, in: context.element(), nested: &nested).map { Value(.list($0)) }
        case .map(let key, let element):
            return map(key, element, in: context, nested: &nested)
        case .object, .enumeration, .union: return inline(syntax, in: context, nested: &nested)
        }
    }

    // A function of its own keeps the frames of the recursion small.
    private mutating func map(
        _ key: TypeSyntax, _ element: TypeSyntax, in context: TypeContext, nested: inout [Model]
    ) -> Value? {
        let inner = context.element(ofMap: true)
        let mapKey = self.mapKey(key)
        guard let element = value(element, in: inner, nested: &nested), let mapKey else {
            return nil
        }
        var map = Value(.map(mapKey.type, element))
        map.keyRules = mapKey.rules
        addRules(of: key, to: &map.keyRules, mapKey.type)
        return map
    }

    // MARK: Names

    private mutating func named(
        _ name: String, _ syntax: TypeSyntax, in context: TypeContext
    ) -> Value? {
        // A declaration with an error has been reported, also one with the name of a scalar.
        if symbols.rejected.contains(name) { return nil }
        if let scalar = Self.scalar(name, context.dates) { return Value(scalar) }
        guard let entry = symbols.models[name] else {
            reportUnknownType(
                name, at: syntax.span,
                help: syntax.isShortAttribute ? TypeSyntax.longFormHelp(context.key) : nil)
            return nil
        }
        references[currentModel, default: []].insert(name)
        switch entry.kind {
        case .object: return Value(.object(entry.swiftName))
        case .union: return Value(.union(entry.swiftName))
        case .enumeration:
            guard case .enumeration(let syntax) = entry.syntax.type.form else { return nil }
            return Value(.enumeration(entry.swiftName, isInteger: syntax.isInteger))
        case .alias: return aliases[name]
        }
    }

    static func scalar(_ name: String, _ dates: DateForm) -> ValueType? {
        switch name {
        case "string": .string(from: .native)
        case "int": .integer(.int, from: .native)
        case "int32": .integer(.int32, from: .native)
        case "uint": .integer(.uint, from: .native)
        case "double": .double(from: .native)
        case "decimal": .decimal(from: .native)
        case "bool": .bool(.trueFalse)
        case "bool01": .bool(.oneZero)
        case "Date": .date(dates)
        case "Duration": .duration()
        case "url": .url
        case "uuid": .uuid
        case "bytes": .bytes()
        case "file": .file
        case "json": .json
        default: nil
        }
    }

    mutating func reportUnknownType(_ name: String, at span: Span, help: String? = nil) {
        if name == "nothing" {
            bag.report(
                .typeNotAllowed, "`nothing` is only allowed as a reply", at: span,
                help: "leave the entry out")
            return
        }
        // A name may be declared in an unreadable file, or by a declaration with an error.
        if !spec.isComplete || symbols.rejected.contains(name) { return }
        // Comparing many unknown names with many models would be slow.
        let known = bag.errorCount < 100 ? Array(TypeNames.scalars) + symbols.models.keys : []
        bag.report(
            .unknownType, "unknown type `\(name)`", at: span,
            help: help ?? NearMisses.help(forType: name)
                ?? didYouMean(name, among: known)
                ?? "declare it under `models` of any file in the folder")
    }

    /// The type of a map's keys, with the rules of an alias.
    private mutating func mapKey(_ syntax: TypeSyntax) -> (type: MapKey, rules: [Rule])? {
        if case .named(let name) = syntax.form, syntax.optional == nil, syntax.nullable == nil {
            if name == "string" { return (.string, []) }
            if name == "int" { return (.int, []) }
            if let entry = symbols.models[name],
                entry.kind == .enumeration || entry.kind == .alias
            {
                references[currentModel, default: []].insert(name)
                if entry.kind == .enumeration { return (.enumeration(entry.swiftName), []) }
                // An alias with an error has been reported.
                guard let alias = aliases[name] else { return nil }
                if let key = MapKey(alias), !reportSensitive(key: syntax) {
                    return (key, alias.rules)
                }
            }
            if symbols.models[name] == nil, !TypeNames.scalars.contains(name) {
                let isField = name.first?.isLowercase == true
                reportUnknownType(
                    name, at: syntax.span, help: isField ? NearMisses.objectInText : nil)
                return nil
            }
        }
        bag.report(
            .badMapKey, "the keys of a map cannot be of this type", at: syntax.span,
            label: "expected `string`, `int`, an alias of them or an enumeration of `models`")
        return nil
    }

    /// Adds the rules of `keys`.
    private mutating func addRules(of key: TypeSyntax, to rules: inout [Rule], _ type: MapKey) {
        if key.attributes.rules.isEmpty { return }
        rules += ruleValidator.rules(
            key.attributes.rules, on: Value(type.type, rules: rules), literals: &literals,
            into: &bag)
    }

    /// Reports keys that are secrets, because the paths of violations contain keys.
    private mutating func reportSensitive(key: TypeSyntax) -> Bool {
        guard let alias = sensitivity.sensitiveAlias(in: key) else { return false }
        bag.report(
            .badMapKey, "`\(alias)` is sensitive, and messages show keys", at: key.span,
            help: "use a type that is not sensitive")
        return true
    }

    // MARK: Presence

    private mutating func requirePresent(_ syntax: TypeSyntax, _ context: TypeContext) {
        guard let place = syntax.optional else { return }
        let what = context.isElement ? "an element" : context.place.name
        bag.report(
            .optionalNotAllowed, "\(what) cannot be optional", at: place,
            help: what == "an alias"
                ? "write `?` where the alias is used" : "write `T | null` if it may be null")
    }

    private mutating func reportNull(_ place: Span, _ context: TypeContext) {
        bag.report(
            .typeNotAllowed, "\(context.place.name) cannot hold null", at: place,
            help: "write `?` if it may be left out")
    }
}

extension MapKey {
    /// The keys that an alias describes; nil if keys cannot have its type.
    fileprivate init?(_ alias: Value) {
        guard !alias.isNullable else { return nil }
        switch alias.type {
        case .string: self = .string
        case .integer(.int, _): self = .int
        case .enumeration(let name, _): self = .enumeration(name)
        default: return nil
        }
    }
}

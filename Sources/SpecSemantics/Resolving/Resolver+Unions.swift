import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves unions: the names, the tags and the types of their alternatives. How alternatives without
/// a tag are told apart depends on all models; see ``UnionResolver``.
extension Resolver {
    mutating func union(
        _ syntax: UnionSyntax, of qualified: String, apiName: String, dates: DateForm,
        nested: inout [Model]
    ) -> Union {
        checkCount(syntax)
        let keys = syntax.alternatives.compactMap(\.key)
        var union = Union(
            discriminator: discriminator(syntax),
            tagsAreIntegers: syntax.tag != nil && !keys.isEmpty
                && keys.allSatisfy { $0.isPlain && $0.integer != nil },
            isClosed: syntax.isClosed, cases: [])
        var scope = NameScope("union `\(apiName)`")
        var containers: Set<String> = []
        let mentioned = MentionedTypes(symbols, aliases).heads(
            of: syntax.alternatives.map(\.type), in: qualified)
        for item in syntax.alternatives {
            guard let source = caseName(item, union) else { continue }
            var context = TypeContext(
                place: .alternative, key: source.value, span: source.span, parent: qualified,
                dates: dates)
            context.mentioned = mentioned
            guard
                let resolved = unionCase(
                    item, source: source, union: union, context: context, nested: &nested)
            else {
                continue
            }
            places.fields[qualified, default: [:]][resolved.name] = source.span
            union.cases.append(resolved)
            // Two lists or two maps cannot be told apart, which is reported instead.
            if item.isUnnamedContainer, !containers.insert(source.value).inserted { continue }
            scope.declare(
                resolved.name, for: "alternative `\(source.value)`", at: source.span, into: &bag,
                help: "give one of them a name of its own: `{ type: …, swift: { name: … } }`")
        }
        return union
    }

    private mutating func unionCase(
        _ syntax: AlternativeSyntax, source: Located<String>, union: Union,
        context: TypeContext, nested: inout [Model]
    ) -> UnionCase? {
        let attributes = syntax.type.attributes
        let name = namer.valueName(
            source, given: attributes.swift.name, reserved: ReservedNames.alternatives,
            help: "give it a name: `one-of: { name: … }`", into: &bag)
        guard let value = value(syntax.type, in: context, nested: &nested), let name else {
            return nil
        }
        return UnionCase(
            apiName: syntax.key?.text ?? Explainer.shown(syntax.type), name: name,
            tag: union.isTagged ? syntax.key?.tag(isInteger: union.tagsAreIntegers) ?? "" : "",
            value: value, documentation: Documentation(attributes.documentation))
    }

    private mutating func checkCount(_ syntax: UnionSyntax) {
        let isTagged = syntax.tag != nil
        if syntax.alternatives.count < (isTagged ? 1 : 2) {
            bag.report(
                .badUnion, "a union needs \(isTagged ? "an alternative" : "two alternatives")",
                at: syntax.span, help: "write `one-of: [User, Problem]`, or a type alone")
        }
        if let tag = syntax.tag, syntax.alternatives.contains(where: { $0.key == nil }) {
            bag.report(
                .badUnion, "a union with a `tag` needs the value of the tag for each alternative",
                at: tag.span,
                help: "write `one-of: { photo: Photo, video: Video }`; without a `tag`, "
                    + "alternatives are told apart by constant fields or required keys")
        }
    }

    private mutating func discriminator(_ syntax: UnionSyntax) -> Union.Discriminator {
        guard let tag = syntax.tag else {
            if let content = syntax.content {
                bag.report(
                    .badUnion, "`content` has no effect without `tag`", at: content.span,
                    help: "add `tag: key`, the key whose value names the alternative")
            }
            return .kind(.one)
        }
        if tag.value == UnionSyntax.onlyKey {
            if let content = syntax.content {
                bag.report(
                    .badUnion, "`content` cannot be combined with `tag: $key`", at: content.span,
                    help: "the value of the only key is the content: remove one of them")
            }
            return .onlyKey
        }
        guard let content = syntax.content else { return .key(tag.value) }
        let isNamedByTag = content.value == UnionSyntax.namedByTag
        if content.value == tag.value
            || isNamedByTag && syntax.alternatives.contains(where: { $0.key?.text == tag.value })
        {
            bag.report(
                .badUnion, "key `\(tag.value)` cannot hold both the tag and the content",
                at: content.span, help: "name the key of the content")
        }
        return .content(isNamedByTag ? nil : content.value, tag: tag.value)
    }

    /// The source of an alternative's Swift name: its key, or its type.
    private mutating func caseName(
        _ syntax: AlternativeSyntax, _ union: Union
    ) -> Located<String>? {
        if let key = syntax.key {
            let text = key.text
            let isNumber = union.tagsAreIntegers && !text.hasPrefix("-")
            return Located(isNumber ? "value\(text)" : text.isEmpty ? "empty" : text, at: key.span)
        }
        if union.isTagged { return nil }
        switch syntax.type.form {
        case .named(let name): return Located(name, at: syntax.type.span)
        case .list: return Located("list", at: syntax.type.span)
        case .map: return Located("map", at: syntax.type.span)
        case .invalid: return nil
        case .object, .enumeration, .union:
            bag.report(
                .badUnion, "an alternative that declares a type needs a name",
                at: syntax.type.span, help: "write `one-of: { name: … }`")
            return nil
        }
    }
}

extension Union {
    /// Whether the spec names the tags.
    fileprivate var isTagged: Bool {
        if case .kind = discriminator { false } else { true }
    }
}

extension AlternativeSyntax {
    /// Whether it is a list or a map without a name.
    fileprivate var isUnnamedContainer: Bool {
        switch type.form {
        case .list, .map: key == nil && type.attributes.swift.name == nil
        default: false
        }
    }
}

extension YAMLNode {
    /// The value of a tag.
    fileprivate func tag(isInteger: Bool) -> String {
        isInteger ? integer.map(String.init) ?? text : text
    }
}

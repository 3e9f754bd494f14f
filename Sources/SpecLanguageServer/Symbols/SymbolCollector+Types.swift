import SpecDiagnostics
import SpecSyntax
import SpecTemplateRules

/// Collects what types declare and name.
extension SymbolCollector {
    /// Adds a type and all types inside of it.
    ///
    /// - Parameters:
    ///   - owner: The model or method that the type belongs to.
    ///   - scope: The type parameters of the model around it.
    mutating func add(_ type: TypeSyntax, of owner: String, _ scope: [String: Symbol] = [:]) {
        switch type.form {
        case .named(let name): self.name(name, of: type, scope)
        case .list(let element): add(element, of: owner, scope)
        case .map(let key, let value):
            add(key, of: owner, scope)
            add(value, of: owner, scope)
        case .object(let fields): add(fields, of: type, owner: owner, scope)
        case .union(let union):
            for alternative in union.alternatives { add(alternative.type, of: owner, scope) }
        case .enumeration, .invalid: break
        }
        for part in type.arguments + type.mixins { add(part, of: owner, scope) }
        for example in type.attributes.documentation.examples {
            data(example.value, of: [type])
        }
        if let rule = type.attributes.rules.first(where: { $0.name.value == .uniqueBy }) {
            follow(rule.argument.span, from: [type])
        }
    }

    private mutating func name(
        _ name: String, of type: TypeSyntax, _ scope: [String: Symbol]
    ) {
        guard !TypeNames.scalars.contains(name) else { return }
        let place = Located(name, at: type.span.part(0..<name.utf8.count))
        if let parameter = scope[name] { use(parameter, at: place) } else { use(.model, place) }
    }

    private mutating func add(
        _ fields: [ParameterSyntax], of type: TypeSyntax, owner: String, _ scope: [String: Symbol]
    ) {
        for field in fields {
            if !field.isAdditional {
                declare(
                    .field, field.key, whole: field.key.span.joined(with: field.type.extent),
                    owner: owner, type: field.type)
            }
            add(field.type, of: owner, scope)
        }
        let own = members(of: type).map { ($0.symbol.name, $0.symbol) }
        for rule in type.rules { add(rule, among: own) }
        for join in type.joins {
            declare(.field, join.name, whole: join.name.span, owner: owner)
            follow(join.path.span, from: [type])
            for source in join.sources {
                let lists = members(of: type).filter { $0.symbol.name == source.list.value }
                let elements = lists.flatMap { members(of: $0.type) }
                use(.field, source.list, among: own)
                use(
                    .field, source.keyWithoutSign,
                    among: elements.map { ($0.symbol.name, $0.symbol) })
            }
        }
    }

    /// Adds the names in a rule between fields or parameters.
    mutating func add(_ rule: CrossRuleSyntax, among known: [(name: String, Symbol)]) {
        let kind = known.first?.1.kind ?? .field
        for name in rule.names { use(kind, name, among: known) }
        if let condition = rule.condition { add(condition.expression, kind, among: known) }
    }

    private mutating func add(
        _ expression: ExpressionSyntax, _ kind: Symbol.Kind, among known: [(name: String, Symbol)]
    ) {
        switch expression.form {
        case .name(let name): use(kind, Located(name, at: expression.span), among: known)
        case .number, .text: break
        case .call(_, let inner), .not(let inner): add(inner, kind, among: known)
        case .binary(_, let left, let right):
            add(left, kind, among: known)
            add(right, kind, among: known)
        }
    }

    /// A field that a type has.
    struct Member {
        let symbol: Symbol
        /// Its key in JSON.
        let key: String
        let type: TypeSyntax
    }

    /// The fields of a type: its own, those of its mixins, and those of each alternative. Lists are
    /// passed through.
    func members(of type: TypeSyntax) -> [Member] { parts(of: type).members }

    /// The fields of a type, and the types of the values of maps. Each model counts once, and at most
    /// 200 of up to 500 characters do: a hostile spec may nest them without end.
    private func parts(of type: TypeSyntax) -> (members: [Member], values: [TypeSyntax]) {
        var (members, values) = ([Member](), [TypeSyntax]())
        var (open, seen) = ([type], Set<String>())
        while let next = open.first, seen.count < 200 {
            open.removeFirst()
            switch next.form {
            case .named(let name):
                let shown = next.shown
                guard let model = models[name], shown.utf8.count <= 500,
                    seen.insert(shown).inserted
                else { continue }
                open.append(model.bound(to: next.arguments))
            case .list(let element): open.append(element)
            case .union(let union): open += union.alternatives.map(\.type)
            case .object(let fields):
                members += fields.filter { !$0.isAdditional }.map { field in
                    let symbol = Symbol(kind: .field, name: field.key.value, place: field.key.inner)
                    let key = field.type.attributes.key?.value ?? field.key.value
                    return Member(symbol: symbol, key: key, type: field.type)
                }
                open += next.mixins
            case .map(_, let value): values.append(value)
            case .enumeration, .invalid: break
            }
        }
        return (members, values)
    }

    /// Adds the fields that a path names, as far as its steps are declared: `items[0].text`, or
    /// several between `|`.
    mutating func follow(_ span: Span, from types: [TypeSyntax]) {
        var text = sources[span.file].text(of: span)[...]
        var start = 0
        if let quote = text.first, quote == "\"" || quote == "'" {
            text = text.dropFirst().dropLast()
            start = 1
        } else if text.first == "[" {
            return
        }
        for path in text.split(separator: "|", omittingEmptySubsequences: false) {
            var types = types
            for step in path.split(separator: ".", omittingEmptySubsequences: false) {
                let key = step.drop { $0 == " " }.prefix { $0 != "[" && $0 != " " }
                guard !key.isEmpty else { continue }
                let offsets = text.utf8Range(key.startIndex..<key.endIndex)
                let place = span.part(
                    offsets.lowerBound + start..<offsets.upperBound + start)
                let all = types.flatMap { members(of: $0) }
                let found = all.filter { $0.key == key }
                if let field = found.first {
                    use(field.symbol, at: Located(String(key), at: place))
                } else {
                    index.offers[place] = all.map(\.key)
                }
                types = found.map(\.type)
            }
        }
    }

    /// Adds the fields that the keys of a value in JSON name.
    mutating func data(_ node: YAMLNode, of types: [TypeSyntax], depth: Int = 0) {
        guard depth < 64 else { return }
        switch node.kind {
        case .scalar: break
        case .sequence: for item in node.items { data(item, of: types, depth: depth + 1) }
        case .mapping:
            let all = types.map { parts(of: $0) }
            let members = all.flatMap(\.members)
            for entry in node.entries {
                let isRules = entry.key.text.hasSuffix(TemplateMember.rulesSuffix)
                let name = String(
                    entry.key.text.dropLast(isRules ? TemplateMember.rulesSuffix.count : 0))
                let found = members.filter { $0.key == name }
                if let field = found.first {
                    let place = entry.key.place(ofText: 0..<name.utf8.count)
                    use(field.symbol, at: Located(name, at: place))
                }
                let inner = found.map(\.type) + all.flatMap(\.values)
                data(entry.value, of: inner, depth: depth + 1)
            }
        }
    }
}

extension JoinSourceSyntax {
    /// The name of the field at its own place.
    fileprivate var keyWithoutSign: Located<String> {
        isNegated ? Located(key.value, at: key.span.part(1..<key.value.utf8.count + 1)) : key
    }
}

extension ModelSyntax {
    /// Its type with arguments in the place of its type parameters.
    func bound(to arguments: [TypeSyntax]) -> TypeSyntax {
        guard !parameters.isEmpty else { return type }
        let pairs = zip(parameters.map(\.value), arguments)
        return type.replacing(Dictionary(pairs) { first, _ in first })
    }
}

extension TypeSyntax {
    fileprivate func replacing(_ names: [String: TypeSyntax]) -> TypeSyntax {
        var copy = self
        copy.arguments = arguments.map { $0.replacing(names) }
        copy.mixins = mixins.map { $0.replacing(names) }
        switch form {
        case .named(let name): return names[name] ?? copy
        case .list(let element): copy.form = .list(element.replacing(names))
        case .map(let key, let value): copy.form = .map(key: key, value: value.replacing(names))
        case .object(var fields):
            for index in fields.indices { fields[index].type = fields[index].type.replacing(names) }
            copy.form = .object(fields)
        case .union(var union):
            for index in union.alternatives.indices {
                union.alternatives[index].type = union.alternatives[index].type.replacing(names)
            }
            copy.form = .union(union)
        case .enumeration, .invalid: break
        }
        return copy
    }

    /// The span from its first to its last part, attributes and fields included.
    var extent: Span {
        var spans = attributes.keys.map(\.span) + attributes.rules.map(\.argument.span)
        if let text = attributes.documentation.text { spans.append(text.span) }
        if let value = attributes.defaultValue ?? attributes.constant { spans.append(value.span) }
        if case .object(let fields) = form { spans += fields.map(\.type.extent) }
        return spans.reduce(span) { $0.joined(with: $1) }
    }
}

import SpecDiagnostics
import SpecIR

/// Decides how the alternatives of unions are told apart, when all models are known, and reports
/// those for which there is no way.
struct UnionResolver {
    private let models: [String: Model]
    private let unionKinds: [String: Set<JSONShape>]
    private let places: TypePlaces
    private var bag = DiagnosticBag()

    static func resolve(_ spec: inout ResolvedSpec, into bag: inout DiagnosticBag) {
        var resolver = UnionResolver(spec)
        spec.changeModels { resolver.resolve(&$0) }
        bag.report(contentsOf: resolver.bag)
    }

    private init(_ spec: ResolvedSpec) {
        models = spec.models.byName
        unionKinds = Self.unionKinds(models)
        places = spec.places
    }

    private mutating func resolve(_ model: inout Model) {
        for index in model.nested.indices { resolve(&model.nested[index]) }
        guard case .union(var union) = model.kind else { return }
        for index in union.cases.indices {
            union.cases[index].kinds = kinds(of: union.cases[index].value)
        }
        switch union.discriminator {
        case .key(let key): checkTagged(&union, of: model, key)
        case .content, .onlyKey: checkTags(union, of: model)
        case .kind: tellApart(&union, of: model)
        }
        model.kind = .union(union)
    }

    // MARK: Kinds of JSON

    /// The kinds of JSON that values of a type may have, also those of a union.
    private func kinds(of value: Value) -> Set<JSONShape> {
        guard case .union(let name) = value.type, value.from == .native else {
            return value.shapes(in: models)
        }
        return unionKinds[name] ?? []
    }

    /// The kinds of each union. Unions may be alternatives of each other, so each union passes its
    /// kinds on until nothing changes.
    private static func unionKinds(_ models: [String: Model]) -> [String: Set<JSONShape>] {
        var kinds: [String: Set<JSONShape>] = [:]
        var holders: [String: [String]] = [:]
        for (name, model) in models {
            guard case .union(let union) = model.kind else { continue }
            guard case .kind = union.discriminator else {
                kinds[name] = [.object]
                continue
            }
            kinds[name] = union.cases.reduce(into: []) { $0.formUnion($1.value.shapes(in: models)) }
            let plain = union.cases.map(\.value).filter { $0.from == .native }
            for case .union(let inner) in plain.map(\.type) {
                holders[inner, default: []].append(name)
            }
        }
        var open = Array(kinds.keys)
        while let name = open.popLast() {
            for holder in holders[name] ?? [] {
                let before = kinds[holder]
                kinds[holder, default: []].formUnion(kinds[name] ?? [])
                if kinds[holder] != before { open.append(holder) }
            }
        }
        return kinds
    }

    private mutating func tellApart(_ union: inout Union, of model: Model) {
        var owners: [JSONShape: Int] = [:]
        for (index, item) in union.cases.enumerated() {
            if item.value.isNullable {
                report(
                    .badUnion, message: "an alternative cannot be null by itself", item: item,
                    model: model,
                    help: "write `| null` where the union is used")
            }
            for kind in item.kinds.sorted() {
                guard let owner = owners[kind] else {
                    owners[kind] = index
                    continue
                }
                if kind == .object, item.kinds == [.object],
                    union.cases[owner].kinds == [.object]
                {
                    continue
                }
                reportIndistinct(
                    union.cases[owner], other: item, model: model,
                    because: "both may be \(kind.words) in JSON",
                    help: "keep one of them, or tell them apart by a `tag`")
                return
            }
        }
        let objects = union.cases.indices.filter { union.cases[$0].kinds == [.object] }
        if objects.count > 1 { tellApart(objects: objects, in: &union, of: model) }
    }

    // MARK: Objects

    private mutating func tellApart(
        objects: [Int], in union: inout Union, of model: Model
    ) {
        var fields: [[Field]] = []
        for index in objects {
            guard let known = self.fields(of: union.cases[index].value.type) else {
                reportOpen(index, among: objects, union: union, model: model)
                return
            }
            fields.append(known)
        }
        if let (key, tags, areIntegers) = constants(fields) {
            union.discriminator = .kind(.key(key))
            union.tagsAreIntegers = areIntegers
            for (index, tag) in zip(objects, tags) { union.cases[index].tag = tag }
            return
        }
        if let open = fields.firstIndex(where: { $0.contains(where: \.isAdditional) }) {
            reportOpen(objects[open], among: objects, union: union, model: model)
            return
        }
        var owners: [String: Int] = [:]
        for key in fields.flatMap({ Set($0.map(\.outerKey)) }) { owners[key, default: 0] += 1 }
        for (place, index) in objects.enumerated() {
            let own = fields[place].first { $0.isAlwaysReceived && owners[$0.key] == 1 }
            guard let own else {
                let keys = Set(fields[place].filter(\.isAlwaysReceived).map(\.key))
                let covering = objects.indices.first { other in
                    other != place && keys.isSubset(of: fields[other].map(\.outerKey))
                }
                let other = covering ?? (place == 0 ? 1 : 0)
                reportIndistinct(
                    union.cases[index], other: union.cases[objects[other]], model: model,
                    because: "`\(union.cases[index].apiName)` has no required key of its own",
                    help: "give the union a `tag`, each a field with a `const` of its own, or "
                        + "`\(union.cases[index].apiName)` a required key that no other has")
                return
            }
            union.cases[index].tag = own.key
        }
        union.discriminator = .kind(.ownKeys)
    }

    /// The fields of an object; nil if its keys are not known.
    private func fields(of type: ValueType) -> [Field]? {
        guard case .object(let name) = type, let model = models[name], !model.isArray,
            case .object(let fields) = model.kind
        else { return nil }
        return fields
    }

    /// The first key of which each object has another constant, with the constants.
    private func constants(_ objects: [[Field]]) -> (
        key: String, tags: [String], areIntegers: Bool
    )? {
        let tags = objects.map { fields in
            let tags = fields.filter(\.isAlwaysReceived).compactMap { field in
                tag(field).map { (field.key, $0) }
            }
            return Dictionary(tags) { first, _ in first }
        }
        for key in objects[0].map(\.key) {
            let found = tags.compactMap { $0[key] }
            let areIntegers = found.allSatisfy(\.isInteger)
            if found.count == objects.count, Set(found.map(\.text)).count == found.count,
                areIntegers || !found.contains(where: \.isInteger)
            {
                return (key, found.map(\.text), areIntegers)
            }
        }
        return nil
    }

    /// The only value of a field: a constant, or that of an enumeration with one value.
    private func tag(_ field: Field) -> (text: String, isInteger: Bool)? {
        guard !field.value.isNullable, field.value.from == .native else { return nil }
        let values = allowed(field)
        guard let value = values?.first, values?.count == 1 else { return nil }
        switch field.value.type {
        case .string(.native), .enumeration(_, false): return (value, false)
        case .integer(_, .native), .enumeration(_, true): return (value, true)
        default: return nil
        }
    }

    /// The values that a field may have; nil if they are not limited.
    private func allowed(_ field: Field) -> [String]? {
        var enumeration: Enumeration?
        if case .enumeration(let name, _) = field.value.type,
            case .enumeration(let values)? = models[name]?.kind
        {
            enumeration = values
        }
        for case .literal(let literal) in field.value.rules.map(\.argument) {
            switch literal {
            case .string(let text), .integer(let text): return [text]
            case .enumerationCase(let name):
                return enumeration?.cases.filter { $0.name == name }.map(\.value)
            default: return []
            }
        }
        return enumeration?.cases.map(\.value)
    }

    // MARK: Tags

    private mutating func checkTags(_ union: Union, of model: Model) {
        var seen: Set<String> = []
        for item in union.cases where !seen.insert(item.tag).inserted {
            report(
                .duplicateCase, message: "tag `\(item.tag)` is listed twice", item: item,
                model: model)
        }
    }

    /// Checks a union whose tag is a key of its alternatives.
    private mutating func checkTagged(_ union: inout Union, of model: Model, _ key: String) {
        checkTags(union, of: model)
        for index in union.cases.indices {
            let item = union.cases[index]
            guard let fields = fields(of: item.value.type), !item.value.isNullable,
                item.value.from == .native
            else {
                // A model with an error has already been reported.
                if case .object(let name) = item.value.type, models[name] == nil { continue }
                report(
                    .badUnion,
                    message: "an alternative with the key `\(key)` must be a model with fields",
                    item: item, model: model,
                    help: "declare one; or if the alternative is the value of another key, name "
                        + "that: `content: data`")
                continue
            }
            guard let field = fields.first(where: { $0.outerKey == key && !$0.isAdditional }) else {
                if limitsKeys(item) {
                    report(
                        .badUnion, message: "`\(item.apiName)` does not ignore the key `\(key)`",
                        item: item,
                        model: model,
                        help: "declare it there: `\(key): { const: \(item.tag) }`")
                }
                continue
            }
            union.cases[index].tagField = field
            if let problem = problem(of: field, tag: item.tag, union) {
                report(
                    .badUnion, message: "field `\(key)` of `\(item.apiName)` \(problem)",
                    item: item, model: model,
                    help: "remove the field, because the union reads and writes the tag")
            }
        }
    }

    /// Whether an object refuses or keeps keys without a field.
    private func limitsKeys(_ item: UnionCase) -> Bool {
        guard case .object(let name) = item.value.type, let model = models[name],
            case .object(let fields) = model.kind
        else { return false }
        return model.isClosed || fields.contains(where: \.isAdditional)
    }

    private func problem(of field: Field, tag: String, _ union: Union) -> String? {
        guard field.steps.isEmpty else { return "is an object, but it is the tag" }
        guard field.isRequired, !field.value.isNullable else {
            return "may be missing or null, but it is the tag"
        }
        switch field.value.type {
        case _ where field.value.from != .native: return "cannot hold a tag"
        case .string(.native), .enumeration(_, false):
            if union.tagsAreIntegers { return "is text, but the tags are integers" }
        case .integer(_, .native), .enumeration(_, true):
            if !union.tagsAreIntegers { return "is an integer, but the tags are texts" }
        default: return "cannot hold a tag"
        }
        return allowed(field)?.contains(tag) == false ? "cannot be `\(tag)`" : nil
    }

    // MARK: Reports

    private mutating func reportOpen(
        _ index: Int, among objects: [Int], union: Union, model: Model
    ) {
        let other = objects.first { $0 != index } ?? index
        reportIndistinct(
            union.cases[index], other: union.cases[other], model: model,
            because: "`\(union.cases[index].apiName)` may be an object with any keys",
            help: "give the union a `tag`")
    }

    private mutating func reportIndistinct(
        _ one: UnionCase, other: UnionCase, model: Model, because reason: String, help: String
    ) {
        let place = places.fields[model.qualifiedName]?[one.name]
        report(
            .indistinctAlternatives,
            message: "`\(one.apiName)` and `\(other.apiName)` cannot be told apart: \(reason)",
            item: other, model: model,
            notes: place.map { [Diagnostic.Note("`\(one.apiName)` is here", at: $0)] } ?? [],
            help: help)
    }

    private mutating func report(
        _ code: DiagnosticCode, message: String, item: UnionCase, model: Model,
        notes: [Diagnostic.Note] = [], help: String? = nil
    ) {
        guard let place = places.fields[model.qualifiedName]?[item.name] else { return }
        bag.report(code, message, at: place, notes: notes, help: help)
    }
}

extension Field {
    /// Whether each received object has the key.
    fileprivate var isAlwaysReceived: Bool {
        isRequired && only != .request && !isAdditional && steps.isEmpty
    }

    /// The key in the object itself, through which the field is reached.
    fileprivate var outerKey: String { steps.first ?? key }
}

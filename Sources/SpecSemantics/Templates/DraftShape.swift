import SpecIR
import SpecTemplateRules

/// The shape of replies as a template shows it, with what the declared type adds: the keys that may
/// be missing, and the alternatives of unions, which are objects of their own.
struct DraftShape {
    /// A key of an object.
    struct Field {
        let key: String
        let isOptional: Bool
        let shape: DraftShape
        /// Whether its value tells an alternative of a union, and is no secret.
        var isTag = false
    }

    /// A part of the declared type, and the steps that lead to it from a value.
    struct Part {
        var path: ArraySlice<PathStep> = []
        var value: Value
        var isRequired = true

        /// The same part, seen from behind the first step.
        var next: Part { Part(path: path.dropFirst(), value: value, isRequired: isRequired) }
    }

    /// The kinds of the value; empty if nothing is known of it.
    let kinds: TemplateKinds
    let isNullable: Bool
    private let samples: [TemplateNode]
    /// The fields of each object that cannot be merged with another one.
    private(set) var objects: [[Field]] = []
    /// The shape of all elements of a list, none or one.
    private(set) var elements: [DraftShape] = []
    /// The shapes of the elements of a list by their places, where their number matters.
    private(set) var positions: [DraftShape] = []
    /// Whether a step of the declaration leads to one element of a list by its place.
    private(set) var isByPlace = false
    /// How many elements of a list are needed to show all kinds of the value.
    private(set) var variantCount = 1
    /// The declared types of the value, without unions that kinds of JSON tell apart.
    private let types: [Value]

    /// Describes replies.
    ///
    /// - Parameter parts: What is declared of the value or inside it; none for an unknown type.
    init(_ shape: TemplateShape, as parts: [Part], in models: [String: Model]) {
        let values = parts.filter(\.path.isEmpty).map(\.value)
        types = values.flatMap { $0.alternatives(in: models) }
        isNullable = shape.isNullable
        samples = shape.samples
        let hasFractions = types.contains {
            $0.kinds(in: models).subtracting(.string) == .anyNumber
        }
        kinds =
            hasFractions && shape.kinds.contains(.integer)
            ? shape.kinds.subtracting(.integer).union(.number) : shape.kinds
        objects = Self.objects(of: shape, as: parts, values, in: models)
        setElements(of: shape, as: parts, in: models)
        let others = TemplateKinds.each.count { kinds.contains($0) && $0 != .object }
        let nulls = isNullable && !kinds.isEmpty ? 1 : 0
        variantCount = max(1, objects.map(Self.count).reduce(0, +) + others + nulls)
    }

    // MARK: Parts

    private static func objects(
        of shape: TemplateShape, as parts: [Part], _ values: [Value], in models: [String: Model]
    ) -> [[Field]] {
        guard shape.kinds.contains(.object) else { return [] }
        guard let union = values.lazy.compactMap({ $0.type.union(in: models) }).first else {
            return [fields(of: shape, as: parts, values, in: models)]
        }
        var groups: [(alternative: Int?, part: Part?, samples: [TemplateNode])] = []
        for sample in shape.samples where sample.kinds == .object {
            let found = union.alternative(of: sample)
            if let place = groups.firstIndex(where: { $0.alternative == found?.index }) {
                groups[place].samples.append(sample)
            } else {
                groups.append((found?.index, found?.part, [sample]))
            }
        }
        return groups.flatMap { group in
            let shape = TemplateReading(replies: group.samples).shape
            let part = group.part.map { [$0] } ?? []
            var objects = DraftShape(shape, as: part, in: models).objects
            guard group.part != nil, let tag = union.tagKey else { return objects }
            for object in objects.indices {
                for field in objects[object].indices where objects[object][field].key == tag {
                    objects[object][field].isTag = true
                }
            }
            return objects
        }
    }

    private static func fields(
        of shape: TemplateShape, as parts: [Part], _ values: [Value], in models: [String: Model]
    ) -> [Field] {
        var rest: Value?
        var inner = parts
        for value in values {
            switch value.type {
            case .map(_, let element): rest = element
            case .object(let name):
                guard case .object(let fields) = models[name]?.kind else { continue }
                for field in fields where field.only != .request {
                    if field.isAdditional {
                        if case .map(_, let element) = field.value.type { rest = element }
                        continue
                    }
                    let path = (field.steps + [field.key]).map(PathStep.key)
                    inner.append(
                        Part(path: path[...], value: field.value, isRequired: field.isRequired))
                }
            default: continue
            }
        }
        let byKey = Dictionary(grouping: inner, by: \.path.first)
        return shape.fields.map { field in
            let own = byKey[.key(field.key)] ?? []
            let parts = own.isEmpty ? rest.map { [Part(value: $0)] } ?? [] : own.map(\.next)
            return Field(
                key: field.key,
                isOptional: field.isOptional || !own.isEmpty && !own.contains(where: \.isRequired),
                shape: DraftShape(field.shape, as: parts, in: models))
        }
    }

    private mutating func setElements(
        of shape: TemplateShape, as parts: [Part], in models: [String: Model]
    ) {
        var inner = parts.filter { $0.path.first?.isElement == true }
        isByPlace = !inner.isEmpty
        inner = inner.map(\.next)
        var hasRules = false
        for case (.list(let element), let rules) in types.map({ ($0.type, $0.rules) }) {
            inner.append(Part(value: element))
            hasRules = hasRules || !rules.isEmpty
        }
        elements = shape.elements.map { DraftShape($0, as: inner, in: models) }
        guard isByPlace || hasRules else { return }
        let lists = samples.compactMap(\.items)
        positions = (0..<(lists.map(\.count).max() ?? 0)).map { place in
            let items = lists.filter { place < $0.count }.map { $0[place] }
            return DraftShape(TemplateReading(replies: items).shape, as: inner, in: models)
        }
    }

    // MARK: Variants

    /// How many objects show all kinds of these fields.
    private static func count(_ fields: [Field]) -> Int {
        max(1, fields.map(\.shape.variantCount).max() ?? 1)
    }

    /// Whether one value cannot show all of them.
    var isOfSeveralKinds: Bool {
        max(0, objects.count - 1) + TemplateKinds.each.count { kinds.contains($0) }
            + (isNullable ? 1 : 0) > 1
    }

    /// What a variant is: an object, with its number among those with the same fields, or a value
    /// of another kind; nil for null. Beyond the last variant it is the last one.
    func variant(_ number: Int) -> (fields: [Field]?, number: Int, kind: TemplateKinds)? {
        var number = min(number, variantCount - 1)
        for fields in objects {
            let count = Self.count(fields)
            if number < count { return (fields, number, .object) }
            number -= count
        }
        let others = TemplateKinds.each.filter { kinds.contains($0) && $0 != .object }
        return others.indices.contains(number) ? (nil, number, others[number]) : nil
    }

    // MARK: Values

    /// A scalar of the kind in the replies, which a type may have; an integer is written as the
    /// fraction that is declared.
    func sample(_ kind: TemplateKinds) -> TemplateNode? {
        if let sample = samples.first(where: { $0.kinds == kind && $0.isOrdinary }) {
            return sample
        }
        guard case .number(let text)? = samples.first(where: { $0.kinds == .integer })?.value else {
            return nil
        }
        return TemplateNode(.number(text + ".0"), at: 0..<0)
    }

    /// Whether a value that no reply has is one of the declared types: a placeholder.
    func allows(placeholder node: TemplateNode) -> Bool {
        obeysRules(node)
            && types.allSatisfy {
                switch $0.type {
                case .string, .integer(_, from: .native), .double(from: .native),
                    .decimal(from: .native), .bool(.trueFalse), .json, .list, .map, .object:
                    true
                default: false
                }
            }
    }

    /// Whether a value obeys the rules of its declared types that the compiler knows.
    func obeysRules(_ node: TemplateNode) -> Bool {
        types.allSatisfy { type in
            node.kinds.isDisjoint(with: type.kinds(in: [:]))
                || !type.rules.contains { $0.isBroken(by: Literal(node)) }
        }
    }
}

extension TemplateKinds {
    fileprivate static let anyNumber: TemplateKinds = [.integer, .number]
}

extension PathStep {
    fileprivate var isElement: Bool { if case .key = self { false } else { true } }
}

extension TemplateNode {
    fileprivate var items: [TemplateNode]? {
        if case .array(let items) = value { items } else { nil }
    }

    /// Whether a number is one that types have: neither too large nor too close to 0.
    fileprivate var isOrdinary: Bool {
        guard kinds == .number, let number = tag.flatMap(Double.init) else { return true }
        return number.isNormal || number == 0
    }

    /// The tag that a text or a number is.
    fileprivate var tag: String? {
        switch value {
        case .string(let text), .number(let text): text
        default: nil
        }
    }
}

extension Literal {
    fileprivate init(_ node: TemplateNode) {
        switch node.value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .number(let text): self = .number(text)
        case .string(let text): self = .string(text)
        case .array(let items): self = .list(items.map { Literal($0) })
        case .object(let members):
            self = .map(
                members.filter { !$0.isRules }.map {
                    LiteralEntry(key: .string($0.key), value: Literal($0.value))
                })
        }
    }
}

extension ValueType {
    fileprivate func union(in models: [String: Model]) -> Union? {
        guard case .union(let name) = self, case .union(let union) = models[name]?.kind else {
            return nil
        }
        return union
    }
}

extension Value {
    /// The types that kinds of JSON tell apart; the value itself if it is no such union.
    fileprivate func alternatives(in models: [String: Model]) -> [Value] {
        var found: [Value] = []
        var seen: [ValueType] = []
        var open = [self]
        while let value = open.popLast() {
            guard let union = value.type.union(in: models), case .kind = union.discriminator else {
                found.append(value)
                continue
            }
            if seen.contains(value.type) { continue }
            seen.append(value.type)
            open += union.cases.map(\.value)
        }
        return found
    }
}

extension Union {
    /// The key whose value is the tag.
    fileprivate var tagKey: String? {
        switch discriminator {
        case .key(let key), .content(_, tag: let key), .kind(.key(let key)): key
        case .onlyKey, .kind: nil
        }
    }

    /// The alternative that an object is, with the declared part of it; nil for an unknown one.
    fileprivate func alternative(of node: TemplateNode) -> (index: Int, part: DraftShape.Part)? {
        guard case .object(let members) = node.value else { return nil }
        func tagged(_ tag: String?, _ path: ArraySlice<PathStep> = []) -> (Int, DraftShape.Part)? {
            cases.firstIndex { $0.tag == tag && (!path.isEmpty || $0.kinds.contains(.object)) }
                .map { ($0, DraftShape.Part(path: path, value: cases[$0].value)) }
        }
        switch discriminator {
        case .key(let key): return tagged(node[key]?.tag)
        case .content(let content, let key):
            let tag = node[key]?.tag
            return tagged(tag, [.key(content ?? tag ?? "")])
        case .onlyKey:
            return members.first.flatMap { tagged($0.key, [.key($0.key)]) }
        case .kind(.key(let key)): return tagged(node[key]?.tag)
        case .kind(.ownKeys): return members.lazy.compactMap { tagged($0.key) }.first
        case .kind(.one):
            return cases.firstIndex { $0.kinds.contains(.object) }
                .map { ($0, DraftShape.Part(value: cases[$0].value)) }
        }
    }
}

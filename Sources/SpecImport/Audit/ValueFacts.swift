import SpecIR

/// The kinds of JSON that a value may have besides null.
struct JSONKinds: OptionSet, Hashable {
    let rawValue: UInt8

    static let string = Self(rawValue: 1)
    static let integer = Self(rawValue: 2)
    /// A number that need not be whole.
    static let fraction = Self(rawValue: 4)
    static let boolean = Self(rawValue: 8)
    static let array = Self(rawValue: 16)
    static let object = Self(rawValue: 32)
    static let number: Self = [.integer, .fraction]
    static let any: Self = [.string, .number, .boolean, .array, .object]

    var words: String {
        if self == .any { return "any value" }
        let names: [(Self, String)] = [
            (.string, "string"), (.fraction, "number"), (.boolean, "boolean"), (.array, "array"),
            (.object, "object"),
        ]
        var words = names.filter { contains($0.0) }.map(\.1)
        if contains(.integer), !contains(.fraction) { words.append("integer") }
        return words.isEmpty ? "null" : words.joined(separator: " or ")
    }
}

/// A node that has facts, or several that hold together or are alternatives.
indirect enum FactPlace<Node> {
    case one(Node)
    case all([FactPlace])
    case any([FactPlace])
}

/// What is known about the values of a place, in one direction.
struct ValueFacts<Node> {
    /// Whether null is a value.
    enum Null {
        /// Nothing is said.
        case unsaid
        /// The keys say what objects, lists or texts have, without a type.
        case implied
        case no
        case yes
        /// Null is allowed, and no type is said.
        case added
        case unclear
    }

    var kinds = JSONKinds.any
    /// Whether the kinds follow from other keys than the type.
    var isImplied = false
    /// Whether the number may be whole or not.
    var isNumberUnclear = false
    var null = Null.unsaid
    var fields: [String: FieldFacts<Node>] = [:]
    /// The elements of a list.
    var items: FactPlace<Node>?
    /// The values of keys without a field.
    var further: FactPlace<Node>?
    /// Whether any further keys are expressly allowed.
    var isOpen = false
    /// Whether the text stands for bytes as they are.
    var isBinary = false
    /// Whether the text is base64 for URLs.
    var isBase64URL = false
}

/// What is known about a key of an object.
struct FieldFacts<Node> {
    enum Presence {
        case optional
        case required
        /// Required by each alternative that has it.
        case partly
        /// Required by some of the alternatives that have it.
        case mixed
    }

    /// Its values; nil if the key is only required.
    var place: FactPlace<Node>?
    var presence = Presence.optional
    /// Whether it belongs to the other direction.
    var isHidden = false
}

/// One side of the comparison.
protocol FactReader {
    associatedtype Node
    func facts(of node: Node, _ direction: Field.Direction) -> ValueFacts<Node>
}

extension FactPlace {
    /// The nodes, in order.
    var nodes: [Node] {
        switch self {
        case .one(let node): [node]
        case .all(let places), .any(let places): places.flatMap(\.nodes)
        }
    }

    /// Whether it consists of at most so many nodes.
    func isSmall(_ most: Int = 100) -> Bool {
        var count = 0
        var open = [self]
        while let place = open.popLast(), count <= most {
            switch place {
            case .one: count += 1
            case .all(let places), .any(let places): open += places
            }
        }
        return count <= most
    }

    /// One of several places; nil if one of them is unknown.
    fileprivate static func any(_ places: [FactPlace?]) -> FactPlace? {
        let known = places.compactMap { $0 }
        guard known.count == places.count, let first = known.first else { return nil }
        return known.count == 1 ? first : .any(known)
    }
}

extension FactReader {
    func facts(_ place: FactPlace<Node>, _ direction: Field.Direction) -> ValueFacts<Node> {
        switch place {
        case .one(let node): facts(of: node, direction)
        case .all(let places):
            places.reduce(into: ValueFacts()) { $0.formIntersection(facts($1, direction)) }
        case .any(let places): .union(places.map { facts($0, direction) })
        }
    }
}

extension ValueFacts {
    /// Adds what else holds.
    mutating func formIntersection(_ other: Self) {
        isImplied =
            isImplied && other.isImplied || isImplied && other.kinds == .any
            || other.isImplied && kinds == .any
        isNumberUnclear = isNumberUnclear || other.isNumberUnclear
        let common = kinds.intersection(other.kinds)
        if common.isEmpty, !kinds.isEmpty || !other.kinds.isEmpty {
            // A contradiction says nothing that could be compared.
            (kinds, isImplied) = (.any, true)
        } else {
            kinds = common
        }
        null = null.and(other.null)
        for (name, field) in other.fields {
            guard let own = fields[name] else {
                fields[name] = field
                continue
            }
            fields[name] = own.and(field)
        }
        items = Self.joined(items, other.items) { .all($0) }
        further = Self.joined(further, other.further) { .all($0) }
        isOpen = isOpen || other.isOpen
        isBinary = isBinary || other.isBinary
        isBase64URL = isBase64URL || other.isBase64URL
    }

    /// What is known of values that are one of several.
    static func union(_ all: [Self]) -> Self {
        guard all.count != 1 else { return all[0] }
        var union = Self()
        union.kinds = []
        var (objects, lists) = ([Self](), [FactPlace<Node>?]())
        var (hasNull, isNeverNull) = (false, true)
        for facts in all {
            union.kinds.formUnion(facts.kinds)
            union.isImplied = union.isImplied || facts.isImplied
            union.isNumberUnclear = union.isNumberUnclear || facts.isNumberUnclear
            union.isBinary = union.isBinary || facts.isBinary
            union.isBase64URL = union.isBase64URL || facts.isBase64URL
            hasNull = hasNull || facts.null == .yes || facts.null == .added
            isNeverNull = isNeverNull && facts.null == .no
            if facts.kinds.contains(.object) { objects.append(facts) }
            if facts.kinds.contains(.array) { lists.append(facts.items) }
        }
        union.null = hasNull ? .yes : isNeverNull ? .no : .unclear
        union.items = .any(lists)
        guard !objects.isEmpty else { return union }
        union.isOpen = objects.allSatisfy { $0.isOpen }
        union.further = .any(objects.map { $0.further })
        for object in objects {
            for name in object.fields.keys where union.fields[name] == nil {
                union.fields[name] = .union(objects.map { $0.fields[name] })
            }
        }
        return union
    }

    private static func joined(
        _ one: FactPlace<Node>?, _ other: FactPlace<Node>?,
        by join: ([FactPlace<Node>]) -> FactPlace<Node>
    ) -> FactPlace<Node>? {
        guard let one, let other else { return one ?? other }
        return join([one, other])
    }
}

extension ValueFacts.Null {
    fileprivate func and(_ other: Self) -> Self {
        if self == other { return self }
        switch (self, other) {
        case (.unsaid, let null), (let null, .unsaid): return null
        case (.added, _), (_, .added): return .added
        case (.implied, .no), (.no, .implied): return .no
        default: return .unclear
        }
    }
}

extension FieldFacts {
    fileprivate func and(_ other: Self) -> Self {
        var field = self
        field.isHidden = isHidden || other.isHidden
        if let own = place, let more = other.place {
            field.place = .all([own, more])
        } else {
            field.place = place ?? other.place
        }
        switch (presence, other.presence) {
        case (.required, _), (_, .required): field.presence = .required
        case (.optional, .optional): break
        default: field.presence = .mixed
        }
        return field
    }

    /// The key in alternatives, some of which may not have it.
    fileprivate static func union(_ all: [Self?]) -> Self {
        let found = all.compactMap { $0 }
        let shown = found.filter { !$0.isHidden }
        let owners = shown.isEmpty ? found : shown
        // An alternative that only requires the key allows any value.
        var field = Self(place: .any(owners.map { $0.place }))
        field.isHidden = shown.isEmpty
        if owners.allSatisfy({ $0.presence == .optional }) { return field }
        if found.count == all.count, owners.allSatisfy({ $0.presence == .required }) {
            field.presence = .required
        } else if owners.contains(where: { $0.place != nil }),
            owners.allSatisfy({ $0.presence == .required || $0.presence == .partly })
        {
            field.presence = .partly
        } else {
            field.presence = .mixed
        }
        return field
    }
}

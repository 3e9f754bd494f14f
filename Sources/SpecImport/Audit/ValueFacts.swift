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
    func facts(of node: Node, _ direction: FactDirection) -> ValueFacts<Node>
}

/// The direction in which values are sent.
enum FactDirection: Hashable { case request, reply }

extension FactPlace {
    /// The nodes, in order.
    var nodes: [Node] {
        switch self {
        case .one(let node): [node]
        case .all(let places), .any(let places): places.flatMap(\.nodes)
        }
    }

    /// One of several places; nil if one of them is unknown.
    fileprivate static func any(_ places: [FactPlace?]) -> FactPlace? {
        let known = places.compactMap(\.self)
        guard known.count == places.count, let first = known.first else { return nil }
        return known.count == 1 ? first : .any(known)
    }
}

extension FactReader {
    func facts(_ place: FactPlace<Node>, _ direction: FactDirection) -> ValueFacts<Node> {
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
        union.kinds = all.reduce([]) { $0.union($1.kinds) }
        union.isImplied = all.contains(where: \.isImplied)
        union.isNumberUnclear = all.contains(where: \.isNumberUnclear)
        union.null = Null.any(all.map(\.null))
        union.isBinary = all.contains(where: \.isBinary)
        union.isBase64URL = all.contains(where: \.isBase64URL)
        let objects = all.filter { $0.kinds.contains(.object) }
        union.isOpen = !objects.isEmpty && objects.allSatisfy(\.isOpen)
        union.items = .any(all.filter { $0.kinds.contains(.array) }.map(\.items))
        union.further = .any(objects.map(\.further))
        for name in Set(objects.flatMap(\.fields.keys)) {
            union.fields[name] = .union(objects.map { $0.fields[name] })
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

    fileprivate static func any(_ all: [Self]) -> Self {
        if all.contains(where: { $0 == .yes || $0 == .added }) { return .yes }
        return all.allSatisfy { $0 == .no } ? .no : .unclear
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
        let found = all.compactMap(\.self)
        let shown = found.filter { !$0.isHidden }
        let owners = shown.isEmpty ? found : shown
        let places = owners.compactMap(\.place)
        // An alternative that only requires the key allows any value.
        let place = FactPlace.any(owners.map(\.place))
        let isEverywhere = found.count == all.count
        let presences = owners.map(\.presence)
        var field = Self(place: place)
        field.isHidden = shown.isEmpty
        if presences.allSatisfy({ $0 == .optional }) { return field }
        if presences.allSatisfy({ $0 == .required }), isEverywhere {
            field.presence = .required
        } else if !places.isEmpty, presences.allSatisfy({ $0 == .required || $0 == .partly }) {
            field.presence = .partly
        } else {
            field.presence = .mixed
        }
        return field
    }
}

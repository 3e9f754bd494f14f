import SpecDiagnostics
import SpecIR
import SpecSyntax

/// What a mapping of a spec is, which says what its keys are.
enum SpecRole {
    case file, methods, method, types, type, settings
    /// JSON, in which null is a value.
    case json

    /// A text among `parameters` and `headers` of a file is a constant, and no type.
    private static let ofFile: [String: SpecRole] = [
        "methods": .methods, "models": .types, "path": .types,
    ]
    private static let ofMethod: [String: SpecRole] = [
        "path": .types, "query": .types, "headers": .types, "form": .types, "json": .types,
        "multipart": .types, "params": .types, "reply-headers": .types, "body": .type,
        "returns": .type, "examples": .json,
    ]
    private static let ofType: [String: SpecRole] = [
        "type": .type, "fields": .types, "one-of": .types, "additional": .type,
        "example": .json, "examples": .json, "const": .json, "default": .json,
    ]

    /// The role of a key's value.
    ///
    /// - Parameter isShort: Whether the mapping is a type without a key of the long form, so that
    ///   its keys are fields.
    func ofValue(_ key: String, isShort: Bool) -> SpecRole {
        switch self {
        case .file: Self.ofFile[key] ?? .settings
        case .methods: .method
        case .method: Self.ofMethod[key] ?? .settings
        case .types: .type
        case .type: isShort ? .type : Self.ofType[key] ?? .settings
        case .settings: .settings
        case .json: .json
        }
    }

    /// Whether the keys are names of the API, so that a missing mapping is an empty one.
    var hasNames: Bool { self == .methods || self == .types }
}

/// A key with its value: of a mapping, or of the long form that a type in short form stands for.
struct SpecMember {
    let name: String
    var isQuoted = false
    let value: YAMLNode
    /// The place of the key.
    var span: Span { key?.span ?? value.span }
    private var key: YAMLNode?

    init(_ name: String, _ value: YAMLNode) {
        self.name = name
        self.value = value
    }

    init(_ entry: YAMLEntry) {
        self.init(entry.key.text, entry.value)
        isQuoted = !entry.key.isPlain
        key = entry.key
    }

    /// Whether it says all of what it declares, if its key is a name.
    func isWhole(as role: SpecRole, isName: Bool) -> Bool {
        guard isName, value.kind == .mapping else { return !value.isNull }
        let keys = value.entries.map(\.key.text)
        return role == .method
            ? keys.contains { HTTPVerb.keys.contains($0) || ["method", "call"].contains($0) }
            : value.isLongForm || !keys.isEmpty && !value.hasAttributes
    }
}

extension YAMLNode {
    /// Whether it is the long form of a type, if it is a type.
    var isLongForm: Bool { entries.contains { TypeNames.bases.contains($0.key.text) } }

    /// Whether it has attributes of a type, if it is a type.
    var hasAttributes: Bool { entries.contains { TypeNames.isAttribute($0.key.text) } }

    /// The keys and values; nil for what has none.
    ///
    /// - Parameter isLong: Whether a type in short form counts as the long form: `int` as
    ///   `{ type: int }`, `{ id: int }` as `{ fields: { id: int } }`.
    func members(isLong: Bool) -> [SpecMember]? {
        guard !isLong || isLongForm || hasAttributes else {
            return [SpecMember(kind == .mapping ? "fields" : "type", self)]
        }
        return kind == .mapping ? entries.map(SpecMember.init) : nil
    }

    /// Whether two values mean the same to the compiler, whatever their layout. The order of keys
    /// means nothing.
    func means(_ other: YAMLNode?, as role: SpecRole) -> Bool {
        guard let other else { return false }
        let (left, right) = role == .type ? (shortest, other.shortest) : (self, other)
        guard left.kind == right.kind else { return false }
        switch left.kind {
        case .scalar: return left.text == right.text && left.literal == right.literal
        case .sequence:
            let (own, others) = (left.items, right.items)
            return own.count == others.count
                && zip(own, others).allSatisfy { $0.means($1, as: role) }
        case .mapping:
            let (own, isShort) = (left.entries, role == .type && !left.isLongForm)
            let others = Dictionary(
                right.entries.map { ($0.key.text, $0.value) }, uniquingKeysWith: { $1 })
            return own.count == others.count
                && own.allSatisfy { entry in
                    let key = entry.key.text
                    let role = role.ofValue(key, isShort: isShort)
                    return entry.value.means(others[key], as: role)
                }
        }
    }

    /// The short form of a type that has one.
    private var shortest: YAMLNode {
        let entries = entries
        guard entries.count == 1 else { return self }
        let (key, value) = (entries[0].key.text, entries[0].value)
        if key == "type" { return value.shortest }
        return key == "fields" && value.kind == .mapping && !value.isLongForm ? value : self
    }

    /// The number, the Boolean or null that a word without quotes may be.
    var literal: String? {
        isNull ? "null" : boolean.map { "\($0)" } ?? numberText ?? double.map { "\($0)" }
    }
}

extension YAMLNode? {
    /// Whether both are missing, or mean the same.
    func means(_ other: YAMLNode?, as role: SpecRole) -> Bool {
        self.map { $0.means(other, as: role) } ?? (other == nil)
    }
}

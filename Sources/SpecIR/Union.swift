/// The alternatives of which a value is one.
public struct Union: Sendable, Equatable {
    /// How received values are told apart.
    public enum Discriminator: Sendable, Equatable {
        /// By a key inside the object, whose value is the tag.
        case key(String)
        /// By a key whose value is the tag; the alternative is the value of `content`, or if that is
        /// nil, of the key that the tag names.
        case content(String?, tag: String)
        /// By the object's only key, which is the tag; the alternative is its value.
        case onlyKey
        /// By the kind of JSON, and objects among themselves.
        case kind(Objects)
    }

    /// How several alternatives that are objects are told apart.
    public enum Objects: Sendable, Equatable {
        /// At most one alternative is an object.
        case one
        /// By a key whose value is the tag, a constant of each.
        case key(String)
        /// By a required key that no other alternative has; it is the tag.
        case ownKeys
    }

    /// How received values are told apart.
    public var discriminator: Discriminator
    /// Whether tags are integers; otherwise they are text.
    public var tagsAreIntegers: Bool
    /// Whether an unknown alternative is a violation; otherwise it is kept.
    public var isClosed: Bool
    /// The alternatives, in spec order.
    public var cases: [UnionCase]
    /// Whether an unknown alternative is redacted in descriptions, because a known one holds
    /// sensitive values.
    public var redactsUnknown = false

    /// Creates a union from its parts.
    public init(
        discriminator: Discriminator, tagsAreIntegers: Bool = false, isClosed: Bool = false,
        cases: [UnionCase]
    ) {
        self.discriminator = discriminator
        self.tagsAreIntegers = tagsAreIntegers
        self.isClosed = isClosed
        self.cases = cases
    }
}

/// One alternative of a union.
public struct UnionCase: Sendable, Equatable {
    /// What the spec calls it: its key, or its type.
    public var apiName: String
    /// The Swift name.
    public var name: String
    /// The tag, as text; empty if the kind of JSON tells the alternative apart.
    public var tag: String
    /// The type of its value, rules included.
    public var value: Value
    /// The kinds of JSON that its value may have.
    public var kinds: Set<JSONShape> = []
    /// The field of the alternative that holds the tag, if it declares one.
    public var tagField: Field?
    /// Whether it is boxed, because the union would otherwise contain itself or a large model.
    public var isIndirect = false
    /// Its documentation.
    public var documentation: Documentation

    /// Creates a case from its parts.
    public init(
        apiName: String, name: String, tag: String = "", value: Value,
        documentation: Documentation = Documentation()
    ) {
        self.apiName = apiName
        self.name = name
        self.tag = tag
        self.value = value
        self.documentation = documentation
    }
}

/// A kind of JSON value other than null, in the order in which readers ask for it.
public enum JSONShape: String, CaseIterable, Sendable, Comparable {
    case string, number, bool, array, object

    /// The order of declaration.
    public static func < (one: JSONShape, other: JSONShape) -> Bool {
        guard let first = allCases.firstIndex(of: one), let second = allCases.firstIndex(of: other)
        else { return false }
        return first < second
    }

    /// The kind in messages.
    public var words: String {
        switch self {
        case .string: "a string"
        case .number: "a number"
        case .bool: "`true` or `false`"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension Value {
    /// The kinds of JSON that it may have; see ``ValueType/shapes``.
    public var shapes: Set<JSONShape> {
        switch from {
        case .string: [.string]
        case .either: type.shapes.union([.string])
        case .native, .int: type.shapes
        }
    }
}

extension ValueType {
    /// The kinds of JSON that values of the type may have. Those of a union depend on its
    /// alternatives, so they are empty here.
    public var shapes: Set<JSONShape> {
        switch self {
        case .string(.native), .url, .uuid, .bytes, .bool(.text), .bool(.words),
            .duration(.clock), .duration(.iso8601), .enumeration(_, false):
            [.string]
        case .integer(_, .string), .double(.string), .decimal(.string): [.string]
        case .string(.int), .duration, .bool(.oneZero), .enumeration(_, true): [.number]
        case .string, .integer(_, .either), .double(.either), .decimal(.either): [.string, .number]
        case .integer, .double, .decimal: [.number]
        case .bool: [.bool]
        case .date(.unix), .date(.unixMilliseconds): [.number]
        case .date: [.string]
        case .list: [.array]
        case .map, .object: [.object]
        case .json: Set(JSONShape.allCases)
        case .union, .file: []
        }
    }
}

extension Model {
    /// The values that it holds: of its fields, or of its alternatives.
    public var values: [Value] {
        switch kind {
        case .object(let fields): fields.map(\.value)
        case .enumeration: []
        case .union(let union): union.cases.map(\.value)
        }
    }
}

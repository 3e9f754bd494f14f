/// A spec as values: what importers of all formats make, and ``SpecDraftWriter`` writes.
public struct SpecDraft: Sendable {
    /// The Swift name of the API.
    public var api = "API"
    /// The entries of `api.yaml` after `telex` and `api`.
    public var settings: [DraftEntry] = []
    /// The groups, a file each.
    public var groups: [DraftGroup] = []

    public init() {}
}

/// A group: its methods, and models near them.
public struct DraftGroup: Sendable {
    /// The name of the file, without its extension.
    public var name: String
    public var documentation: [DraftEntry] = []
    public var methods: [DraftMethod] = []
    public var models: [DraftModel] = []

    public init(_ name: String) { self.name = name }
}

/// A declared type.
public struct DraftModel: Sendable {
    public var name: String
    public var type: DraftType

    public init(_ name: String, _ type: DraftType) {
        self.name = name
        self.type = type
    }
}

/// A method of a group.
public struct DraftMethod: Sendable {
    /// Its name in the group.
    public var name: String
    public var verb: String
    public var path: String
    /// `doc`, `link`, `deprecated`.
    public var documentation: [DraftEntry] = []
    /// The parameters by section: `path`, `query`, `headers`, `json`, `form`, `multipart`.
    public var sections: [(name: String, fields: [DraftField])] = []
    public var body: DraftType?
    /// The type of each success status; a type alone has the status nil.
    public var returns: [(status: Int?, type: DraftType)] = []
    public var replyHeaders: [DraftField] = []
    /// `kind`, `stream`, `auth`, `errors`, `server` and the like.
    public var settings: [DraftEntry] = []
    /// What is only likely, as comments at its end.
    public var proposals: [String] = []

    public init(_ name: String, verb: String, path: String) {
        self.name = name
        self.verb = verb
        self.path = path
    }
}

/// A field of an object, or a parameter.
public struct DraftField: Hashable, Sendable {
    public var name: String
    public var type: DraftType

    public init(_ name: String, _ type: DraftType) {
        self.name = name
        self.type = type
    }
}

/// A type with its attributes and rules.
public struct DraftType: Hashable, Sendable {
    public indirect enum Form: Hashable, Sendable {
        /// A word of the language, or a model.
        case named(String)
        case list(DraftType)
        case map(key: DraftType, value: DraftType)
        case object(DraftObject)
        case enumeration(DraftEnumeration)
        case union(DraftUnion)
        case constant(DraftValue)
    }

    public var form: Form
    public var isOptional = false
    public var isNullable = false
    /// Rules and attributes, in the order in which they are written.
    public var attributes: [DraftEntry] = []

    public init(_ form: Form, _ attributes: [DraftEntry] = []) {
        self.form = form
        self.attributes = attributes
    }

    public static func named(_ name: String, _ attributes: [DraftEntry] = []) -> DraftType {
        DraftType(.named(name), attributes)
    }

    public static func list(_ element: DraftType) -> DraftType { DraftType(.list(element)) }

    public static func map(_ value: DraftType) -> DraftType {
        DraftType(.map(key: .named("string"), value: value))
    }

    static let json = DraftType.named("json")

    func adding(_ entries: [DraftEntry]) -> DraftType {
        var type = self
        type.attributes += entries
        return type
    }

    /// The type without what belongs to the place of its use.
    var bare: DraftType {
        var type = self
        type.isOptional = false
        type.isNullable = false
        return type
    }
}

/// An object: its fields, and the models whose fields it has, too.
public struct DraftObject: Hashable, Sendable {
    public var mixins: [String] = []
    public var fields: [DraftField] = []
    /// The type of further keys.
    public var additional: DraftType?
}

/// A choice of values.
public struct DraftEnumeration: Hashable, Sendable {
    public struct Value: Hashable, Sendable {
        /// The Swift name; nil: derived from the value.
        public var name: String?
        public var value: String
        public var doc: String?
    }

    public var values: [Value]
    public var isInteger = false
}

/// A union.
public struct DraftUnion: Hashable, Sendable {
    public struct Alternative: Hashable, Sendable {
        /// The value of the tag, or a name; nil: named after its type.
        public var name: String?
        public var type: DraftType
    }

    public var alternatives: [Alternative]
    /// The key that tells the alternatives apart.
    public var tag: String?
    public var tagsAreIntegers = false
}

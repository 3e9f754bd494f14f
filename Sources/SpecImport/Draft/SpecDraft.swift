import SpecDiagnostics

/// A spec as values: what importers of all formats make, and ``SpecDraftWriter`` writes.
public struct SpecDraft: Sendable {
    /// The Swift name of the API.
    public var api = "API"
    /// The entries of `api.yaml` after `telex` and `api`.
    public var settings: [DraftEntry] = []
    /// The groups, a file each.
    public var groups: [DraftGroup] = []
    /// Models that are in no group yet.
    var unplaced: [DraftModel] = []

    /// An empty draft.
    public init() {}
}

/// A group: its methods, and models near them.
public struct DraftGroup: Sendable {
    /// The name of the file, without its extension.
    public var name: String
    /// `doc` and `link`.
    public var documentation: [DraftEntry] = []
    /// The methods, in the order of the description.
    public var methods: [DraftMethod] = []
    /// The models that stand beside them.
    public var models: [DraftModel] = []

    /// A group without methods.
    public init(_ name: String) { self.name = name }
}

/// A declared type.
public struct DraftModel: Sendable {
    /// Its name, which is also the Swift name.
    public var name: String
    /// What it declares.
    public var type: DraftType
    /// Where the description has it.
    var origin: Span?

    /// Creates a model.
    public init(_ name: String, _ type: DraftType) {
        self.name = name
        self.type = type
    }
}

/// A method of a group.
public struct DraftMethod: Sendable {
    /// Its name in the group.
    public var name: String
    /// The verb, in small letters; empty for a procedure call.
    public var verb: String
    /// The path behind the server's address.
    public var path: String
    /// `doc`, `link`, `deprecated`.
    public var documentation: [DraftEntry] = []
    /// The parameters by section: `path`, `query`, `headers`, `json`, `form`, `multipart`.
    public var sections: [(name: String, fields: [DraftField])] = []
    /// The whole body, if it is one value.
    public var body: DraftType?
    /// The type of each success status; a type alone has the status nil.
    public var returns: [(status: Int?, type: DraftType)] = []
    /// The header fields of the reply.
    public var replyHeaders: [DraftField] = []
    /// `kind`, `stream`, `auth`, `errors`, `server` and the like.
    public var settings: [DraftEntry] = []
    /// What is only likely, as comments at its end.
    public var proposals: [String] = []
    /// Where the description has it.
    var origin: Span?

    /// A method without parameters and reply.
    public init(_ name: String, verb: String, path: String) {
        self.name = name
        self.verb = verb
        self.path = path
    }
}

/// A field of an object, or a parameter.
public struct DraftField: Hashable, Sendable {
    /// The name that the API has for it.
    public var name: String
    /// Its type, with all that belongs to this use.
    public var type: DraftType

    /// Creates a field.
    public init(_ name: String, _ type: DraftType) {
        self.name = name
        self.type = type
    }
}

/// A type with its attributes and rules.
public struct DraftType: Hashable, Sendable {
    /// What kind of type it is.
    public indirect enum Form: Hashable, Sendable {
        /// A word of the language, or a model.
        case named(String)
        /// A list of elements.
        case list(DraftType)
        /// A map; its keys are texts.
        case map(key: DraftType, value: DraftType)
        /// An object that is declared here.
        case object(DraftObject)
        /// An enumeration that is declared here.
        case enumeration(DraftEnumeration)
        /// A union that is declared here.
        case union(DraftUnion)
        /// Always the same value.
        case constant(DraftValue)
    }

    /// What kind of type it is.
    public var form: Form
    /// Whether the value may be missing.
    public var isOptional = false
    /// Whether the value may be null.
    public var isNullable = false
    /// Rules and attributes, in the order in which they are written.
    public var attributes: [DraftEntry] = []

    /// Creates a type whose value is there.
    public init(_ form: Form, _ attributes: [DraftEntry] = []) {
        self.form = form
        self.attributes = attributes
    }

    /// A word of the language, or a model.
    public static func named(_ name: String, _ attributes: [DraftEntry] = []) -> DraftType {
        DraftType(.named(name), attributes)
    }

    /// A list.
    public static func list(_ element: DraftType) -> DraftType { DraftType(.list(element)) }

    /// A map whose keys are texts.
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
    /// The models whose fields it has, too.
    public var mixins: [String] = []
    /// Its own fields.
    public var fields: [DraftField] = []
    /// The type of further keys.
    public var additional: DraftType?
}

/// A choice of values.
public struct DraftEnumeration: Hashable, Sendable {
    /// One of the values.
    public struct Value: Hashable, Sendable {
        /// The Swift name; nil: derived from the value.
        public var name: String?
        /// The text or the digits that the API has.
        public var value: String
        /// Its documentation, on one line.
        public var doc: String?
    }

    /// The values, in order.
    public var values: [Value]
    /// Whether the values are integers.
    public var isInteger = false
}

/// A union.
public struct DraftUnion: Hashable, Sendable {
    /// One of the types.
    public struct Alternative: Hashable, Sendable {
        /// The value of the tag, or a name; nil: named after its type.
        public var name: String?
        /// The type.
        public var type: DraftType
    }

    /// The alternatives, in order.
    public var alternatives: [Alternative]
    /// The key that tells the alternatives apart.
    public var tag: String?
    /// Whether the names are integers.
    public var tagsAreIntegers = false
}

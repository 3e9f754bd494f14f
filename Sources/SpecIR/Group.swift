/// The methods and models of one spec file.
public struct Group: Sendable, Equatable {
    /// The name of the group in the spec, for instance `users`.
    public var apiName: String
    /// The path of the spec file, relative to the spec folder, with `/`.
    public var sourcePath: String
    /// The name of the generated file, without a folder, for instance `Users.swift`.
    public var fileName: String
    /// The Swift names of the group's generated declarations.
    public var names: GroupNames
    /// The documentation of the group.
    public var documentation: Documentation
    /// The methods, in spec order.
    public var methods: [Method]
    /// The models, in spec order.
    public var models: [Model]
    /// Parts of the methods, each with a protocol of its own. No method is in two of them.
    public var capabilities: [Capability] = []

    /// Creates a group from its parts.
    public init(
        apiName: String, sourcePath: String, fileName: String, names: GroupNames,
        documentation: Documentation, methods: [Method], models: [Model]
    ) {
        self.apiName = apiName
        self.sourcePath = sourcePath
        self.fileName = fileName
        self.names = names
        self.documentation = documentation
        self.methods = methods
        self.models = models
    }
}

/// A part of a group's methods with a protocol of its own.
public struct Capability: Sendable, Equatable {
    /// The name of the protocol.
    public var name: String
    /// The API's names of its methods.
    public var methods: [String]

    /// Creates a capability.
    public init(name: String, methods: [String]) {
        self.name = name
        self.methods = methods
    }
}

/// The Swift names of a group's generated declarations.
public struct GroupNames: Sendable, Equatable {
    /// The property of `APIManager`, for instance `users`.
    public var property: String
    /// The stem of the group's types, for instance `Users`: `UsersAPI`, `UsersMethods`, …
    public var stem: String

    /// Creates names from their parts.
    public init(property: String, stem: String) {
        self.property = property
        self.stem = stem
    }

    /// The protocol that a screen depends on.
    public var `protocol`: String { stem + "API" }
    /// The conforming type that sends requests.
    public var methods: String { stem + "Methods" }
    /// The conforming type for tests.
    public var fake: String { stem + "Fake" }
    /// The request builders.
    public var requests: String { stem + "Requests" }
    /// The functions that read replies without a type of their own.
    public var mapper: String { stem + "Mapper" }
    /// The functions that read single values out of replies.
    public var extractions: String { stem + "Extractions" }
    /// The patterns that values are checked against.
    public var patterns: String { stem + "Patterns" }
    /// Every type name that the group declares in the module.
    public var types: [String] {
        [`protocol`, methods, fake, requests, mapper, extractions, patterns]
    }
}

/// One method of the API.
public struct Method: Sendable, Equatable {
    /// The API's own name, for instance `users.get`.
    public var apiName: String
    /// The Swift function, for instance `get`.
    public var name: String
    /// The case of `APIMethod`, for instance `usersGet`.
    public var caseName: String
    /// The documentation of the method.
    public var documentation: Documentation
    /// The HTTP method.
    public var verb: HTTPVerb
    /// The path below the server's URL, or an absolute URL; may hold `{path parameters}`,
    /// and `{+path parameters}` that keep their slashes.
    public var path: String
    /// The parameters, in spec order: those of the path, of the group, and its own. The order
    /// matters because a server may read the body as a stream.
    public var parameters: [Parameter]
    /// The form of the request body.
    public var body: Body
    /// What surrounds some members of a JSON body; nil for nothing.
    public var wrapper: BodyWrapper?
    /// The content of a successful reply.
    public var output: Output
    /// The typed header fields of a successful reply; nil for none.
    public var replyHeaders: ReplyHeaders?
    /// The template of its replies, if it has one.
    public var template: ReplyTemplate?
    /// How the reply becomes the credential; nil if it does not.
    public var login: LoginRules?
    /// The server, if it is not the API's default.
    public var server: String?
    /// The schemes whose tokens the request carries.
    public var auth: AuthUse
    /// Whether the request carries a token.
    public var isAuthenticated: Bool { auth != .none }
    /// The time-outs, if they differ from the API's.
    public var timeouts: Timeouts?
    /// The session, that is the set of connections, that it uses.
    public var session: Session
    /// The scheduling rules of its operations.
    public var operation: OperationPolicy
    /// The success rules of its reply, if they differ from the API's.
    public var reply: SuccessRules?
    /// Its error format, if its group or it sets a part of one.
    public var errors: ErrorRules?
    /// The signs of an expired token, if they differ from the API's.
    public var expiry: [AuthRules.Expiry]?
    /// The values that are read out of its replies alone.
    public var extractions: [Extraction]
    /// How its replies are checked, if that differs from the API's.
    public var validation: ValidationPolicy?
    /// Whether the app's own checks examine its value, or each element of its stream.
    public var isCheckedByApp: Bool
    /// How the pages of its list follow one another; nil if they have no function of their own.
    public var pages: PageRules?
    /// Whether only code of the generated module calls its functions.
    public var isInternal = false
    /// The rules between its parameters.
    public var rules: [CrossRule] = []

    /// Creates a method from its parts.
    public init(
        apiName: String, name: String, caseName: String, documentation: Documentation,
        verb: HTTPVerb, path: String, parameters: [Parameter], body: Body, output: Output,
        replyHeaders: ReplyHeaders? = nil, login: LoginRules? = nil, server: String?,
        auth: AuthUse, timeouts: Timeouts?, session: Session,
        operation: OperationPolicy, reply: SuccessRules?, errors: ErrorRules? = nil,
        expiry: [AuthRules.Expiry]? = nil, extractions: [Extraction] = [],
        validation: ValidationPolicy? = nil, isCheckedByApp: Bool = false
    ) {
        self.apiName = apiName
        self.name = name
        self.caseName = caseName
        self.documentation = documentation
        self.verb = verb
        self.path = path
        self.parameters = parameters
        self.body = body
        self.output = output
        self.replyHeaders = replyHeaders
        self.login = login
        self.server = server
        self.auth = auth
        self.timeouts = timeouts
        self.session = session
        self.operation = operation
        self.reply = reply
        self.errors = errors
        self.expiry = expiry
        self.extractions = extractions
        self.validation = validation
        self.isCheckedByApp = isCheckedByApp
    }

    /// Whether the caller passes the whole URL: the path is a single placeholder of type `url`.
    public var isWholeAddress: Bool {
        parameters.contains { $0.isWholeAddress(of: path) }
    }
}

/// The form of a request body. Its parts are the parameters with that location.
public enum Body: Sendable, Equatable {
    /// No body.
    case none
    /// A JSON object of the parameters with location `.json`.
    case json
    /// `application/x-www-form-urlencoded` of the parameters with location `.form`.
    case form
    /// `multipart/form-data` of the parameters with location `.part`.
    case multipart
    /// One parameter, with location `.body`, is the whole body.
    case whole
}

/// An object or a list under a key of a JSON body, around the members inside it.
public struct BodyWrapper: Sendable, Equatable {
    /// The key.
    public var key: String
    /// Whether it is a list of the values, without their keys.
    public var isList: Bool

    /// Creates a wrapper from its parts.
    public init(key: String, isList: Bool) {
        self.key = key
        self.isList = isList
    }
}

/// One argument of a method, or one value sent with every request.
public struct Parameter: Sendable, Equatable {
    /// The location of a parameter.
    public enum Location: String, Sendable {
        /// A `{placeholder}` of the path.
        case path
        /// The query of the URL.
        case query
        /// A header.
        case header
        /// A field of a form body.
        case form
        /// A key of a JSON body.
        case json
        /// A part of a multipart body.
        case part
        /// The whole body.
        case body
    }

    /// Whether and how a caller may leave it out.
    public enum Presence: Sendable, Equatable {
        /// The caller always passes a value.
        case required
        /// Without a value, nothing is sent. The Swift argument is optional, `nil` by default.
        case optional
        /// Without a value, this one is sent. The Swift argument has it as its default.
        case defaulted(Literal)
        /// Without a value, the credential's value of this key is sent. The argument is optional.
        case credential(String)
        /// This value is always sent, and there is no argument.
        case constant(Literal)
        /// The id of the call is always sent, and there is no argument.
        case callID

        /// Whether the same is sent for all arguments, so that there is none.
        public var isFixed: Bool {
            switch self {
            case .constant, .callID: true
            case .required, .optional, .defaulted, .credential: false
            }
        }
    }

    /// A default that holds only if other parameters are absent.
    public struct Fallback: Sendable, Equatable {
        /// The value; nil for that of the credential, which the presence names.
        public var value: Literal?
        /// The other parameters, by their Swift names.
        public var unless: [String]

        /// Creates a default from its parts.
        public init(value: Literal?, unless: [String]) {
            self.value = value
            self.unless = unless
        }
    }

    /// The bounds of a number, of which there is at least one.
    public struct Clamp: Sendable, Equatable {
        /// The lower bound.
        public var low: Literal?
        /// The upper bound.
        public var high: Literal?

        /// Creates bounds.
        public init(low: Literal?, high: Literal?) {
            self.low = low
            self.high = high
        }
    }

    /// The name the API uses.
    public var key: String
    /// The Swift argument.
    public var name: String
    /// Its location.
    public var location: Location
    /// Its type, rules included.
    public var value: Value
    /// Whether and how it may be left out.
    public var presence: Presence
    /// What is sent without a value if other parameters are absent, too.
    public var fallback: Fallback?
    /// Whether an empty value is not sent. Only with the presence `optional`.
    public var omitsEmpty = false
    /// Whether the default is sent for an empty value, too. Only with the presence `defaulted` or
    /// `credential`, or a fallback.
    public var defaultsEmpty = false
    /// Whether an empty text is a value in the path.
    public var allowsEmptyPath = false
    /// The bounds that are sent in place of a number outside them.
    public var clamp: Clamp?
    /// The value that the server takes if none is sent, for documentation. Only with the presence
    /// `optional`.
    public var serverDefault: Literal?
    /// How a list is written in a query, header, path or form.
    public var listStyle: ListStyle
    /// The names that entries with the style `entries` cannot have: those of the other values there.
    public var takenNames: [String] = []
    /// The documentation of the parameter.
    public var documentation: Documentation
    /// Whether its value is redacted in descriptions and logs.
    public var isSensitive: Bool
    /// Whether it is inside the wrapper of a JSON body.
    public var isInWrapper = false
    /// The media type of a whole body that is a text, sent as it is; nil for any other parameter.
    public var textType: String?

    /// Creates a parameter from its parts.
    public init(
        key: String, name: String, location: Location, value: Value, presence: Presence,
        listStyle: ListStyle = .repeated, documentation: Documentation = Documentation(),
        isSensitive: Bool = false
    ) {
        self.key = key
        self.name = name
        self.location = location
        self.value = value
        self.presence = presence
        self.listStyle = listStyle
        self.documentation = documentation
        self.isSensitive = isSensitive
    }

    /// Whether it is the whole URL of a request with this path.
    public func isWholeAddress(of path: String) -> Bool {
        location == .path && path == "{\(key)}" && value.type == .url
    }
}

/// How a list is encoded where values are text.
public enum ListStyle: Sendable, Equatable {
    /// `a=1&a=2`; in headers, a field for each.
    case repeated
    /// `a=1,2` with any separator.
    case joined(String)
    /// `a[]=1&a[]=2`
    case brackets
    /// `a[0]=1&a[1]=2`
    case indexed
    /// `a=[1,2]`, JSON text.
    case json
    /// `a[b]=1` and `a[0][b]=1`
    case deep
    /// `a.b=1` and `a[0].b=1`
    case dots
    /// `b=1`, each entry under its own name
    case entries

    /// Whether a value may hold objects and lists of lists.
    public var takesAnyJSON: Bool { [.json, .deep, .dots, .entries].contains(self) }
}

extension ListStyle: WordedForm {
    /// The words of `style`.
    public static let words: KeyValuePairs<String, Self> = [
        "repeat": .repeated, "brackets": .brackets, "indexed": .indexed, "json": .json,
        "deep": .deep, "dots": .dots, "entries": .entries,
    ]
}

/// The content of a successful reply.
public enum Output: Sendable, Equatable {
    /// Nothing: the reply's body is not read.
    case nothing
    /// The bytes of the body, as they are.
    case bytes
    /// The text of the body, in its charset.
    case text
    /// The bytes of the body, in a file.
    case file
    /// A value read from JSON; of a stream, each element.
    case value(Value)
    /// A content for each status.
    case statuses(StatusReplies)

    /// The values that are read from JSON.
    public var values: [Value] {
        switch self {
        case .nothing, .bytes, .text, .file: []
        case .value(let value): [value]
        case .statuses(let replies): replies.cases.flatMap(\.output.values)
        }
    }

    /// Changes the values that are read from JSON.
    public mutating func changeValues(_ change: (inout Value) -> Void) {
        switch self {
        case .nothing, .bytes, .text, .file: break
        case .value(var value):
            change(&value)
            self = .value(value)
        case .statuses(var replies):
            for index in replies.cases.indices { replies.cases[index].output.changeValues(change) }
            self = .statuses(replies)
        }
    }
}

/// The contents of the replies of a method, which differ by status.
public struct StatusReplies: Sendable, Equatable {
    /// The name of the generated enumeration.
    public var name: String
    /// The statuses, in spec order.
    public var cases: [StatusCase]

    /// Creates replies from their parts.
    public init(name: String, cases: [StatusCase]) {
        self.name = name
        self.cases = cases
    }
}

/// The content of a reply with one status.
public struct StatusCase: Sendable, Equatable {
    /// The status.
    public var status: Int
    /// The name of the case.
    public var name: String
    /// The content; neither a file nor different by status.
    public var output: Output

    /// Creates a case from its parts.
    public init(status: Int, name: String, output: Output) {
        self.status = status
        self.name = name
        self.output = output
    }
}

/// The typed header fields of a reply.
public struct ReplyHeaders: Sendable, Equatable {
    /// The model of the fields, by its qualified Swift name. Its keys are those of the places.
    public var model: String
    /// Where each value is.
    public var places: [Place]

    /// The place of a value.
    public enum Place: Sendable, Equatable {
        /// The field of this name.
        case value(String)
        /// The items of the fields of this name.
        case list(String)
        /// The address of the link with this relation (RFC 8288).
        case link(String)
    }

    /// Creates header fields from their parts.
    public init(model: String, places: [Place]) {
        self.model = model
        self.places = places
    }

    /// The key of a link in the model.
    public static func key(ofLink relation: String) -> String { "Link; rel=\(relation)" }
}

/// How a reply becomes the credential: key paths inside the unwrapped reply.
public struct LoginRules: Sendable, Equatable {
    /// The token.
    public var token: [String]
    /// The refresh token; empty for none.
    public var refreshToken: [String]
    /// The lifetime of the token; empty for none.
    public var expiresIn: [String]
    /// Whether the lifetime is in milliseconds; otherwise in seconds.
    public var isInMilliseconds: Bool
    /// The values that the credential keeps.
    public var values: [[String]]

    /// Creates rules from their parts.
    public init(
        token: [String], refreshToken: [String], expiresIn: [String], isInMilliseconds: Bool,
        values: [[String]]
    ) {
        self.token = token
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        self.isInMilliseconds = isInMilliseconds
        self.values = values
    }
}

/// A validation rule.
public struct Rule: Sendable, Equatable {
    /// When a rule is checked.
    public enum Direction: String, Sendable {
        /// Both ways.
        case both
        /// Only on what is sent.
        case send
        /// Only on what is received.
        case receive
    }

    /// The name.
    public var name: RuleName
    /// The argument, of the kind that the row of the rule states.
    public var argument: RuleArgument
    /// The author's own message for a violation.
    public var message: String?
    /// Whether a violation is only a warning.
    public var isWarning: Bool
    /// When it is checked.
    public var direction: Direction
    /// Whether the texts of a choice are compared without regard to case.
    public var ignoresCase = false

    /// Creates a rule from its parts.
    public init(
        _ name: RuleName, _ argument: RuleArgument = .flag, message: String? = nil,
        isWarning: Bool = false, direction: Direction = .both
    ) {
        self.name = name
        self.argument = argument
        self.message = message
        self.isWarning = isWarning
        self.direction = direction
    }
}

/// The checked argument of a rule.
public enum RuleArgument: Sendable, Equatable {
    /// What a rule takes in a spec.
    public enum Kind: Sendable {
        /// `true`.
        case flag
        /// A number of the value's own type.
        case number
        /// A number above 0.
        case divisor
        /// An integer of at least 0.
        case count
        /// A text.
        case text
        /// A regular expression.
        case pattern
        /// A list of values of the value's own type.
        case choices
        /// A word for a well-known form of texts.
        case format
        /// The JSON key of a field of the list's elements.
        case field
        /// A date.
        case date
        /// A time of whole seconds.
        case seconds
        /// A size in bytes.
        case size
        /// One or more MIME types.
        case mimeTypes
        /// A value of the value's own type.
        case literal
        /// The name of a check in the app.
        case check
    }

    /// `true`
    case flag
    /// The exact digits of a number.
    case number(String)
    /// The exact digits of a number above 0.
    case divisor(String)
    /// A number of characters, bytes, elements, entries or digits.
    case count(Int)
    /// A text.
    case text(String)
    /// A regular expression: its source, and the program of `Pattern`.
    case pattern(String, program: String)
    /// Values.
    case choices([Literal])
    /// A well-known form of texts, by its spec name, for instance `email`.
    case format(String)
    /// A field, by its Swift name.
    case field(String)
    /// A date in RFC 3339.
    case date(String)
    /// A number of seconds.
    case seconds(Int)
    /// A number of bytes.
    case size(Int)
    /// MIME types; `image/*` is allowed.
    case mimeTypes([String])
    /// A value.
    case literal(Literal)
    /// A check in the app: its name in the spec, and the Swift function.
    case check(id: String, function: String)
}

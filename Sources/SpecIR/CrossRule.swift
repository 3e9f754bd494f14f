/// A rule between the fields of an object, or between the parameters of a method.
public struct CrossRule: Sendable, Equatable {
    /// Its name in violations: the `id` of the spec, or the name of the rule.
    public var name: String
    /// The condition. The rule is broken if it is false, not if a value that it needs is absent.
    public var condition: RuleExpression
    /// The fields that it is about, by their Swift names. The first one is the place of a violation.
    public var fields: [String]
    /// The condition in words.
    public var text: String
    /// The author's own message for a violation.
    public var message: String?
    /// Whether a violation is only a warning.
    public var isWarning: Bool
    /// When it is checked.
    public var direction: Rule.Direction

    /// Creates a rule from its parts.
    public init(
        name: String, condition: RuleExpression, fields: [String], text: String,
        message: String? = nil, isWarning: Bool = false, direction: Rule.Direction = .both
    ) {
        self.name = name
        self.condition = condition
        self.fields = fields
        self.text = text
        self.message = message
        self.isWarning = isWarning
        self.direction = direction
    }
}

/// The expression of a rule between fields, already checked. Fields have their Swift names.
public indirect enum RuleExpression: Sendable, Equatable {
    /// How two values of one type are compared.
    public enum Comparison: String, Sendable {
        case equal = "=="
        case unequal = "!="
        case less = "<"
        case atMost = "<="
        case greater = ">"
        case atLeast = ">="

        /// The comparison that is true when this one is false.
        public var opposite: Self {
            switch self {
            case .equal: .unequal
            case .unequal: .equal
            case .less: .atLeast
            case .atMost: .greater
            case .greater: .atMost
            case .atLeast: .less
            }
        }
    }

    /// How two numbers make another one.
    public enum Arithmetic: String, Sendable {
        case sum = "+"
        case difference = "-"
        case product = "*"
    }

    // Values

    /// The value of a field.
    case field(String)
    /// A literal of a type.
    case constant(Literal, ValueType)
    /// The number of a text's Unicode scalars.
    case length(Self)
    /// The number of a list's or map's elements.
    case count(Self)
    /// How many of these fields are present.
    case presentCount([String])
    /// A number as a decimal one.
    case decimal(Self)
    /// The result of a calculation with decimal numbers.
    case arithmetic(Arithmetic, Self, Self)

    // Conditions

    /// Whether a field is present.
    case isPresent(String)
    /// Whether a Boolean field is true.
    case isTrue(String)
    /// Whether a comparison holds.
    case compared(Comparison, Self, Self)
    /// Whether a condition is false.
    case not(Self)
    /// Whether both hold.
    case and(Self, Self)
    /// Whether one of them holds.
    case or(Self, Self)
}

/// The conditions of a successful reply, and the path of its value.
public struct SuccessRules: Sendable, Equatable {
    /// Ranges of statuses that count as success.
    public var statuses: [ClosedRange<Int>]
    /// A key path that a successful body lacks; empty: not checked.
    public var absent: [String]
    /// A key path that a successful body has; empty: not checked.
    public var present: [String]
    /// Values that a successful body has.
    public var conditions: [ReplyCondition]
    /// The path of the value; empty: the body is the value.
    public var unwrap: [PathStep]
    /// The media types of a successful reply; empty: any.
    public var accepts: [String]

    /// Creates rules from their parts.
    public init(
        statuses: [ClosedRange<Int>] = [200...299], absent: [String] = [],
        present: [String] = [], conditions: [ReplyCondition] = [], unwrap: [PathStep] = [],
        accepts: [String] = []
    ) {
        self.statuses = statuses
        self.absent = absent
        self.present = present
        self.conditions = conditions
        self.unwrap = unwrap
        self.accepts = accepts
    }
}

/// A value that a successful body has.
public struct ReplyCondition: Sendable, Equatable {
    /// A constant of a reply.
    public enum Constant: Sendable, Equatable {
        /// `true` or `false`.
        case flag(Bool)
        /// A whole number.
        case integer(Int)
        /// A text.
        case text(String)
        /// The id of the call.
        case callID
    }

    /// The key path of the value. Never empty.
    public var path: [String]
    /// The allowed values. Never empty.
    public var values: [Constant]

    /// Creates a condition from its parts.
    public init(path: [String], values: [Constant]) {
        self.path = path
        self.values = values
    }
}

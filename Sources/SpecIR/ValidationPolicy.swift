/// How replies are checked, and what a violation does.
public struct ValidationPolicy: Sendable, Equatable {
    /// What a violation of a reply does.
    public enum Mode: String, CaseIterable, Sendable {
        /// Nothing: only what the value needs is checked.
        case off
        /// It is reported, and the value is returned.
        case warn
        /// It fails the call.
        case `throw`
        /// It fails the call, and the app's own checks are made, too.
        case custom
    }

    /// A kind of check.
    public enum Check: String, CaseIterable, Sendable {
        /// Keys of the top-level object.
        case keys
        /// Keys of nested objects.
        case nestedKeys = "nested-keys"
        /// Types of values.
        case types
        /// Rules of values.
        case rules
    }

    /// What a violation does.
    public var mode = Mode.throw
    /// The checks that are made.
    public var checks = Set(Check.allCases)
    /// The share of replies that are checked, in percent.
    public var sample = 100

    /// Creates the default: every violation of every reply fails its call.
    public init() {}
}

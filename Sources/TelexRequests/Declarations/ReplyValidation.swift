import TelexJSON

/// How replies are checked, and what a violation does. Requests are always checked.
///
/// The conditions of success and the syntax of JSON are no part of it: they are always checked.
public struct ReplyValidation: Sendable, Hashable {
    /// What a violation of a reply does.
    public enum Mode: Sendable, Hashable {
        /// Nothing is checked beyond what the value needs: a call fails only if a reply has no
        /// value of its type.
        case off
        /// The value is returned, and the violation is reported. A call still fails if a reply has
        /// no value of its type, as when a required key is missing.
        case warn
        /// The call fails. Violations of severity `warning` are reported.
        case `throw`
    }

    /// What a violation does.
    public var mode: Mode
    /// The checks that are made; all by default. Those that are not report nothing, unless their
    /// violation leaves no value.
    public var checks: JSONChecks
    /// The fraction of replies that are checked, from 0 to 1; the rest is treated as with `off`.
    /// They are chosen with the random numbers of ``EngineSettings/seed``. Of a stream, each
    /// element counts as a reply.
    public var sample: Double {
        didSet { sample = Self.allowed(sample) }
    }

    /// Creates rules; a fraction outside 0...1 is clamped.
    public init(_ mode: Mode, checks: JSONChecks = .all, sample: Double = 1) {
        self.mode = mode
        self.checks = checks
        self.sample = Self.allowed(sample)
    }

    /// Nothing is checked.
    public static let off = ReplyValidation(.off)
    /// Violations are reported, and the value is returned.
    public static let warn = ReplyValidation(.warn)
    /// Violations fail the call; the default.
    public static let `throw` = ReplyValidation(.throw)

    /// The fraction in 0...1; 0 for not-a-number.
    private static func allowed(_ sample: Double) -> Double {
        sample > 0 ? min(sample, 1) : 0
    }

    /// The checks that the mode leaves on.
    package var effectiveChecks: JSONChecks { mode == .off ? [] : checks }
}

/// Learns of replies that deviate from their description, although their calls succeed: where a
/// server has changed, and what its documentation does not say.
///
/// Pass it to an ``APIManager``. The same violations are in ``OperationResponse/warnings`` and in
/// the event ``APIEvent/Kind/drifted(_:)``.
public protocol DriftListener: Sendable {
    /// Called for each reply of which violations are only reported, and for each such element of a
    /// stream, on the task of the call. It must be quick and must not block.
    ///
    /// - Parameters:
    ///   - method: The API's name of the method.
    ///   - violations: At least one violation, without sensitive values.
    func replyDrifted(of method: String, violations: [Violation])
}

/// What happens to a reply that cannot be compared with a template.
public struct TemplatePolicy: Sendable, Hashable {
    /// A reaction.
    public enum Action: Sendable, Hashable {
        /// The reply is accepted.
        case pass
        /// The reply is accepted, and a warning is logged.
        case warn
        /// The call fails.
        case fail
    }

    /// The reaction if the method has no template; `pass` by default.
    public var missing: Action
    /// The reaction if the template cannot be read or has mistakes; `warn` by default.
    public var corrupt: Action

    /// Makes a policy.
    public init(missing: Action = .pass, corrupt: Action = .warn) {
        self.missing = missing
        self.corrupt = corrupt
    }

    /// The reaction to the result of ``Templater/template(for:)``.
    ///
    /// - Parameter error: Its error; nil if it returned no template.
    public func action(after error: TemplaterError?) -> Action {
        error == nil ? missing : corrupt
    }
}

/// A place where an app keeps templates that may change while it runs.
public protocol TemplateStore: Sendable {
    /// The template of a method; nil if there is none.
    ///
    /// - Parameter method: The API's name of the method.
    /// - Throws: An error that says why the template cannot be read or used.
    func template(for method: String) throws -> Template?

    /// Keeps a reply as the template of a method, with the rules of an earlier one.
    ///
    /// - Parameters:
    ///   - reply: JSON, UTF-8.
    ///   - method: The API's name of the method.
    ///   - mode: Whether an earlier template is replaced.
    ///   - secrets: Keys whose values must not be kept, besides the usual names of secrets.
    /// - Returns: Whether the reply was kept.
    /// - Throws: An error that says why it was not.
    @discardableResult
    func record(
        _ reply: [UInt8], for method: String, mode: TemplateRecording, secrets: Set<String>
    ) async throws -> Bool
}

/// Which replies are recorded as templates.
public enum TemplateRecording: Sendable, Hashable {
    /// Replies of methods that have no template.
    case missing
    /// All replies; each replaces the template before, but not its rules.
    case always
}

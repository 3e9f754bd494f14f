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
    ///   - secretKeys: The keys whose values must not be kept.
    /// - Throws: An error that says why it was not kept.
    func record(_ reply: [UInt8], for method: String, secretKeys: Set<String>) throws
}

import HTTPTypes
public import TelexRuntime

/// Answers the requests of a whole API with its templates:
///
/// ```swift
/// let server = try LoopbackServer(templates: VK.templates)
/// ```
///
/// The method of a request is the one whose verb and path it has; a path with parameters yields to
/// one without. The path of the server may be anything. Any other request is answered with 404.
public struct TemplateAnswers: Sendable {
    private let templates: APITemplates
    private let routes: [Route]

    /// Creates the answers of an API.
    public init(_ templates: APITemplates) {
        self.templates = templates
        routes = templates.methods.map(Route.init).sorted { $0.literals > $1.literals }
    }

    /// Answers a request with the template of its method, without rules.
    public func answer(_ request: LoopbackRequest) -> LoopbackReply {
        let path = request.path.split(separator: "/")
        let route = routes.first { $0.verb == request.method && $0.matches(path) }
        guard let method = route?.method, let template = templates[method] else {
            return .bytes(status: 404)
        }
        return .text(
            template.sample.description, fields: [.contentType: "application/json"])
    }
}

/// The verb and the path of a method.
private struct Route: Sendable {
    let method: String
    let verb: String
    private let path: [Substring]

    init(_ template: MethodTemplate) {
        method = template.method
        verb = template.verb
        path = template.path.split(separator: "/")
    }

    /// The number of parts that are not parameters.
    var literals: Int { path.count { !$0.contains("{") } }

    /// Whether the end of a path fits.
    func matches(_ target: [Substring]) -> Bool {
        guard target.count >= path.count else { return false }
        return zip(path, target.suffix(path.count)).allSatisfy { part, found in
            part.contains("{") || part == found
        }
    }
}

extension LoopbackServer {
    /// Starts a server that answers with the templates of an API; see ``TemplateAnswers``.
    ///
    /// - Throws: A `LoopbackError` if the system provides no socket.
    public convenience init(templates: APITemplates) throws(LoopbackError) {
        let answers = TemplateAnswers(templates)
        try self.init { answers.answer($0) }
    }
}

extension InMemoryTransport {
    /// Makes a transport that answers with the templates of an API; see ``TemplateAnswers``.
    public convenience init(templates: APITemplates) {
        let answers = TemplateAnswers(templates)
        self.init(serving: { answers.answer($0) })
    }
}

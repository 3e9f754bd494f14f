import HTTPTypes
public import TelexRuntime

/// Answers the requests of a whole API with its templates:
///
/// ```swift
/// let server = try LoopbackServer(templates: VK.templates)
/// ```
///
/// The method of a request is the one whose verb and path it has; a path with parameters yields to
/// one without. The path of the server may be anything. Any other request is answered with 404, and
/// so is one of several methods whose templates differ, such as the procedures of JSON-RPC: their
/// requests have one verb and one path.
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
        guard let route = routes.first(where: { $0.verb == request.method && $0.matches(path) })
        else { return .bytes(status: 404) }
        let methods = routes.filter { $0.isSentLike(route) }.map(\.method)
        let samples = Set(methods.compactMap { templates[$0]?.sample })
        guard let sample = samples.first, samples.count == 1 else {
            let names = methods.joined(separator: ", ")
            return .text("each of these methods sends this request: \(names)", status: 404)
        }
        return .text(sample.description, fields: [.contentType: "application/json"])
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

    /// Whether requests of both cannot be told apart.
    func isSentLike(_ other: Route) -> Bool { verb == other.verb && path == other.path }

    /// Whether the end of a path fits.
    func matches(_ target: [Substring]) -> Bool { Self.fits(path[...], target[...]) }

    private static func fits(_ path: ArraySlice<Substring>, _ target: ArraySlice<Substring>) -> Bool
    {
        guard let part = path.last else { return true }
        guard let found = target.last else { return false }
        let rest = path.dropLast()
        if part.contains("{+") {
            // The value may have slashes.
            return (1...target.count).contains { fits(rest, target.dropLast($0)) }
        }
        return (part.contains("{") || part == found) && fits(rest, target.dropLast())
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

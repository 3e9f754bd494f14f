import SpecIR
import SpecImport
import SpecSyntax

/// Writes security schemes, and which of them operations need.
struct SecurityWriter {
    /// The entries of `components/securitySchemes`.
    private(set) var schemes: [DraftEntry] = []
    /// The keys of the schemes that OpenAPI has a word for.
    private var known: [String: String] = [:]
    private let first: String?

    init(_ source: ExportSource) {
        let all = source.api.schemes
        first = all.first?.scheme.value
        let keys = ExportSource.keys(of: all.map(\.scheme.value))
        for scheme in all {
            guard let entries = Self.entries(scheme), let key = keys[scheme.scheme.value]
            else { continue }
            schemes.append(DraftEntry(key, .map(entries)))
            known[scheme.scheme.value] = key
        }
    }

    /// What operations need that say nothing else.
    var `default`: DraftValue? { first.flatMap { requirements([[$0]]) } }

    /// What a method needs, if that is not the default.
    func needed(by method: Method) -> DraftValue? {
        guard let first else { return nil }
        switch method.auth {
        case .none: return .list([])
        case .required: return nil
        case .optional: return requirements([[first], []])
        case .anyOf(let names): return requirements(names.map { [$0] })
        case .allOf(let names): return requirements([names])
        }
    }

    /// Alternatives without the schemes that OpenAPI has no word for.
    private func requirements(_ alternatives: [[String]]) -> DraftValue? {
        let lists = alternatives.map { $0.compactMap { known[$0] } }
        guard zip(lists, alternatives).contains(where: { !$0.isEmpty || $1.isEmpty }) else {
            return nil
        }
        return .list(lists.map { .map($0.map { DraftEntry($0, .list([])) }) })
    }

    // MARK: Schemes

    private static func entries(_ scheme: AuthSyntax) -> [DraftEntry]? {
        if let flows = flows(of: scheme) {
            return [.type("oauth2"), DraftEntry("flows", .map([flows]))]
        }
        let name = scheme.name?.value ?? ""
        switch scheme.placement?.value {
        case .bearer?: return [.type("http"), DraftEntry("scheme", .text("bearer"))]
        case .basic?: return [.type("http"), DraftEntry("scheme", .text("basic"))]
        case .header?: return key(name, in: "header")
        case .query?: return key(name, in: "query")
        case .cookie?: return key(name, in: "cookie")
        case .body?, .path?, nil: return nil
        }
    }

    private static func key(_ name: String, in place: String) -> [DraftEntry] {
        [.type("apiKey"), DraftEntry("in", .text(place)), DraftEntry("name", .text(name))]
    }

    /// The flow of a grant whose addresses are known.
    private static func flows(of scheme: AuthSyntax) -> DraftEntry? {
        guard scheme.placement?.value == .bearer, case .request(let request)? = scheme.refresh,
            let token = request.url?.value, token.hasPrefix("http")
        else { return nil }
        let scopes = (scheme.scopes?.value ?? []).map { DraftEntry($0.value, .text("")) }
        let common = [
            DraftEntry("tokenUrl", .text(token)), DraftEntry("scopes", .map(scopes)),
        ]
        switch scheme.grant?.value {
        case .authorizationCode?:
            guard let address = scheme.authorize?.value else { return nil }
            let entries = [DraftEntry("authorizationUrl", .text(address))] + common
            return DraftEntry("authorizationCode", .map(entries))
        case .clientCredentials?: return DraftEntry("clientCredentials", .map(common))
        default: return nil
        }
    }
}

/// Writes servers with their variables.
struct ServerWriter {
    /// The entries of `servers`.
    let all: [DraftValue]
    private let byName: [String: DraftValue]

    init(_ source: ExportSource) {
        let servers = source.api.servers.map { ($0.name.value, Self.entries($0)) }
        all = servers.map { .map($1) }
        byName = Dictionary(
            servers.map { name, entries in
                (name, .map(entries.filter { $0.key != "x-telex" }))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The server of a method that has one of its own.
    func server(named name: String) -> DraftEntry? {
        byName[name].map { DraftEntry("servers", .list([$0])) }
    }

    private static func entries(_ server: ServerSyntax) -> [DraftEntry] {
        var url = server.url.value
        // Paths begin with `/`.
        while url.hasSuffix("/") { url.removeLast() }
        var entries = [DraftEntry("url", .text(url))]
        if !server.variables.isEmpty {
            let variables = server.variables.map {
                DraftEntry($0.name.value, .map(Self.entries(of: $0)))
            }
            entries.append(DraftEntry("variables", .map(variables)))
        }
        var members = [DraftEntry("name", .text(server.name.value))]
        if server.insecure != nil { members.append(.flag("insecure")) }
        if server.url.value != url + "/" {
            members.append(DraftEntry("url", .text(server.url.value)))
        }
        return entries + [DraftEntry("x-telex", .map(members))]
    }

    /// A variable. OpenAPI requires a default.
    private static func entries(of variable: ServerVariableSyntax) -> [DraftEntry] {
        let values = variable.allowed?.value.map(\.value) ?? []
        let text = variable.defaultValue?.value
        var entries = [DraftEntry("default", .text(text ?? values.first ?? variable.name.value))]
        if !values.isEmpty { entries.append(DraftEntry("enum", .list(values.map { .text($0) }))) }
        if text == nil {
            entries.append(DraftEntry("x-telex", .map([.flag("required")])))
        }
        return entries
    }
}

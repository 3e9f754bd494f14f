import SpecDiagnostics
import SpecSemantics
import SpecSyntax

/// Translates what holds for many methods: servers, security and errors.
final class SettingsTranslator {
    private let api: OpenAPIDescription
    private let types: TypeTranslator
    private let schemas: SchemaReader
    let security: SecurityTranslator
    private var serverNames: [String: String] = [:]
    private var servers: [DraftEntry] = []
    private let errors: ErrorTranslator

    init(_ api: OpenAPIDescription, _ types: TypeTranslator) {
        self.api = api
        self.types = types
        schemas = types.schemas
        security = SecurityTranslator(api, types)
        errors = ErrorTranslator(api, types)
        for server in api.servers { _ = name(of: server) }
        if servers.isEmpty {
            let span = api.servers.first?.span ?? api.operations.first?.span
            if let span { types.lose(.server, "no server", at: span) }
            servers.append(
                DraftEntry(
                    "production", .text("https://api.example.com/"),
                    comments: ["The description names no server."]))
        }
    }

    /// The entries of `api.yaml`.
    var entries: [DraftEntry] {
        var entries: [DraftEntry] = []
        if let doc = api.description?.cleaned, !doc.isEmpty {
            entries.append(DraftEntry("doc", .text(doc)))
        }
        if let link = api.link, TypeTranslator.isLink(link) {
            entries.append(DraftEntry("link", .text(link)))
        }
        entries.append(DraftEntry("servers", .block(servers)))
        if let auth = security.entry { entries.append(auth) }
        if let key = errors.successKey {
            let condition = DraftValue.map([DraftEntry(key, .word("true"))])
            entries.append(DraftEntry("success", .map([DraftEntry("where", condition)])))
        }
        if let settings = errors.settings, api.settings["errors"] == nil {
            entries.append(DraftEntry("errors", .block(settings)))
        }
        return entries + api.settings
    }

    /// The settings of a method.
    func entries(of operation: OperationDescription) -> [DraftEntry] {
        var entries: [DraftEntry] = []
        if let first = operation.servers.first, let name = name(of: first),
            name != servers.first?.key
        {
            entries.append(DraftEntry("server", .text(name)))
        }
        if let auth = security.entry(of: operation) { entries.append(auth) }
        if let own = errors.entry(of: operation) { entries.append(own) }
        return entries
    }

    // MARK: Servers

    /// The name of a server, which is declared if it has a whole address.
    private func name(of server: ServerDescription) -> String? {
        if let name = serverNames[server.url] { return name }
        var url = server.url.trimmed
        for scheme in ["HTTPS://", "HTTP://"] where url.hasPrefix(scheme) {
            url = scheme.lowercased() + url.dropFirst(scheme.count)
        }
        if url.hasPrefix("//") { url = "https:" + url }
        if url.last != "/" { url += "/" }
        guard let address = WebAddress(ofServer: url) else {
            types.lose(.server, server.url, at: server.span)
            return nil
        }
        let name = serverName(server)
        serverNames[server.url] = name
        var entries = [DraftEntry("url", .text(url))]
        let placeholders = Self.placeholders(of: url)
        let variables = placeholders.map { name -> DraftEntry in
            let variable = server.variables.first { $0.name == name }
            return DraftEntry(name, Self.value(of: variable))
        }
        if !variables.isEmpty { entries.append(DraftEntry("variables", .map(variables))) }
        if !address.isSecure, !address.isLocal, !security.isEmpty {
            entries.append(.flag("insecure"))
        }
        servers.append(DraftEntry(name, entries.count == 1 ? entries[0].value : .map(entries)))
        return name
    }

    private static func placeholders(of url: String) -> [String] {
        url.matches(of: #/\{([^{}]*)\}/#).map { String($0.output.1) }
    }

    private static func value(of variable: ServerDescription.Variable?) -> DraftValue {
        guard let variable else { return .map([]) }
        var seen: Set<String> = []
        let values = variable.values.filter { !$0.isEmpty && seen.insert($0).inserted }
        guard let text = variable.defaultValue else {
            return values.isEmpty
                ? .map([]) : .map([DraftEntry("in", .list(values.map { .text($0) }))])
        }
        guard !values.isEmpty, values.contains(text) else { return .text(text) }
        return .map([
            DraftEntry("default", .text(text)), DraftEntry("in", .list(values.map { .text($0) })),
        ])
    }

    private func serverName(_ server: ServerDescription) -> String {
        let words = SwiftNamer.words(server.description ?? "").filter {
            $0.allSatisfy { $0.isASCII }
                && !["server", "the", "api", "environment"].contains($0.lowercased())
        }
        let described =
            words.count <= 2 ? types.namer.lowerCamel(words.joined(separator: " ")) : nil
        let taken = Set(servers.map(\.key))
        let base =
            described.flatMap { $0.first == "_" ? nil : $0 }
            ?? (taken.isEmpty ? "production" : "server")
        var (name, number) = (base, 2)
        while taken.contains(name) {
            name = "\(base)\(number)"
            number += 1
        }
        return name
    }
}

import SpecDiagnostics
import SpecSemantics
import SpecSyntax

/// Translates what holds for many methods: servers, security and errors.
final class SettingsTranslator {
    private let api: OpenAPIDescription
    private let types: TypeTranslator
    private let schemas: SchemaReader
    let security: SecurityTranslator
    private var servers: [DraftEntry] = []
    private let errors: ErrorTranslator

    init(_ api: OpenAPIDescription, _ types: TypeTranslator) {
        self.api = api
        self.types = types
        schemas = types.schemas
        security = SecurityTranslator(api, types)
        errors = ErrorTranslator(api, types)
        _ = declare(api.servers)
        if servers.isEmpty {
            let unusable = api.servers.first { !$0.url.isEmpty }
            let span = api.servers.first?.span ?? api.operations.first?.span
            if unusable == nil, let span { types.lose(.server, "no server", at: span) }
            servers.append(
                DraftEntry(
                    "production", .text("https://api.example.com/"),
                    comments: [
                        unusable == nil
                            ? "The description names no server."
                            : "The description names no server that speaks HTTP."
                    ]))
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
        if let name = declare(operation.servers).first, name != servers.first?.key {
            entries.append(DraftEntry("server", .text(name)))
        }
        if let auth = security.entry(of: operation) { entries.append(auth) }
        if let own = errors.entry(of: operation) { entries.append(own) }
        return entries
    }

    // MARK: Servers

    /// The names of servers, which are declared. Those without a host are, if no other has one.
    private func declare(_ list: [ServerDescription]) -> [String] {
        let all = list.map { (server: $0, address: ServerAddress($0)) }
        let whole = all.filter { $0.address.url != nil && $0.address.comment == nil }
        return all.compactMap { server, address in
            for name in address.fixed { types.lose(.serverVariable, name, at: server.span) }
            if address.url == nil || address.comment != nil {
                types.lose(.server, server.url, at: server.span)
                if !whole.isEmpty { return nil }
            }
            return name(of: server, address)
        }
    }

    private func name(of server: ServerDescription, _ address: ServerAddress) -> String? {
        guard let url = address.url, let web = WebAddress(ofServer: url) else { return nil }
        var entries = [DraftEntry("url", .text(url))]
        if !address.variables.isEmpty {
            entries.append(DraftEntry("variables", .map(address.variables)))
        }
        if !web.isSecure, !web.isLocal, !security.isEmpty { entries.append(.flag("insecure")) }
        let value: DraftValue = entries.count == 1 ? entries[0].value : .map(entries)
        if let same = servers.first(where: { $0.value == value }) { return same.key }
        let name = serverName(server)
        servers.append(
            DraftEntry(name, value, comments: [address.comment].compactMap(\.self)))
        return name
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
        return base.unique { !taken.contains($0) }
    }
}

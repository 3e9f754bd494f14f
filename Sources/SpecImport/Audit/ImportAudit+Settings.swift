import SpecDiagnostics
import SpecIR
import SpecSyntax

/// The place of a token in a request.
enum TokenPlace: Hashable {
    case bearer, basic
    case header(String)
    case query(String)
    case cookie(String)
    case other(String)

    init(_ scheme: YAMLNode, named name: String) {
        let key = scheme.value(of: "name")?.text ?? ""
        let type = scheme.value(of: "type")?.text
        let detail = scheme.value(of: type == "http" ? "scheme" : "in")?.text.lowercased()
        self =
            switch (type, detail) {
            case ("basic", _), ("http", "basic"): .basic
            case ("http", "bearer"), ("oauth2", _), ("openIdConnect", _): .bearer
            case ("apiKey", "header"): .header(key.lowercased())
            case ("apiKey", "query"): .query(key)
            case ("apiKey", "cookie"): .cookie(key)
            default: .other(name)
            }
    }

    init(_ rules: AuthRules) {
        self =
            switch rules.placement {
            case .bearer: .bearer
            case .basic: .basic
            case .header(let name, _): .header(name.lowercased())
            case .query(let name): .query(name)
            case .cookie(let name): .cookie(name)
            case .body, .path: .other(rules.name)
            }
    }
}

extension ImportAudit {
    // MARK: Security

    /// Whether a parameter is in the place of a token that a method sends.
    func isToken(_ parameter: DescribedParameter, of methods: [Method]) -> Bool {
        let places = methods.reduce(into: Set<TokenPlace>()) { places, method in
            for tokens in alternatives(of: method.auth) { places.formUnion(tokens) }
        }
        return switch parameter.place {
        case "header": places.contains(.header(parameter.name.lowercased()))
        case "query": places.contains(.query(parameter.name))
        case "cookie": places.contains(.cookie(parameter.name))
        default: false
        }
    }

    mutating func compareSecurity(of operation: DescribedOperation, _ methods: [Method]) {
        let needed = operation.list(of: "security")
        var (described, spans) = (Set<Set<TokenPlace>>(), [operation.node.span])
        for requirement in needed {
            var tokens: Set<TokenPlace> = []
            for name in requirement.entries.map(\.key.text) {
                guard let scheme = scheme(named: name, of: operation) else {
                    tokens.insert(.other(name))
                    continue
                }
                let node = description.references.resolved(scheme.value)
                tokens.insert(TokenPlace(node, named: name))
                spans += [scheme.key.span, scheme.value.span]
            }
            described.insert(tokens)
        }
        if described.isEmpty { described = [[]] }
        let written = methods.reduce(into: Set<Set<TokenPlace>>()) {
            $0.formUnion(alternatives(of: $1.auth))
        }
        guard described != written else { return }
        let span = operation.node.value(of: "security")?.span ?? operation.key
        add(
            .otherSecurity, at: span, around: spans,
            "\(methods[0].apiName): \(Self.words(described)) is \(Self.words(written))")
    }

    private func scheme(named name: String, of operation: DescribedOperation) -> YAMLEntry? {
        let all =
            operation.isTwo
            ? operation.root.value(of: "securityDefinitions")
            : operation.root.value(of: "components")?.value(of: "securitySchemes")
        return all?.entries.first { $0.key.text == name }
    }

    private func alternatives(of use: AuthUse) -> Set<Set<TokenPlace>> {
        guard let main = api.auth else { return [[]] }
        let named = { (names: [String]) in
            ([main] + api.schemes).filter { names.contains($0.name) }.map(TokenPlace.init)
        }
        return switch use {
        case .none: [[]]
        case .required: [[TokenPlace(main)]]
        case .optional: [[], [TokenPlace(main)]]
        case .anyOf(let names): Set(named(names).map { [$0] })
        case .allOf(let names): [Set(named(names))]
        }
    }

    private static func words(_ alternatives: Set<Set<TokenPlace>>) -> String {
        alternatives.map { tokens in
            tokens.isEmpty ? "none" : tokens.map { "\($0)" }.sorted().joined(separator: " and ")
        }.sorted().joined(separator: " or ")
    }

    // MARK: Servers

    /// Compares the servers of the API.
    mutating func compareServers() {
        let written = Set(api.servers.map(Self.address))
        for root in description.roots {
            for server in root.value(of: "servers")?.items ?? [] {
                let address = Self.address(server)
                if address.contains("://"), !written.contains(address) {
                    add(.otherServer, at: server.span, "\(address) is no server of the spec")
                }
            }
        }
    }

    /// Compares the servers of an operation, those of its path, or those of the API.
    mutating func compareServer(of operation: DescribedOperation, _ methods: [Method]) {
        let owners = [operation.node, operation.item, operation.root]
        let servers = owners.lazy.compactMap { $0.value(of: "servers")?.items }.first {
            !$0.isEmpty
        }
        let written = methods.compactMap { method in
            method.server.flatMap { name in api.servers.first { $0.name == name } }
                ?? api.servers.first
        }.map(Self.address)
        let address: String
        if operation.isTwo {
            guard let host = operation.root.value(of: "host")?.text, !host.isEmpty else { return }
            let schemes = operation.root.value(of: "schemes")?.items.map(\.text) ?? []
            let isPlain = !schemes.isEmpty && !schemes.contains("https")
            address = Self.normalized(
                "\(isPlain ? schemes[0] : "https")://\(host)"
                    + (operation.root.value(of: "basePath")?.text ?? ""))
        } else {
            guard let first = servers?.first else { return }
            address = Self.address(first)
        }
        let isEqual =
            !address.contains("://")
            ? written.contains { $0.hasSuffix(address) }
            // A variable without a value may be that of another server.
            : address.contains("{") || written.contains(address)
        let span = servers?.first?.span ?? operation.root.value(of: "host")?.span
        guard !isEqual, let span, comparedServers.insert("\(span.start) \(written)").inserted
        else { return }
        add(
            .otherServer, at: span, around: [operation.root.span],
            "\(methods[0].apiName): \(address) is \(written.first ?? "")")
    }

    private static func address(_ server: YAMLNode) -> String {
        var url = server.value(of: "url")?.text ?? ""
        for variable in server.value(of: "variables")?.entries ?? [] {
            if let text = variable.value.value(of: "default")?.text {
                url = url.replacing("{\(variable.key.text)}", with: text)
            }
        }
        return normalized(url)
    }

    private static func address(_ server: Server) -> String {
        normalized(
            server.variables.reduce(server.url) { url, variable in
                variable.defaultValue.map { url.replacing("{\(variable.name)}", with: $0) } ?? url
            })
    }

    private static func normalized(_ url: String) -> String {
        var url = url.trimmed
        if url.hasPrefix("//") { url = "https:" + url }
        if let colon = url.firstIndex(of: ":") { url = url[..<colon].lowercased() + url[colon...] }
        while url.last == "/" { url.removeLast() }
        return url
    }
}

extension DescribedOperation {
    /// The elements of a list that the operation may replace.
    fileprivate func list(of key: String) -> [YAMLNode] {
        (node.value(of: key) ?? root.value(of: key))?.items ?? []
    }
}

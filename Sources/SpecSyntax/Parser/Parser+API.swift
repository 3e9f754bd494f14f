import SpecDiagnostics
import SpecIR

/// `api.yaml`
extension Parser {
    mutating func api(_ node: YAMLNode) -> APISyntax {
        var api = APISyntax(span: node.span)
        visit(node, as: .api) { parser, key, entry in
            let value = entry.value
            switch key {
            case "telex":
                api.language = parser.integer(value, expecting: "a language version", atLeast: 1)
            case "api": api.name = parser.text(value, expecting: "the API's name")
            case "servers": api.servers = parser.servers(value)
            case "parameters": api.parameters += parser.constants(value, .query)
            case "headers": api.parameters += parser.constants(value, .header)
            case "prefix", "path": parser.sharedPath(entry, into: &api.sharedPath)
            case "auth": api.schemes = parser.schemes(value)
            case "cookies":
                api.keepsCookies = parser.flag(value, for: "`cookies`") ?? false
            case "rpc": api.settings.procedures = parser.procedureProtocol(value)
            case "limits": api.limits = parser.limits(value)
            case "queues": api.queues = parser.queues(value)
            case "sessions": api.sessions = parser.sessions(value)
            case "reachability":
                api.reachability =
                    parser.texts(value, expecting: "the URL of a host")?.value ?? []
            case "names": api.names = parser.names(value)
            case "conforms": api.conforms = parser.conformances(value)
            case "generate":
                api.generate = parser.items(value).compactMap {
                    parser.word($0, expecting: "code to generate")
                }
            case "lint":
                let help = "give each code a level: `lint: { T0205: off }`"
                api.lint = parser.entries(value, of: "`lint`", help: help).compactMap { entry in
                    let level: Located<LintLevel>? = parser.word(
                        entry.value, expecting: "a level of a warning")
                    return level.map { LintSyntax(code: entry.key.located, level: $0.value) }
                }
            case "templates": api.templateCompatibility = parser.compatibility(value)
            case "server", "deprecated", "priority": return false
            default:
                return parser.documentation(key, at: value, into: &api.documentation)
                    || parser.setting(key, at: value, into: &api.settings)
            }
            return true
        }
        checkLanguage(of: api)
        requireKeys(node)
        return api
    }

    private mutating func checkLanguage(of api: APISyntax) {
        if let language = api.language, language.value != 1 {
            bag.report(
                .languageVersion, "language version \(language.value) is not known",
                at: language.span, help: "this compiler reads `telex: 1`")
        }
    }

    private mutating func requireKeys(_ node: YAMLNode) {
        let required = [
            ("telex", "telex: 1"), ("api", "api: MyAPI"),
            ("servers", "servers: { production: https://api.example.com/ }"),
        ]
        let missing = required.filter { node.value(of: $0.0) == nil }
        guard node.kind == .mapping || node.isNull, !missing.isEmpty else { return }
        let keys = missing.map { "`\($0.0)`" }.joined(separator: " and no ")
        bag.report(
            .missingKey, "`api.yaml` has no \(keys)", at: node.span.emptyAtStart,
            help: "add " + missing.map { "`\($0.1)`" }.joined(separator: ", "))
    }

    private mutating func names(
        _ node: YAMLNode
    ) -> [(word: Located<String>, spelling: Located<String>)] {
        entries(node, of: "`names`").compactMap { entry in
            guard let spelling = text(entry.value, expecting: "a spelling") else { return nil }
            return (entry.key.located, spelling)
        }
    }

    mutating func conformances(_ node: YAMLNode) -> [Located<Conformance>] {
        items(node).compactMap { word($0, expecting: "a protocol that models can be given") }
    }

    // MARK: Servers

    private mutating func servers(_ node: YAMLNode) -> [ServerSyntax] {
        if node.isNull || node.kind == .mapping && node.entries.isEmpty {
            bag.report(
                .missingKey, "`servers` names no server", at: node.span,
                help: "add one: `production: https://api.example.com/`")
        }
        return entries(
            node, of: "`servers`", help: "give each a name: `production: https://api.example.com/`"
        ).compactMap { entry in
            guard text(entry.key, expecting: "a server's name") != nil else { return nil }
            if entry.value.kind == .scalar {
                guard let url = text(entry.value, expecting: "a server's URL") else { return nil }
                return ServerSyntax(name: entry.key.located, url: url)
            }
            return server(entry)
        }
    }

    private mutating func server(_ entry: YAMLEntry) -> ServerSyntax? {
        var url: Located<String>?
        var insecure: Span?
        var variables: [ServerVariableSyntax] = []
        visit(entry.value, as: .server) { parser, key, entry in
            switch key {
            case "url": url = parser.text(entry.value, expecting: "a server's URL")
            case "insecure":
                if parser.flag(entry.value, for: "`insecure`") == true { insecure = entry.key.span }
            case "variables":
                variables = parser.entries(entry.value, of: "`variables`").map {
                    parser.variable($0)
                }
            default: return false
            }
            return true
        }
        guard let url else {
            bag.report(
                .missingKey, "server `\(entry.key.text)` has no `url`", at: entry.key.span,
                help: "add `url: https://…`")
            return nil
        }
        return ServerSyntax(
            name: entry.key.located, url: url, insecure: insecure, variables: variables)
    }

    private mutating func variable(_ entry: YAMLEntry) -> ServerVariableSyntax {
        var variable = ServerVariableSyntax(name: entry.key.located)
        if entry.value.kind == .scalar, !entry.value.isNull {
            variable.defaultValue = text(entry.value, expecting: "a default")
            return variable
        }
        visit(entry.value, as: .variable) { parser, key, entry in
            switch key {
            case "default": variable.defaultValue = parser.text(entry.value, expecting: "a default")
            case "in":
                variable.allowed = parser.texts(entry.value, expecting: "a value")
            default: return false
            }
            return true
        }
        return variable
    }
}

import SpecDiagnostics
import SpecIR

/// Parses the settings that an API, a group and a method share.
extension Parser {
    /// Reads `doc`, `link` or `deprecated`. Returns whether the key is one of them.
    mutating func documentation(
        _ key: String, at node: YAMLNode, into documentation: inout DocumentationSyntax
    ) -> Bool {
        switch key {
        case "doc": documentation.text = text(node, expecting: "a description")
        case "link": documentation.link = text(node, expecting: "a URL")
        case "deprecated": documentation.deprecation = deprecation(node)
        default: return false
        }
        return true
    }

    private mutating func deprecation(_ node: YAMLNode) -> DeprecationSyntax? {
        if node.kind == .scalar {
            if let flag = node.boolean { return flag ? DeprecationSyntax() : nil }
            if node.isPlain, ["yes", "no", "on", "off"].contains(node.text.lowercased()) {
                reportKind(
                    node, expected: "`true`, `false` or a reason", help: "write `true` or `false`")
                return nil
            }
            return text(node, expecting: "a reason").map { DeprecationSyntax(message: $0.value) }
        }
        var deprecation = DeprecationSyntax()
        visit(node, as: .deprecation) { parser, key, entry in
            let text = parser.text(entry.value, expecting: "a text")
            switch key {
            case "since": deprecation.since = text?.value
            case "use": deprecation.use = text
            case "message": deprecation.message = text?.value
            default: return false
            }
            return true
        }
        return deprecation
    }

    /// Reads one inherited setting. Returns whether the key is one.
    mutating func setting(
        _ key: String, at node: YAMLNode, into settings: inout SettingsSyntax
    ) -> Bool {
        switch key {
        case "server": settings.server = text(node, expecting: "a server's name")
        case "auth": authentication(node, into: &settings)
        case "success": settings.success = success(node)
        case "unwrap": settings.unwrap = unwrap(node)
        case "accepts": settings.accepts = mediaTypes(node)
        case "errors": settings.errors = errors(node)
        case "dates":
            trace?.add(DateForm.words.map(\.key), at: node.span)
            settings.dates = text(node, expecting: "the form of dates")
        case "validate": settings.validation = validation(node)
        default: return operation(key, at: node, into: &settings.operation)
        }
        return true
    }

    /// `swift: { name: …, type: … }`
    mutating func swiftNames(_ node: YAMLNode) -> SwiftNamesSyntax {
        var names = SwiftNamesSyntax()
        visit(node, as: .swift) { parser, key, entry in
            switch key {
            case "name": names.name = parser.text(entry.value, expecting: "a Swift name")
            case "type": names.type = parser.text(entry.value, expecting: "a Swift name")
            default: return false
            }
            return true
        }
        return names
    }

    // MARK: Authentication

    /// `auth: { oauth2: { token: …, expired: … }, key: { token: … } }`
    mutating func schemes(_ node: YAMLNode) -> [AuthSyntax] {
        let help = "put it under a name of your own: `auth: { account: { token: bearer } }`"
        // Other errors of the scheme are still reported.
        if let first = node.entries.first(where: \.isPartOfScheme), node.kind == .mapping {
            bag.report(
                .wrongKind, "`\(first.key.text)` belongs to a scheme, and a scheme has a name",
                at: first.key.span, help: help)
            return [scheme(YAMLEntry(key: first.key, value: node))]
        }
        return entries(node, of: "`auth`", help: help).map { entry in
            _ = isUnreserved(
                entry.key, reserved: Parser.authWords,
                meaning: "means something else in `auth` of a method")
            return scheme(entry)
        }
    }

    private mutating func scheme(_ entry: YAMLEntry) -> AuthSyntax {
        var auth = AuthSyntax(scheme: entry.key.located)
        let places = "`token: bearer` or `token: { in: header, name: X-Token }`"
        visit(entry.value, as: .scheme, help: "write \(places) under its name") {
            parser, key, entry in
            switch key {
            case "token": parser.token(entry.value, into: &auth)
            case "expired": auth.expired = parser.expired(entry.value)
            case "refresh": auth.refresh = parser.refresh(entry.value)
            case "grant": auth.grant = parser.word(entry.value, expecting: "a grant")
            case "authorize":
                auth.authorize = parser.text(entry.value, expecting: "the URL of a log-in")
            case "scopes": auth.scopes = parser.texts(entry.value, expecting: "a scope")
            case "secret":
                auth.secret = parser.text(entry.value, expecting: "the name of a secret")
            default: return false
            }
            return true
        }
        let isScheme = entry.value.kind == .mapping || entry.value.isNull
        if isScheme, entry.value.value(of: "token") == nil {
            bag.report(
                .missingKey, "scheme `\(entry.key.text)` has no `token`",
                at: entry.key.span, help: "add \(places)")
        }
        return auth
    }

    private mutating func token(_ node: YAMLNode, into auth: inout AuthSyntax) {
        if node.kind == .scalar {
            auth.placement = word(
                node, expecting: "a place of the token", among: ["bearer", "basic"],
                or: "{ in: query, name: … }", advice: NearMisses.tokens
            ).map { Located($0.value == "basic" ? .basic : .bearer, at: $0.span) }
            return
        }
        visit(node, as: .token) { parser, key, entry in
            switch key {
            case "in":
                auth.placement = parser.word(entry.value, expecting: "a place of the token")
            case "name": auth.name = parser.text(entry.value, expecting: "a name")
            case "prefix": auth.prefix = parser.text(entry.value, expecting: "a prefix")
            default: return false
            }
            return true
        }
        if node.kind != .sequence, node.value(of: "in") == nil {
            bag.report(
                .missingKey, "`token` has no `in`", at: node.span,
                help: "add `in:` with one of "
                    + AuthSyntax.Placement.allCases.map(\.rawValue).joined(separator: ", "))
        }
        if auth.name == nil, let place = auth.placement, !place.value.isNameless {
            bag.report(
                .missingKey, "a token in the \(place.value.rawValue) needs a `name`",
                at: place.span,
                help: "add `name:`")
        }
    }

    // MARK: Errors

    private mutating func errors(_ node: YAMLNode) -> ErrorsSyntax {
        var errors = ErrorsSyntax(span: node.span)
        visit(node, as: .errors) { parser, key, entry in
            switch key {
            case "at": errors.at = parser.path(entry.value, expecting: "a path")
            case "code": errors.code = parser.keyPath(entry.value, expecting: "a key path")
            case "message": errors.message = parser.keyPaths(entry.value, expecting: "a key path")
            case "model": errors.model = parser.text(entry.value, expecting: "a model's name")
            case "retry-after": errors.retryAfter = parser.retryAfter(entry.value)
            case "cases":
                errors.cases = parser.entries(entry.value, of: "`cases`").map {
                    parser.errorCase($0)
                }
            default: return false
            }
            return true
        }
        return errors
    }

    /// `retry-after: path`, or `{ at, unit }`
    private mutating func retryAfter(_ node: YAMLNode) -> RetryAfterSyntax? {
        guard node.kind == .mapping else {
            return keyPath(node, expecting: "a key path").map { RetryAfterSyntax(at: $0) }
        }
        var path: YAMLNode?
        var isInMilliseconds = false
        visit(node, as: .retryAfter) { parser, key, entry in
            switch key {
            case "at": path = entry.value
            case "unit":
                let unit = parser.word(
                    entry.value, expecting: "a unit of time", among: ["s", "ms"])
                isInMilliseconds = unit?.value == "ms"
            default: return false
            }
            return true
        }
        guard let path else {
            bag.report(
                .missingKey, "`retry-after` has no `at`", at: node.span,
                help: "add `at: key`")
            return nil
        }
        return keyPath(path, expecting: "a key path").map {
            RetryAfterSyntax(at: $0, isInMilliseconds: isInMilliseconds)
        }
    }

    private mutating func errorCase(_ entry: YAMLEntry) -> ErrorCaseSyntax {
        var code: YAMLNode? = entry.value
        _ = isUnreserved(
            entry.key, reserved: ["transport"],
            meaning: "means in `retry.on` that no complete reply arrived")
        var result = ErrorCaseSyntax(
            name: entry.key.located, isInteger: false, isRetryable: false)
        if entry.value.kind == .mapping {
            code = nil
            visit(entry.value, as: .errorCase) { parser, key, entry in
                switch key {
                case "code": code = entry.value
                case "status":
                    result.status = parser.status(entry.value, expecting: "a status")
                case "retry": result.isRetryable = parser.flag(entry.value, for: "`retry`") ?? false
                case "model": result.model = parser.text(entry.value, expecting: "a model's name")
                default:
                    return parser.documentation(key, at: entry.value, into: &result.documentation)
                }
                return true
            }
        }
        result.isShort = entry.value.kind != .mapping
        guard let code else {
            if entry.value.kind != .mapping || entry.value.value(of: "status") == nil {
                bag.report(
                    .missingKey, "error case `\(entry.key.text)` has no `code` and no `status`",
                    at: entry.key.span, help: "write `{ code: … }` or `{ status: … }`")
            }
            result.isInteger = true
            return result
        }
        if let status = result.status {
            bag.report(
                .conflict, "an error case has a `code` or a `status`, not both", at: code.span,
                notes: [Diagnostic.Note("`status` is here", at: status.span)],
                help: "keep one; `error.status` has the status of every error")
            return result
        }
        result.code = text(code, expecting: "an error code")
        if let integer = code.integer {
            result.isInteger = true
            result.code?.value = String(integer)
        }
        return result
    }
}

extension AuthSyntax.Placement {
    /// Whether it has a header of its own.
    fileprivate var isNameless: Bool { self == .bearer || self == .basic }
}

extension YAMLEntry {
    /// Whether it is a key of a scheme, and not a scheme with such a name.
    fileprivate var isPartOfScheme: Bool {
        guard MappingSchema.scheme.keys.contains(key.text) else { return false }
        return value.kind != .mapping || value.value(of: "in") != nil
    }
}

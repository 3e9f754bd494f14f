import SpecIR
import SpecSecretNames
import SpecSyntax

extension AuthRules {
    /// Lowers a scheme of an API.
    init?(_ auth: AuthSyntax, of api: APISyntax) {
        guard let placement = Placement(auth) else { return nil }
        self.init(
            placement: placement,
            expiry: auth.expired.map { Expiry.all($0, SettingsCascade(api)) } ?? [],
            refresh: auth.refresh.flatMap { Refresh($0) })
        secret = auth.secret?.value
        grant = OAuthGrant(auth)
        if api.schemes.count > 1 || hasSourceOfItsOwn { name = auth.scheme.value }
    }

    /// Whether the token comes neither from a log-in nor from a token server.
    private var hasSourceOfItsOwn: Bool {
        if secret != nil { return true }
        switch refresh {
        case .method, .handedOut: return true
        case .app, .request, nil: return false
        }
    }
}

extension OAuthGrant {
    /// - Returns: nil if the scheme has no grant.
    fileprivate init?(_ auth: AuthSyntax) {
        guard let kind = auth.grant?.value, case .request(let request) = auth.refresh,
            let token = request.url?.value, let client = request.client
        else { return nil }
        self.init(
            kind: kind, client: client.value.value, authorize: auth.authorize?.value, token: token,
            scopes: auth.scopes?.value.map(\.value) ?? [])
    }
}

extension RefreshRequestSyntax {
    /// The member with the id of the client.
    var client: RefreshMemberSyntax? {
        members.first { $0.name.value == "client_id" && !$0.value.value.hasPrefix("$") }
    }
}

extension AuthUse {
    init(_ syntax: AuthUseSyntax?) {
        switch syntax {
        case AuthUseSyntax.none?: self = .none
        case .required, nil: self = .required
        case .optional: self = .optional
        case .anyOf(let names): self = .anyOf(names.map(\.value))
        case .allOf(let names): self = .allOf(names.map(\.value))
        }
    }
}

extension AuthRules.Placement {
    fileprivate init?(_ auth: AuthSyntax) {
        let name = auth.name?.value ?? ""
        switch auth.placement?.value {
        case .query: self = .query(name)
        case .header: self = .header(name, prefix: auth.prefix?.value ?? "")
        case .bearer: self = .bearer
        case .cookie: self = .cookie(name)
        case .body: self = .body(name)
        case .basic: self = .basic
        case .path: self = .path(name)
        case nil: return nil
        }
    }
}

extension Refresh {
    fileprivate init?(_ syntax: RefreshSyntax) {
        switch syntax {
        case .app: self = .app
        case .request(let request):
            guard let url = request.url else { return nil }
            self = .request(RefreshRequest(request, to: url.value))
        case .method(let syntax):
            self = .method(
                syntax.method.value, token: syntax.token?.value ?? [],
                header: syntax.header?.value)
        case .handedOut(let syntax):
            guard let status = syntax.status, let header = syntax.header else { return nil }
            self = .handedOut(status: status.value, header: header.value)
        }
    }
}

extension RefreshRequest {
    fileprivate init(_ syntax: RefreshRequestSyntax, to url: String) {
        self.init(
            url: url, isJSON: syntax.bodyKey?.value == .json,
            members: syntax.bodyKey.map { _ in syntax.members.map { Member($0) } },
            token: syntax.token?.value ?? ["access_token"],
            refreshToken: syntax.refreshToken?.value ?? ["refresh_token"],
            expiresIn: syntax.expiresIn?.value ?? ["expires_in"])
    }
}

extension RefreshRequest.Member {
    fileprivate init(_ syntax: RefreshMemberSyntax) {
        let text = syntax.value.value
        let value: RefreshRequest.Value =
            switch text {
            case "$token.access_token": .token
            case "$token.refresh_token": .refreshToken
            case _ where text.hasPrefix("$token."): .credentialValue(String(text.dropFirst(7)))
            case _ where text.hasPrefix(CredentialReference.secret):
                .appSecret(String(text.dropFirst(CredentialReference.secret.count)))
            default: syntax.isSecret ? .secret(text) : .constant(text)
            }
        self.init(name: syntax.name.value, value: value)
    }
}

extension RefreshMemberSyntax {
    /// Whether the text is redacted: by its attribute, otherwise by its name.
    fileprivate var isSecret: Bool { isSensitive ?? SecretName.isSuspicious(name.value) }
}

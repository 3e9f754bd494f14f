import SecretNames
import SpecIR
import SpecSyntax

extension AuthRules {
    /// Lowers the authentication scheme; nil if the API has none.
    init?(_ api: APISyntax) {
        guard let auth = api.auth, let placement = Placement(auth) else { return nil }
        self.init(
            placement: placement,
            expiry: auth.expired.map { Expiry.all($0, SettingsCascade(api)) } ?? [],
            refresh: auth.refresh.flatMap { Refresh($0) })
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
            default: syntax.isSecret ? .secret(text) : .constant(text)
            }
        self.init(name: syntax.name.value, value: value)
    }
}

extension RefreshMemberSyntax {
    /// Whether the text is redacted: by its attribute, otherwise by its name.
    fileprivate var isSecret: Bool { isSensitive ?? SecretName.isSuspicious(name.value) }
}

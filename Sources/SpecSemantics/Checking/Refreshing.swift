import SpecDiagnostics
import SpecIR
import SpecSyntax

/// How a new token is had.
extension Analyzer {
    mutating func refresh(_ syntax: RefreshSyntax?) -> Refresh? {
        switch syntax {
        case nil: nil
        case .app: .app
        case .request(let request): request.url.map { .request(self.request(request, to: $0)) }
        }
    }

    private mutating func request(
        _ syntax: RefreshRequestSyntax, to url: Located<String>
    ) -> RefreshRequest {
        checkRefreshURL(url)
        return RefreshRequest(
            url: url.value, isJSON: syntax.bodyKey?.value == "json",
            members: syntax.bodyKey.map { _ in syntax.members.map { member($0) } },
            token: token(syntax.token),
            refreshToken: syntax.refreshToken?.value ?? ["refresh_token"],
            expiresIn: syntax.expiresIn?.value ?? ["expires_in"])
    }

    private mutating func token(_ path: Located<[String]>?) -> [String] {
        if let path, path.value.isEmpty {
            bag.report(
                .badKeyPath, "a token server's reply cannot do without a token", at: path.span,
                label: "expected the key that holds the token")
        }
        return path?.value ?? ["access_token"]
    }

    private mutating func member(_ syntax: RefreshMemberSyntax) -> RefreshRequest.Member {
        let text = syntax.value.value
        let value: RefreshRequest.Value =
            switch text {
            case "$token.access_token": .token
            case "$token.refresh_token": .refreshToken
            case _ where text.hasPrefix("$token."): .fact(String(text.dropFirst(7)))
            default: syntax.isSensitive ? .secret(text) : .constant(text)
            }
        if text == "$token." {
            bag.report(
                .badCredentialDefault, "`$token.` names no value of the credential",
                at: syntax.value.span, help: "write `$token.refresh_token`")
        }
        return RefreshRequest.Member(name: syntax.name.value, value: value)
    }

    /// A refresh token is worth as much as a password: nobody on the way may read it
    /// (RFC 6749 §10.4).
    private mutating func checkRefreshURL(_ url: Located<String>) {
        let text = url.value
        let address = WebAddress(text)
        guard let address, !text.contains("#"), !text.contains(where: { "{}".contains($0) }) else {
            bag.report(
                .badRefreshURL, "`\(text)` is not the URL of a token server", at: url.span,
                help: "write `https://host/path`, without user, fragment and variables")
            return
        }
        if !address.isSecure, !address.isLocal {
            bag.report(
                .badRefreshURL, "the refresh token would travel over plain HTTP", at: url.span,
                help: "write `https://`")
        }
    }
}

/// What matters of an absolute URL.
struct WebAddress {
    /// Whether it begins with `https://`.
    let isSecure: Bool
    /// Whether its host is the machine itself.
    let isLocal: Bool

    /// Reads a URL; `nil` if it is none that begins with `https://` or `http://`, or has a user.
    init?(_ text: String) {
        let isPlain = text.hasPrefix("http://")
        let host = text.dropFirst(isPlain ? 7 : 8).prefix { !"/?#".contains($0) }
        let isClean = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F }
        guard isPlain || text.hasPrefix("https://"), isClean, !host.isEmpty, !host.contains("@")
        else { return nil }
        isSecure = !isPlain
        let name = host.prefix { $0 != ":" }
        isLocal = name == "localhost" || name.hasPrefix("127.") || host.hasPrefix("[::1]")
    }
}

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
            members: syntax.members.map { .init(name: $0.name.value, value: $0.value.value) },
            token: syntax.token?.value ?? ["access_token"],
            refreshToken: syntax.refreshToken?.value ?? ["refresh_token"],
            expiresIn: syntax.expiresIn?.value ?? ["expires_in"])
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

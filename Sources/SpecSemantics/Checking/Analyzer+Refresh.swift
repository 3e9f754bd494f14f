import SecretNames
import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and lowers the refresh of tokens.
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
            url: url.value, isJSON: syntax.bodyKey?.value == .json,
            members: syntax.bodyKey.map { _ in syntax.members.map { member($0) } },
            token: token(syntax.token),
            refreshToken: syntax.refreshToken?.value ?? ["refresh_token"],
            expiresIn: syntax.expiresIn?.value ?? ["expires_in"])
    }

    private mutating func token(_ path: Located<[String]>?) -> [String] {
        if let path, path.value.isEmpty {
            bag.report(
                .badKeyPath, "the reply of a token server needs a token", at: path.span,
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
            case _ where text.hasPrefix("$token."): .credentialValue(String(text.dropFirst(7)))
            default: isSecret(syntax) ? .secret(text) : .constant(text)
            }
        if text == "$token." {
            bag.report(
                .badCredentialDefault, "`$token.` names no value of the credential",
                at: syntax.value.span, help: "write `$token.refresh_token`")
        } else if let reference = CredentialReference(text), reference.place.lowerBound > 0 {
            bag.report(
                .badCredentialDefault,
                "`\(reference.text)` is not a credential reference here",
                at: syntax.value.place(of: reference.place),
                help: "a credential reference must be the whole text of a member")
        }
        if let meant = CredentialReference.misspelt(text) {
            bag.report(
                .badCredentialDefault, "`\(text)` is not a value of the credential",
                at: syntax.value.span,
                help: "did you mean `\(meant)`? A text that begins like this cannot be sent")
        }
        return RefreshRequest.Member(name: syntax.name.value, value: value)
    }

    /// Whether a text is redacted: by its attribute, otherwise by its name.
    private func isSecret(_ syntax: RefreshMemberSyntax) -> Bool {
        syntax.isSensitive ?? SecretName.isSuspicious(syntax.name.value)
    }

    /// Checks that the refresh token is sent over TLS (RFC 6749 §10.4).
    private mutating func checkRefreshURL(_ url: Located<String>) {
        let text = url.value
        if WebAddress.isPath(text) { return }
        let address = WebAddress(text)
        guard let address, !text.contains("#"), !text.contains(where: { "{}".contains($0) }) else {
            bag.report(
                .badRefreshURL, "`\(text)` is not the URL of a token server", at: url.span,
                help: "write `https://host/path`, without user, fragment and variables, or a path "
                    + "behind the API's server, such as `oauth/token`")
            return
        }
        if !address.isSecure, !address.isLocal {
            bag.report(
                .badRefreshURL, "the refresh token would be sent over plain HTTP", at: url.span,
                help: "write `https://`")
        }
    }
}

/// The security-relevant parts of an absolute URL.
struct WebAddress {
    /// Whether it begins with `https://`.
    let isSecure: Bool
    /// Whether its host is the local machine.
    let isLocal: Bool

    /// Whether a text is a relative path. A dot in the first segment means a URL without a scheme.
    static func isPath(_ text: String) -> Bool {
        let segments = text.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.first?.contains(".") == false else { return false }
        return segments.allSatisfy { segment in
            !["", ".", ".."].contains(segment)
                && segment.utf8.allSatisfy { byte in
                    let isLetter = (0x61...0x7A).contains(byte | 0x20)
                    return isLetter || (0x30...0x39).contains(byte) || "-._~".utf8.contains(byte)
                }
        }
    }

    /// Parses a URL; `nil` without the scheme `https` or `http`, with a user, without a host, or
    /// with an invalid port.
    init?(_ text: String) {
        let isPlain = text.hasPrefix("http://")
        let authority = text.dropFirst(isPlain ? 7 : 8).prefix { !"/?#".contains($0) }
        let isClean = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F }
        let (host, port) = Self.split(authority)
        guard isPlain || text.hasPrefix("https://"), isClean, !host.isEmpty,
            !authority.contains("@"), Self.isPort(port)
        else { return nil }
        isSecure = !isPlain
        isLocal = Self.isLocal(host.lowercased())
    }

    /// Parses the URL of a server, which may have variables, but no query and no fragment.
    init?(ofServer text: String) {
        let hasQuery = text.contains("?") || text.contains("#")
        guard !hasQuery, Analyzer.braced(text)?.allSatisfy(Self.isVariable) == true else {
            return nil
        }
        self.init(text)
    }

    private static func isVariable(_ name: String) -> Bool {
        !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }

    private static func split(_ authority: Substring) -> (host: Substring, port: Substring) {
        let end = authority.lastIndex(of: "]") ?? authority.startIndex
        guard let colon = authority[end...].firstIndex(of: ":") else { return (authority, "") }
        return (authority[..<colon], authority[colon...].dropFirst())
    }

    /// Whether a text is a port, empty, or a variable.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.contains("{")
            || text.allSatisfy { ("0"..."9").contains($0) } && UInt16(text) ?? 0 > 0
    }

    /// Whether a host is the local machine: a loopback address or `localhost`. The runtime has the
    /// same check.
    private static func isLocal(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4 && octets[0] == "127"
            && octets.allSatisfy { !$0.hasPrefix("+") && UInt8($0) != nil }
    }
}

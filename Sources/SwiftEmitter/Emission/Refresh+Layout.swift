import SpecIR

/// The refresh rules as a Swift expression.
extension Refresh {
    /// `refresh: …`
    var layout: Layout {
        switch self {
        case .app: .text("refresh: .app")
        case .request(let request): .call("refresh: .request", [request.layout])
        case .method(let name, let token, let header):
            .call(
                "refresh: .method",
                [
                    .call(
                        "TokenMethod",
                        [
                            .string("", name),
                            header.map { .string("header: ", $0) } ?? .strings("token: ", token),
                        ])
                ])
        case .handedOut(let status, let header):
            .call(
                "refresh: .handedOut",
                [.text("status: \(status)"), .string("header: ", header)])
        }
    }
}

extension RefreshRequest {
    fileprivate var layout: Layout {
        var arguments: [Layout] = [.string("", url)]
        if let members {
            arguments.append(
                .call(isJSON ? ".json" : ".form", [.array("", members.map(\.layout))]))
        }
        if let reply { arguments.append(reply) }
        return .call("RefreshRequest", arguments)
    }

    /// The key paths of the reply that differ from those of OAuth.
    private var reply: Layout? {
        var arguments: [Layout] = []
        if token != ["access_token"] { arguments.append(.strings("token: ", token)) }
        if refreshToken != ["refresh_token"] {
            arguments.append(.strings("refreshToken: ", refreshToken))
        }
        if expiresIn != ["expires_in"] { arguments.append(.strings("expiresIn: ", expiresIn)) }
        return arguments.isEmpty ? nil : .call("reply: TokenReplyRules", arguments)
    }
}

extension OAuthGrant {
    fileprivate var name: String {
        switch kind {
        case .authorizationCode: ".authorizationCode"
        case .device: ".device"
        case .clientCredentials: ".clientCredentials"
        }
    }

    var layout: Layout {
        var arguments: [Layout] = [.text(name), .string("client: ", client)]
        if let authorize { arguments.append(.string("authorize: ", authorize)) }
        arguments.append(.string("token: ", token))
        if !scopes.isEmpty { arguments.append(.strings("scopes: ", scopes)) }
        return .call("OAuthGrant", arguments)
    }
}

extension RefreshRequest.Member {
    fileprivate var layout: Layout {
        let value: Layout =
            switch value {
            case .constant(let text): .call(".constant", [.string("", text)])
            case .secret(let text): .call(".secret", [.string("", text)])
            case .appSecret(let name): .call(".appSecret", [.string("", name)])
            case .credentialValue(let name): .call(".fact", [.string("", name)])
            case .refreshToken: .text(".refreshToken")
            case .token: .text(".token")
            }
        return .call("RefreshRequest.Field", [.string("", name), value])
    }
}

import TelexValues

/// The schemes of an API. The engine refreshes the credential of the first one; keepers have the
/// tokens of the others.
struct AuthSchemes: Sendable {
    /// The name of the scheme whose credential the engine refreshes; nil if there is none.
    let main: String?
    /// The other schemes by name.
    let keepers: [String: TokenKeeper]
    /// The secrets of the app.
    let secrets: (any SecretProvider)?
    /// The violation if the app gives a credential for a scheme that the API does not have.
    let problem: Violation?
    private let first: String

    init(
        _ definition: APIDefinition, stores: [String: any CredentialStore] = [:],
        secrets: (any SecretProvider)? = nil,
        refresher: (AuthRules) -> (any CredentialRefresher)? = { _ in nil }
    ) {
        let all = ([definition.auth] + definition.schemes).filter { $0.token != nil }
        first = all.first?.name ?? ""
        main = all.first.flatMap { $0.hasOwnSource ? nil : $0.name }
        self.secrets = secrets
        var keepers: [String: TokenKeeper] = [:]
        for rules in all where rules.name != main {
            keepers[rules.name] = TokenKeeper(
                rules, store: stores[rules.name] ?? .memory, refresher: refresher(rules))
        }
        self.keepers = keepers
        let unknown = stores.keys.filter { keepers[$0] == nil }.sorted().first
        problem = unknown.map {
            Violation(
                path: "schemes", rule: "auth",
                expected: "a scheme of the API other than that of `credentials`"
                    + spellingHint($0, among: keepers.keys.sorted()),
                found: "`\($0)`")
        }
    }

    /// Returns the schemes that a call may use, in order.
    func names(_ auth: Endpoint.Auth) -> [String] {
        switch auth {
        case .none: []
        case .required, .optional: main == nil && keepers[first] == nil ? [] : [first]
        case .anyOf(let names), .allOf(let names): names
        }
    }

    /// Removes the tokens that the server has handed out. The others belong to the app.
    func forgetHandedOut() async {
        for keeper in keepers.values where keeper.isHandedOut { try? await keeper.store.clear() }
    }

    /// The names of the header fields with tokens, in lower case.
    var headers: Set<String> {
        Set(
            keepers.values.flatMap { keeper in
                let sent: String? =
                    if case .header(let name, _) = keeper.rules.token { name } else { nil }
                let taken: String? =
                    switch keeper.rules.refresh {
                    case .handedOut(_, let header): header
                    case .method(let method): method.header
                    case .app, .request, nil: nil
                    }
                return [sent, taken].compactMap { $0?.lowercased() }
            })
    }

    /// Whether a call may carry the token that the engine refreshes.
    func usesRefreshedScheme(_ auth: Endpoint.Auth) -> Bool {
        switch auth {
        case .none: false
        case .required, .optional: main != nil
        case .anyOf(let names), .allOf(let names): names.contains { $0 == main }
        }
    }

    /// Whether a call may carry a token of a keeper.
    func usesKeepers(_ auth: Endpoint.Auth) -> Bool {
        guard !keepers.isEmpty else { return false }
        return switch auth {
        case .none: false
        case .required, .optional: main == nil
        case .anyOf(let names), .allOf(let names): names.contains { $0 != main }
        }
    }
}

extension AuthRules {
    /// Whether the token comes from a place of its own, not from a log-in.
    fileprivate var hasOwnSource: Bool {
        if secret != nil { return true }
        switch refresh {
        case .method, .handedOut: return true
        case .app, .request, nil: return false
        }
    }
}

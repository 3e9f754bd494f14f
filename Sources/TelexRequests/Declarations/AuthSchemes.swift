import TelexCredentials
import TelexJSON
import TelexScheduling
import TelexValues

/// The schemes of an API: that of the log-in, whose credential the manager stores, and further ones.
package struct AuthSchemes: Sendable {
    /// The name of the scheme of the log-in; nil if there is none.
    package let main: String?
    /// The other schemes by name.
    package let further: [String: TokenScheme]
    /// The secrets of the app.
    package let secrets: (any SecretProvider)?
    /// The violation if the app gives a credential for a scheme that the API does not have.
    package let problem: Violation?
    private let first: String

    package init(
        _ definition: APIDefinition, stores: [String: any CredentialStore] = [:],
        secrets: (any SecretProvider)? = nil,
        refresher: (AuthRules) -> (any CredentialRefresher)? = { _ in nil }
    ) {
        let all = ([definition.auth] + definition.schemes).filter { $0.token != nil }
        first = all.first?.name ?? ""
        main = all.first.flatMap { $0.hasOwnSource ? nil : $0.name }
        self.secrets = secrets
        var further: [String: TokenScheme] = [:]
        // The log-in has the first key.
        var keys = (1...UInt8.max).map(SchemeKey.init).makeIterator()
        for rules in all where rules.name != main {
            let refresher = refresher(rules)
            let isRefreshed = rules.secret == nil && (refresher != nil || rules.isHandedOut)
            further[rules.name] = TokenScheme(
                rules: rules, store: stores[rules.name] ?? .memory, refresher: refresher,
                key: isRefreshed ? keys.next() : nil)
        }
        self.further = further
        let unknown = stores.keys.filter { further[$0] == nil }.sorted().first
        problem = unknown.map {
            Violation(
                path: "schemes", rule: "auth",
                expected: "a scheme of the API other than that of `credentials`"
                    + spellingHint($0, among: further.keys.sorted()),
                found: "`\($0)`")
        }
    }

    /// The keys of the further schemes whose tokens the engine refreshes.
    package var furtherKeys: [SchemeKey] { further.values.compactMap(\.key) }

    /// Returns the further scheme with this key.
    package func scheme(_ key: SchemeKey) -> TokenScheme? { further.values.first { $0.key == key } }

    /// Returns the schemes that a call may use, in order.
    package func names(_ auth: Endpoint.Auth) -> [String] {
        switch auth {
        case .none: []
        case .required, .optional: main == nil && further[first] == nil ? [] : [first]
        case .anyOf(let names), .allOf(let names): names
        }
    }

    /// Returns the keys of the schemes that a call may use and whose tokens the engine refreshes.
    package func keys(_ auth: Endpoint.Auth) -> [SchemeKey] {
        names(auth).compactMap { $0 == main ? .login : further[$0]?.key }
    }

    /// The names of the header fields with tokens, in lower case.
    package var headers: Set<String> {
        Set(
            further.values.flatMap { scheme in
                let sent: String? =
                    if case .header(let name, _) = scheme.rules.token { name } else { nil }
                let taken: String? =
                    switch scheme.rules.refresh {
                    case .handedOut(_, let header): header
                    case .method(let method): method.header
                    case .app, .request, nil: nil
                    }
                return [sent, taken].compactMap { $0?.lowercased() }
            })
    }

    /// Whether a call may carry the token of the log-in.
    package func usesRefreshedScheme(_ auth: Endpoint.Auth) -> Bool {
        switch auth {
        case .none: false
        case .required, .optional: main != nil
        case .anyOf(let names), .allOf(let names): names.contains { $0 == main }
        }
    }

    /// Whether a call may carry the token of a further scheme.
    package func usesFurther(_ auth: Endpoint.Auth) -> Bool {
        guard !further.isEmpty else { return false }
        return switch auth {
        case .none: false
        case .required, .optional: main == nil
        case .anyOf(let names), .allOf(let names): names.contains { $0 != main }
        }
    }
}

extension AuthRules {
    /// Whether the token comes from a place of its own, not from a log-in.
    fileprivate var hasOwnSource: Bool { secret != nil || isHandedOut }

    /// Whether the server hands out the token, so that it ends with the log-in.
    package var isHandedOut: Bool {
        switch refresh {
        case .method, .handedOut: true
        case .app, .request, nil: false
        }
    }
}

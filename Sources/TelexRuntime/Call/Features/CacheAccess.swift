import HTTPTypes
import TelexCache
import TelexCredentials
import TelexRequests
import TelexScheduling
import TelexTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The place of a call in the cache.
struct CacheAccess: Sendable {
    let cache: HTTPCache
    let rules: CacheRules
    let key: CacheKey
    /// The address of the request, without the token.
    let address: Address
    /// Whether the key may be on disk.
    let mayBeOnDisk: Bool

    var stored: CachedReply? {
        get async { await cache.reply(for: key, onDisk: mayBeOnDisk) }
    }

    func freshness(of reply: CachedReply, at now: Date) -> Freshness {
        Freshness(of: reply, at: now, lifetime: rules.fresh ?? .zero)
    }
}

extension CallPipeline {
    /// Removes the replies of a login that has ended. If it is not known, all replies are removed.
    func removeReplies(of credential: StoredCredential) async {
        switch credential {
        case .success(let credential?): await cache?.remove(owner: credential.cacheOwner)
        case .success(nil): break
        case .failure: await cache?.removeAll()
        }
    }

    /// Saves the credential of a new login; the replies of the former one are removed.
    func logIn(
        _ credential: Credential, on engine: Engine
    ) async throws(CredentialStoreError) {
        let former = cache == nil ? .success(nil) : await storedCredential()
        try await engine.logIn(credential, saving: credentials)
        redactors.clear()
        if case .success = former { await removeReplies(of: former) }
    }
}

extension Credential {
    /// The owner of the replies of its login. Refreshes keep it, because they keep the identity of
    /// the login; without one, the token is the identity.
    fileprivate var cacheOwner: String { CacheKey.ownerName(of: login ?? "token \(token)") }
}

extension RequestTemplate {
    /// Whether the request can be compared with others, and has no fields that make its reply depend
    /// on more than that: a part of a document, or the caller's own validation.
    var mayBeCached: Bool {
        isComparable && !asksForPart && !headers.contains { $0.name.lowercased().hasPrefix("if-") }
    }
}

extension Call {
    /// The place of the call in the cache; nil if it has none.
    var cacheAccess: CacheAccess? {
        guard let cache = pipeline.cache,
            let rules = rules.cache,
            context?.privilegedTask == nil, let owner = cacheOwner, let address = cacheAddress,
            let fields = try? template.fields(nil, credential),
            let body = try? template.payload(
                placement: nil, credential: credential, boundary: "-")?.comparedText ?? ""
        else { return nil }
        let now = pipeline.clock.now()
        let cookies = pipeline.cookies?.field(for: address, besides: [], at: now)
        // Neither an address nor a field value contains a line break; the body is the last one.
        let request =
            [template.endpoint.method.rawValue, address.query ?? ""] + replyRules.accepts
            + (cookies.map { ["cookie:\($0)"] } ?? [])
            + fields.map { "\($0.name.canonicalName):\($0.value)" } + [body]
        return CacheAccess(
            cache: cache, rules: rules,
            key: CacheKey(
                owner: owner, address: address.withoutQuery.text,
                request: request.joined(separator: "\n")),
            address: address,
            mayBeOnDisk: rules.store == .disk && !template.hasSecrets && !template.hasSensitiveBody
                && !sendsToken
                && cookies == nil && (!usesCredential || credential?.login != nil))
    }

    private var usesCredential: Bool {
        pipeline.sendsToken(template) || template.needsCredential
    }

    /// Whether the token is a parameter, so that the key contains its hash.
    private var sendsToken: Bool { template.sendsToken || pipeline.base.sendsToken }

    /// The owner of what is stored for the call; nil if it needs a credential and has none.
    private var cacheOwner: String? {
        guard usesCredential else { return CacheKey.ownerName(of: nil) }
        return credential.flatMap { $0.token.isEmpty ? nil : $0.cacheOwner }
    }

    /// The address of the request without the token; nil if the request cannot be built.
    var cacheAddress: Address? {
        try? template.address(on: server(), credential)
    }
}

extension Endpoint {
    /// Whether a request changes nothing: by its HTTP method (RFC 9110, section 9.2.1), or because
    /// the method says so.
    var isSafe: Bool {
        switch method {
        case .get, .head, .options, .trace: true
        default: operation.isSafe
        }
    }
}

import HTTPTypes
import TelexCache
import TelexInspection
import TelexTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Answers calls with stored replies, and stores replies.
extension Call {
    private var cacheUse: CacheUse? { overrides?.options.cache }

    /// Returns the value of a stored reply; nil if the call has to ask the server.
    ///
    /// - Throws: `notCached` if the call must not ask the server.
    @inline(never)
    nonisolated(nonsending) func storedValue() async throws(APIError) -> AnyProduct? {
        if let access = cacheAccess, let value = await storedValue(access) { return value }
        guard cacheUse != .offline else {
            throw finished(failure(in: .queue, reason: .notCached))
        }
        return nil
    }

    nonisolated(nonsending) private func storedValue(_ access: CacheAccess) async -> AnyProduct? {
        guard cacheUse != .reload, cacheUse != .validate, let reply = await access.stored else {
            return nil
        }
        let isFresh = access.freshness(of: reply, at: pipeline.clock.now()).isFresh
        guard isFresh || cacheUse == .cached || cacheUse == .offline else { return nil }
        return await usableValue(of: reply, isFresh ? .cache : .stale, access)
    }

    /// Returns the value of a stored reply that is used because the server has failed (RFC 5861);
    /// nil if none may be.
    @inline(never)
    nonisolated(nonsending) func storedValue(after error: APIError) async -> AnyProduct? {
        guard error.reason.allowsStaleReply, !Task.isCancelled, let access = cacheAccess,
            cacheUse == nil, let reply = await access.stored,
            access.freshness(of: reply, at: pipeline.clock.now())
                .mayBeUsedOnError(for: access.rules.staleIfError)
        else { return nil }
        return await usableValue(of: reply, .stale, access)
    }

    /// Returns the value of a stored reply. If it is none any more, for example after an update of
    /// the app, the reply is removed.
    nonisolated(nonsending) private func usableValue(
        of reply: CachedReply, _ source: ReplySource, _ access: CacheAccess
    ) async -> AnyProduct? {
        do throws(APIError) {
            return try value(of: reply, source, access)
        } catch {
            await access.cache.remove(access.key)
            return nil
        }
    }

    @inline(never)
    private func value(
        of reply: CachedReply, _ source: ReplySource, _ access: CacheAccess
    ) throws(APIError) -> AnyProduct {
        let now = pipeline.clock.now()
        let head = reply.head(at: now)
        let hop = Exchange.Hop(
            template.endpoint.method, to: access.address, sendsBody: false,
            wasRedirectedAway: false)
        context?.noteReply(head, reply.body, from: hop, source: source)
        let value = try value(in: Reply(head: head, body: reply.body, address: access.address))
        let age = access.freshness(of: reply, at: now).age
        context?.emit(.fromCache(source, age: .seconds(Int(age))))
        return value
    }

    /// Returns a stored value once the operation is not suspended.
    func shown<Output: Sendable>(_ stored: AnyProduct) async throws -> Output {
        try await context?.waitWhilePaused()
        guard let product = stored as? Product<Output> else { throw OperationError.unknown }
        return product.value
    }

    // MARK: Asking the server

    /// Asks the server, unless a fresh reply has been stored while the call waited for its turn.
    ///
    /// - Returns: nil if the call neither uses nor stores replies.
    @inline(never)
    nonisolated(nonsending) func cachedValue() async throws(APIError) -> AnyProduct? {
        guard let access = cacheAccess else { return nil }
        if let value = await storedValue(access) { return value }
        do throws(APIError) {
            let reply = cacheUse == .reload ? nil : await access.stored
            return try await fetch(access, validating: reply)
        } catch {
            guard let value = await storedValue(after: error) else { throw error }
            return value
        }
    }

    nonisolated(nonsending) private func fetch(
        _ access: CacheAccess, validating stored: CachedReply?
    ) async throws(APIError) -> AnyProduct {
        var conditions = stored?.conditions ?? HTTPFields()
        let isConditional = !conditions.isEmpty
        if cacheUse == .reload { conditions[.cacheControl] = "no-cache" }
        let requested = pipeline.clock.now()
        let reply = try await open(adding: conditions)
        let received = pipeline.clock.now()
        let isRedirected = context?.kept.hop?.isRedirected ?? false
        let answer = try await collect(reply)
        if let stored, isConditional, answer.status == 304, !isRedirected {
            let new = stored.validated(by: answer.head, requested: requested, received: received)
            if let value = await validatedValue(new, access) { return value }
            // The 304 is of no use, so the whole reply is needed.
            context?.countNextRequest()
            return try await fetch(access, validating: nil)
        }
        let value = try value(in: answer)
        // The reply of another address says nothing about this one.
        if !isRedirected { await keep(answer, (requested, received), access) }
        if let templates = pipeline.templates { await record(answer, by: templates) }
        return value
    }

    nonisolated(nonsending) private func validatedValue(
        _ new: (reply: CachedReply, isStorable: Bool)?, _ access: CacheAccess
    ) async -> AnyProduct? {
        guard let new, let value = await usableValue(of: new.reply, .revalidated, access) else {
            await access.cache.remove(access.key)
            return nil
        }
        if new.isStorable {
            let isOnDisk = access.mayBeOnDisk && !hasSecrets(Reply(new.reply))
            await access.cache.store(new.reply, for: access.key, onDisk: isOnDisk)
        } else {
            await access.cache.remove(access.key)
        }
        return value
    }

    /// Stores a reply, or removes the former one if it must not be stored. If an interceptor has
    /// set a field with a secret, such as `Authorization`, the owner of the reply is unknown.
    nonisolated(nonsending) private func keep(
        _ answer: Reply, _ times: (requested: Date, received: Date), _ access: CacheAccess
    ) async {
        let changed = context?.record.changedFields ?? []
        let reply = CachedReply(
            answer.head, body: answer.body, requested: times.requested, received: times.received,
            changed: changed)
        guard let reply, !changed.contains(where: Redactor.isSecretHeader) else {
            return await access.cache.remove(access.key)
        }
        let isOnDisk = access.mayBeOnDisk && !hasSecrets(answer)
        await access.cache.store(reply, for: access.key, onDisk: isOnDisk)
    }

    /// Whether a reply has sensitive values, or may have some.
    private func hasSecrets(_ answer: Reply) -> Bool {
        let keys = request.sensitiveKeys(
            in: answer, at: rules.unwrap, limits: definition.limits.json)
        return keys?.isEmpty != true
    }
}

extension Reply {
    fileprivate init(_ reply: CachedReply) {
        self.init(
            head: HTTPResponse(status: .init(code: reply.status), headerFields: reply.fields),
            body: reply.body)
    }
}

extension APIError.Reason {
    /// Whether the server or the network has failed, so that an older reply may be used (RFC 5861,
    /// section 4).
    fileprivate var allowsStaleReply: Bool {
        switch self {
        case .transport(let error):
            switch error.kind {
            case .cancelled, .invalidRequest, .unsupported, .tooLarge: false
            default: true
            }
        case .status(500), .status(502), .status(503), .status(504), .attemptTimedOut, .timedOut,
            .hostPaused:
            true
        default: false
        }
    }
}

import HTTPTypes
import TelexCache
import TelexInspection
import TelexRequests
import TelexTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Answers calls with stored replies, and stores replies (RFC 9111).
struct CacheFeature: CallFeature {
    func concerns(_ plan: CallPlan) -> Bool {
        plan.pipeline.cache != nil && (plan.rules.cache != nil || !plan.template.endpoint.isSafe)
    }

    nonisolated(nonsending) func answer(
        to call: Call, _ next: NextFeature
    ) async throws(APIError) -> CallAnswer {
        guard let access = call.cacheAccess else { return try await change(call, next) }
        if let answer = await Self.usableAnswer(to: call, access) { return answer }
        do throws(APIError) {
            let reply = call.options?.cache == .reload ? nil : await access.stored
            return try await fetch(call, access, validating: reply, next)
        } catch {
            guard let answer = await Self.answer(to: call, after: error) else { throw error }
            return answer
        }
    }

    // MARK: Stored replies

    /// Returns the value of a stored reply; nil if the call has to ask the server.
    ///
    /// - Throws: `notCached` if the call must not ask the server.
    @inline(never)
    nonisolated(nonsending) static func storedValue(
        of call: Call
    ) async throws(APIError) -> AnyProduct? {
        if let access = call.cacheAccess, let answer = await usableAnswer(to: call, access) {
            return answer.value
        }
        guard call.options?.cache != .offline else {
            throw call.finished(call.failure(in: .queue, reason: .notCached))
        }
        return nil
    }

    /// Returns the answer of a stored reply that is used because the server has failed (RFC 5861);
    /// nil if none may be.
    @inline(never)
    nonisolated(nonsending) static func answer(
        to call: Call, after error: APIError
    ) async -> CallAnswer? {
        guard error.reason.allowsStaleReply, !Task.isCancelled, let access = call.cacheAccess,
            call.options?.cache == nil, let reply = await access.stored,
            access.freshness(of: reply, at: call.pipeline.clock.now())
                .mayBeUsedOnError(for: access.rules.staleIfError)
        else { return nil }
        return await answer(of: reply, .stale, to: call, access)
    }

    nonisolated(nonsending) private static func usableAnswer(
        to call: Call, _ access: CacheAccess
    ) async -> CallAnswer? {
        let use = call.options?.cache
        guard use != .reload, use != .validate, let reply = await access.stored else { return nil }
        let isFresh = access.freshness(of: reply, at: call.pipeline.clock.now()).isFresh
        guard isFresh || use == .cached || use == .offline else { return nil }
        return await answer(of: reply, isFresh ? .cache : .stale, to: call, access)
    }

    /// Returns the answer of a stored reply. If it has no value any more, for example after an
    /// update of the app, the reply is removed.
    nonisolated(nonsending) private static func answer(
        of reply: CachedReply, _ source: ReplySource, to call: Call, _ access: CacheAccess
    ) async -> CallAnswer? {
        do throws(APIError) {
            return try read(reply, source, for: call, access)
        } catch {
            await access.cache.remove(access.key)
            return nil
        }
    }

    @inline(never)
    private static func read(
        _ stored: CachedReply, _ source: ReplySource, for call: Call, _ access: CacheAccess
    ) throws(APIError) -> CallAnswer {
        let now = call.pipeline.clock.now()
        let head = stored.head(at: now)
        let hop = Hop(
            call.template.endpoint.method, to: access.address, sendsBody: false,
            wasRedirectedAway: false)
        call.context?.noteReply(head, stored.body, from: hop, source: source)
        let reply = Reply(head: head, body: stored.body, address: access.address)
        let value = try call.value(in: reply)
        let age = access.freshness(of: stored, at: now).age
        call.context?.emit(.fromCache(source, age: .seconds(Int(age))))
        return CallAnswer(reply: reply, value: value)
    }

    // MARK: Asking the server

    nonisolated(nonsending) private func fetch(
        _ call: Call, _ access: CacheAccess, validating stored: CachedReply?, _ next: NextFeature
    ) async throws(APIError) -> CallAnswer {
        var conditions = stored?.conditions ?? HTTPFields()
        let isConditional = !conditions.isEmpty
        if call.options?.cache == .reload { conditions[.cacheControl] = "no-cache" }
        let requested = call.pipeline.clock.now()
        let answer = try await next.answer(adding: conditions)
        let times = (requested: requested, received: answer.received ?? requested)
        let isRedirected = call.context?.kept.hop?.isRedirected ?? false
        if let stored, isConditional, answer.reply.status == 304, !isRedirected {
            let new = stored.validated(
                by: answer.reply.head, requested: times.requested, received: times.received)
            if let answer = await validated(new, for: call, access) { return answer }
            // The 304 is of no use, so the whole reply is needed.
            call.context?.countNextRequest()
            return try await fetch(call, access, validating: nil, next)
        }
        // The reply of another address says nothing about this one.
        if !isRedirected { await keep(answer.reply, times, for: call, access) }
        return answer
    }

    nonisolated(nonsending) private func validated(
        _ new: (reply: CachedReply, isStorable: Bool)?, for call: Call, _ access: CacheAccess
    ) async -> CallAnswer? {
        guard let new,
            let answer = await Self.answer(of: new.reply, .revalidated, to: call, access)
        else {
            await access.cache.remove(access.key)
            return nil
        }
        if new.isStorable {
            let isOnDisk = access.mayBeOnDisk && !hasSecrets(Reply(new.reply), of: call)
            await access.cache.store(new.reply, for: access.key, onDisk: isOnDisk)
        } else {
            await access.cache.remove(access.key)
        }
        return answer
    }

    /// Stores a reply, or removes the former one if it must not be stored. If an interceptor has
    /// set a field with a secret, such as `Authorization`, the owner of the reply is unknown.
    nonisolated(nonsending) private func keep(
        _ reply: Reply, _ times: (requested: Date, received: Date), for call: Call,
        _ access: CacheAccess
    ) async {
        let changed = call.context?.record.changedFields ?? []
        let stored = CachedReply(
            reply.head, body: reply.body, requested: times.requested, received: times.received,
            changed: changed)
        guard let stored, !changed.contains(where: Redactor.isSecretHeader) else {
            return await access.cache.remove(access.key)
        }
        let isOnDisk = access.mayBeOnDisk && !hasSecrets(reply, of: call)
        await access.cache.store(stored, for: access.key, onDisk: isOnDisk)
    }

    /// Whether a reply has sensitive values, or may have some.
    private func hasSecrets(_ reply: Reply, of call: Call) -> Bool {
        let keys = call.request.sensitiveKeys(
            in: reply, at: call.replyRules.unwrap, limits: call.rules.json)
        return keys?.isEmpty != true
    }

    // MARK: Calls that change something

    /// Asks the server, and removes what is stored for the address of a call that may have changed
    /// it, even if the server has refused the call with a status of success.
    nonisolated(nonsending) private func change(
        _ call: Call, _ next: NextFeature
    ) async throws(APIError) -> CallAnswer {
        do throws(APIError) {
            let answer = try await next.answer()
            await invalidate(call, after: answer.reply.status)
            return answer
        } catch {
            if let status = error.status { await invalidate(call, after: status) }
            throw error
        }
    }

    /// Removes what is stored for the address of a call (RFC 9111, section 4.4), with any query,
    /// because a list and its pages differ only in that.
    nonisolated(nonsending) private func invalidate(_ call: Call, after status: Int) async {
        guard (200..<400).contains(status), !call.template.endpoint.isSafe,
            let cache = call.pipeline.cache, let address = call.cacheAddress
        else { return }
        await cache.invalidate(address: address.withoutQuery.text)
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

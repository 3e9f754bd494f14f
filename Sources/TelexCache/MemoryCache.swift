import TelexJSON

/// Replies in memory.
final class MemoryCache: Sendable {
    private struct State: Sendable {
        var index: CacheIndex
        var replies: [CacheKey: CachedReply] = [:]
    }

    private let state: Lock<State>

    init(limit: Int) {
        state = Lock(State(index: CacheIndex(limit: limit)))
    }

    func reply(for key: CacheKey) -> CachedReply? {
        state.withLock { state in
            guard let reply = state.replies[key] else { return nil }
            state.index.use(key)
            return reply
        }
    }

    func store(_ reply: CachedReply, for key: CacheKey) {
        state.withLock { state in
            state.replies[key] = reply
            for old in state.index.add(key, size: reply.size) { state.replies[old] = nil }
        }
    }

    func remove(where isGone: (CacheKey) -> Bool) {
        state.withLock { state in
            for key in state.replies.keys.filter(isGone) {
                state.index.remove(key)
                state.replies[key] = nil
            }
        }
    }
}

extension CachedReply {
    /// About how many bytes of memory the reply takes.
    var size: Int {
        body.count + fields.reduce(512) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
    }
}

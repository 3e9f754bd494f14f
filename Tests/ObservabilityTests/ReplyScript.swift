#if Observability
    import TelexJSON
    import TelexRuntime

    /// Gives replies in turn, and then loses the connection.
    final class ReplyScript: Sendable {
        private let rest: Lock<[TransportReply]>

        init(_ replies: [TransportReply]) {
            rest = Lock(replies)
        }

        func next() throws(TransportError) -> TransportReply {
            let reply = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            guard let reply else { throw TransportError(.connectionLost, "lost \(secret)") }
            return reply
        }
    }
#endif

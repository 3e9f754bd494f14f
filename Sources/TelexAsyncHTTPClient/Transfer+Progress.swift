#if AsyncHTTPClient
    import NIOHTTPCompression
    import TelexTransport

    extension Transfer {
        /// How much of a reply has come, and what an error means by then.
        struct Progress {
            let limit: Int
            var head: Head?
            private var received = 0

            init(limit: Int) { self.limit = limit }

            mutating func receive(_ count: Int) throws(TransportError) {
                guard count <= limit - received else { throw .tooLarge(limit: limit) }
                received += count
            }

            func end() throws(TransportError) {
                guard let length = head?.length, received < length else { return }
                throw .truncated(received: received, expected: length)
            }

            /// A reply without a body may name a coding, of which the client then misses the data.
            func isComplete(despite error: any Error) -> Bool {
                let error = error as? NIOHTTPDecompression.ExtraDecompressionError
                return head?.isWithoutBody == true && error == .truncatedData
            }

            /// After the head, whatever ends the connection has cut the body short.
            func failure(_ error: any Error) -> TransportError {
                if case NIOHTTPDecompression.DecompressionError.limit = error {
                    return .decompressesToTooMuch(after: received)
                }
                let failure = TransportError(error)
                guard let head, [.connectionLost, .other].contains(failure.kind) else {
                    return failure
                }
                return .truncated(received: received, expected: head.length)
            }
        }
    }

    extension TransportError {
        /// The bound is that of a client of the caller, which it does not tell.
        fileprivate static func decompressesToTooMuch(after received: Int) -> TransportError {
            TransportError(
                .tooLarge(limit: received), "the reply decompresses to more than the client allows")
        }
    }
#endif

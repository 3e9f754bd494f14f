#if AsyncHTTPClient
    import NIOHTTPCompression
    import TelexTransport

    extension Transfer {
        /// The received part of a reply, which determines the meaning of an error.
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

            /// Whether the head of the reply ends the sending of the request.
            var isRefused: Bool { head.map { $0.response.status.code >= 300 } ?? false }

            /// Whether an error does not matter: a reply without a body may declare a coding, and
            /// the client then reports missing compressed data.
            func isComplete(despite error: any Error) -> Bool {
                let error = error as? NIOHTTPDecompression.ExtraDecompressionError
                return head?.isWithoutBody == true && error == .truncatedData
            }

            /// After the head, any loss of the connection truncates the body.
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
        /// The caller's client has its own limit and does not report it.
        fileprivate static func decompressesToTooMuch(after received: Int) -> TransportError {
            TransportError(
                .tooLarge(limit: received), "the reply decompresses to more than the client allows")
        }
    }
#endif

#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import TelexJSON
    import TelexTransport

    /// The clients of a transport: one for each session of the requests, and one for the requests
    /// of a session that need a new connection. Exchanges retain this object, so that the
    /// transport's clients are not shut down during an exchange.
    final class Clients: Sendable {
        /// What a client is for.
        struct Use: Hashable {
            let session: TransportSession
            /// Whether each request gets a connection of its own.
            var needsNewConnection = false
        }

        private struct State {
            var clients: [Use: HTTPClient]
            var isShutDown = false
        }

        private let common: HTTPClient
        private let state: Lock<State>
        /// Makes a client; nil if all clients belong to the caller.
        private let make: (@Sendable (Use) -> HTTPClient)?

        /// Whether all clients belong to the caller. Their connections are not watched.
        var areForeign: Bool { make == nil }

        /// Uses clients of the caller.
        init(common: HTTPClient, ephemeral: HTTPClient?) {
            self.common = common
            var clients = [Use(session: .shared): common]
            clients[Use(session: .ephemeral)] = ephemeral
            state = Lock(State(clients: clients))
            make = nil
        }

        /// Makes clients for the transport, each when it is first needed.
        init(
            on group: any EventLoopGroup, _ configure: (inout HTTPClient.Configuration) -> Void
        ) {
            var configuration = HTTPClient.Configuration.telex
            configure(&configuration)
            configuration.redirectConfiguration = .disallow
            configuration.installHandlers()
            let make: @Sendable (Use) -> HTTPClient = { [configuration] use in
                HTTPClient(eventLoopGroup: group, configuration: configuration.limited(by: use))
            }
            let use = Use(session: .shared)
            common = make(use)
            state = Lock(State(clients: [use: common]))
            self.make = make
        }

        /// A client that is already shut down reports an error, which is ignored.
        deinit {
            for client in owned { client.shutdown { _ in } }
        }

        func shutdown() async {
            if areForeign { return }
            state.withLock { $0.isShutDown = true }
            for client in owned { try? await client.shutdown() }
        }

        /// Returns the client of a session. After the shutdown, a session without a client gets the
        /// common one, which throws.
        ///
        /// - Throws: `.unsupported` if the caller provided no client for such requests.
        func client(for use: Use) throws(TransportError) -> HTTPClient {
            // A client of the caller has only its usual connections.
            let use = areForeign ? Use(session: use.session) : use
            let known = state.withLock { $0.clients[use] ?? ($0.isShutDown ? common : nil) }
            if let known { return known }
            guard let make else {
                let name =
                    use.session.name.map { "requests of the session `\($0)`" }
                    ?? "ephemeral requests"
                throw TransportError(
                    .unsupported, "the transport has no client for \(name)")
            }
            return keep(make(use), for: use)
        }

        /// Stores a new client and returns the one to use. A surplus one, created by two tasks at
        /// once or after the shutdown, is shut down again.
        private func keep(_ new: HTTPClient, for use: Use) -> HTTPClient {
            let kept = state.withLock { state in
                if state.isShutDown { return state.clients[use] ?? common }
                let kept = state.clients[use] ?? new
                state.clients[use] = kept
                return kept
            }
            if kept !== new { new.shutdown { _ in } }
            return kept
        }

        private var owned: [HTTPClient] {
            areForeign ? [] : state.withLock { Array($0.clients.values) }
        }
    }

    extension HTTPClient.Configuration {
        /// The configuration that differs from the defaults where a transport's promises require
        /// it.
        fileprivate static var telex: HTTPClient.Configuration {
            var configuration = HTTPClient.Configuration()
            // Bytes are counted after decompression, against the limit of each request.
            configuration.decompression = .enabled(limit: .none)
            // The engine decides about retries.
            configuration.connectionPool.retryConnectionEstablishment = false
            // As long as the default idle time-out. Not longer, because an abandoned connection
            // attempt continues, and the next request to the host would wait for it.
            configuration.timeout.connect = .seconds(60)
            // Otherwise, on Apple's platforms, the client would wait for a refused connection for
            // all that time.
            configuration.networkFrameworkWaitForConnectivity = false
            // The client's own spans contain whole addresses with their tokens, and its header
            // fields would be added to those of the app's tracing.
            configuration.tracing.tracer = nil
            return configuration
        }

        /// Returns the configuration with the session's limit of connections per host.
        fileprivate func limited(by use: Clients.Use) -> HTTPClient.Configuration {
            var configuration = self
            if use.needsNewConnection { configuration.maximumUsesPerConnection = 1 }
            if let limit = use.session.connectionsPerHost {
                configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = limit
            }
            return configuration
        }
    }
#endif

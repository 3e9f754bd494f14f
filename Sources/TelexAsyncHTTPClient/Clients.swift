#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import Synchronization
    import TelexTransport

    /// The clients of a transport, one for each session of the requests. Exchanges hold it too, so
    /// that clients of the transport are not shut down under them.
    final class Clients: Sendable {
        private struct State {
            var clients: [TransportSession: HTTPClient]
            var isShutDown = false
        }

        private let common: HTTPClient
        private let state: Mutex<State>
        /// Makes the client of a session; nil if all clients are those of the caller.
        private let make: (@Sendable (TransportSession) -> HTTPClient)?

        /// Clients of the caller.
        init(common: HTTPClient, ephemeral: HTTPClient?) {
            self.common = common
            var clients: [TransportSession: HTTPClient] = [.shared: common]
            clients[.ephemeral] = ephemeral
            state = Mutex(State(clients: clients))
            make = nil
        }

        /// Clients of the transport, each made when it is first needed.
        init(
            on group: any EventLoopGroup, _ configure: (inout HTTPClient.Configuration) -> Void
        ) {
            var configuration = HTTPClient.Configuration.telex
            configure(&configuration)
            configuration.redirectConfiguration = .disallow
            let make: @Sendable (TransportSession) -> HTTPClient = { [configuration] session in
                HTTPClient(
                    eventLoopGroup: group, configuration: configuration.limited(by: session))
            }
            common = make(.shared)
            state = Mutex(State(clients: [.shared: common]))
            self.make = make
        }

        /// A client that is shut down already says so, and nothing happens.
        deinit {
            for client in owned { client.shutdown { _ in } }
        }

        func shutdown() async {
            guard make != nil else { return }
            state.withLock { $0.isShutDown = true }
            for client in owned { try? await client.shutdown() }
        }

        /// After the shutdown, what has no client yet gets one that says so.
        ///
        /// - Throws: `.unsupported` if the caller gave no client for such requests.
        func client(for session: TransportSession) throws(TransportError) -> HTTPClient {
            let known = state.withLock { $0.clients[session] ?? ($0.isShutDown ? common : nil) }
            if let known { return known }
            guard let make else {
                let name = session.name.map { "those of the session `\($0)`" } ?? "ephemeral ones"
                throw TransportError(
                    .unsupported, "the transport was given no client for requests like \(name)")
            }
            return keep(make(session), for: session)
        }

        /// One made in vain, by one of two who need the first at once or after the shutdown, is shut
        /// down again.
        private func keep(_ new: HTTPClient, for session: TransportSession) -> HTTPClient {
            let kept = state.withLock { state in
                if state.isShutDown { return state.clients[session] ?? common }
                let kept = state.clients[session] ?? new
                state.clients[session] = kept
                return kept
            }
            if kept !== new { new.shutdown { _ in } }
            return kept
        }

        private var owned: [HTTPClient] {
            make == nil ? [] : state.withLock { Array($0.clients.values) }
        }
    }

    extension HTTPClient.Configuration {
        /// Where the defaults are not what a transport promises.
        fileprivate static var telex: HTTPClient.Configuration {
            var configuration = HTTPClient.Configuration()
            // Bytes are counted after decompression, against the bound of each request.
            configuration.decompression = .enabled(limit: .none)
            // Whether to try again is for the engine to say.
            configuration.connectionPool.retryConnectionEstablishment = false
            // As long as the default silence. Not longer: a connection that nobody waits for any
            // more goes on being made, and the next request to the host would wait for it.
            configuration.timeout.connect = .seconds(60)
            // On Apple's platforms, a connection that is refused would be waited for all that time.
            configuration.networkFrameworkWaitForConnectivity = false
            // The client's own spans show whole addresses, tokens in them, and its header fields come
            // beside those of whoever traces calls.
            configuration.tracing.tracer = nil
            return configuration
        }

        /// With as many connections to a host as the session may have.
        fileprivate func limited(by session: TransportSession) -> HTTPClient.Configuration {
            var configuration = self
            if let limit = session.connectionsPerHost {
                configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = limit
            }
            return configuration
        }
    }
#endif

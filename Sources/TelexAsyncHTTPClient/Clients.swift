#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import TelexRuntime

    /// The clients of a transport, two so that ephemeral requests share no connection with others.
    /// Exchanges hold it too, so that clients of the transport are not shut down under them.
    final class Clients: Sendable {
        private let common: HTTPClient
        private let ephemeral: HTTPClient?
        private let areOwned: Bool

        init(common: HTTPClient, ephemeral: HTTPClient?, areOwned: Bool) {
            self.common = common
            self.ephemeral = ephemeral
            self.areOwned = areOwned
        }

        /// A client without a connection costs next to nothing, so both are made at once.
        static func owned(
            on group: any EventLoopGroup, _ configure: (inout HTTPClient.Configuration) -> Void
        ) -> Clients {
            var configuration = HTTPClient.Configuration.telex
            configure(&configuration)
            configuration.redirectConfiguration = .disallow
            return Clients(
                common: HTTPClient(eventLoopGroup: group, configuration: configuration),
                ephemeral: HTTPClient(eventLoopGroup: group, configuration: configuration),
                areOwned: true)
        }

        /// A client that is shut down already says so, and nothing happens.
        deinit {
            for client in owned { client.shutdown { _ in } }
        }

        func shutdown() async {
            for client in owned { try? await client.shutdown() }
        }

        func client(isEphemeral: Bool) throws(TransportError) -> HTTPClient {
            guard isEphemeral else { return common }
            guard let ephemeral else {
                throw TransportError(
                    .unsupported, "the transport was given no client for ephemeral requests")
            }
            return ephemeral
        }

        private var owned: [HTTPClient] {
            areOwned ? [common] + (ephemeral.map { [$0] } ?? []) : []
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
            return configuration
        }
    }
#endif

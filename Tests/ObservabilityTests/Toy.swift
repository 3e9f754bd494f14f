#if Observability
    import HTTPTypes
    import TelexJSON
    import TelexRuntime
    import TelexTesting

    /// An API with one method.
    enum Toy: APIDescription {
        struct Parameters: DefaultParameters {
            func apply(to request: inout RequestBuilder) {}
        }

        struct ErrorCode: OpenEnum {
            let rawValue: String
            init(rawValue: String) { self.rawValue = rawValue }
            static var allKnown: [ErrorCode] { [] }
        }

        enum APIMethod: String, CaseIterable, APIMethodName {
            case get = "things.get"
            case shared = "things.shared"

            var endpoint: Endpoint {
                switch self {
                case .get: Endpoint(.get, "things")
                case .shared:
                    Endpoint(.get, "shared", operation: OperationRules(isCoalesced: true))
                }
            }
        }

        static let definition = APIDefinition(
            name: "Toy", servers: [Server("main", "https://toy.test:8443/")],
            errors: ErrorRules(message: ["message"]),
            auth: AuthRules(token: .query("access_token"), expired: [.status(401)]),
            retry: RetryPolicy(attempts: 2, backoff: Backoff(initial: .zero)))
    }

    let secret = "s3cr3t&t0k3n"

    /// Makes a call whose attempts are answered in turn, and waits for its end.
    func call(
        _ listeners: [any APIEventListener], interceptors: [any Interceptor] = [],
        refresher: (any CredentialRefresher)? = nil, _ replies: [TransportReply]
    ) async -> InMemoryTransport {
        let script = Script(replies)
        let transport = InMemoryTransport { _ throws(TransportError) in try script.next() }
        let manager = APIManager<Toy>(
            transport: transport, credentials: .memory(Credential(token: secret)),
            refresher: refresher, interceptors: interceptors, listeners: listeners)
        var request = RequestBuilder(Toy.APIMethod.get)
        request.query("password", secret)
        let options = CallOptions(owner: OperationOwner("screen"), tags: ["b", "a"])
        _ = try? await manager.operation(request.finishRaw(), options: options).value
        return transport
    }
#endif

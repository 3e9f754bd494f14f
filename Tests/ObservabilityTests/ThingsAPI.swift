#if Observability
    import HTTPTypes
    import TelexJSON
    import TelexRuntime
    import TelexTesting

    /// An API with a method for each kind of event.
    enum ThingsAPI: APIDescription {
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
            case seldom = "things.seldom"
            case search = "things.search"

            var endpoint: Endpoint {
                switch self {
                case .get: Endpoint(.get, "things")
                case .shared:
                    Endpoint(.get, "shared", operation: OperationRules(isCoalesced: true))
                case .seldom:
                    Endpoint(
                        .get, "seldom",
                        operation: OperationRules(throttle: Throttle(.seconds(3_600))))
                case .search:
                    Endpoint(
                        .get, "search",
                        operation: OperationRules(
                            throttle: Throttle(.seconds(3_600), policy: .latest)))
                }
            }
        }

        static let definition = APIDefinition(
            name: "ThingsAPI", servers: [Server("main", "https://toy.test:8443/")],
            errors: ErrorRules(message: ["message"]),
            auth: AuthRules(token: .query("access_token"), expired: [.status(401)]),
            retry: RetryPolicy(attempts: 2, backoff: Backoff(initial: .zero)))
    }

    let secret = "s3cr3t&t0k3n"

    /// Makes three calls of a method at once, and waits for the end of the second, which the
    /// throttle refuses.
    func throttledCall(_ method: ThingsAPI.APIMethod, _ listener: any APIEventListener) async {
        let manager = APIManager<ThingsAPI>(
            transport: InMemoryTransport { _ in .json("{}") },
            credentials: .memory(Credential(token: secret)), listeners: [listener])
        let calls = (0..<3).map { _ in manager.operation(RequestBuilder(method).finishRaw()) }
        for call in calls { call.start() }
        _ = try? await calls[1].value
        for call in calls { call.cancel() }
    }

    /// Makes a call whose attempts get these replies in turn, and waits for its end.
    func call(
        _ listeners: [any APIEventListener], interceptors: [any Interceptor] = [],
        refresher: (any CredentialRefresher)? = nil, _ replies: [TransportReply]
    ) async -> InMemoryTransport {
        let script = ReplyScript(replies)
        let transport = InMemoryTransport { _ throws(TransportError) in try script.next() }
        let manager = APIManager<ThingsAPI>(
            transport: transport, credentials: .memory(Credential(token: secret)),
            refresher: refresher, interceptors: interceptors, listeners: listeners)
        var request = RequestBuilder(ThingsAPI.APIMethod.get)
        request.query("password", secret)
        let options = CallOptions(owner: OperationOwner("screen"), tags: ["b", "a"])
        _ = try? await manager.operation(request.finishRaw(), options: options).value
        return transport
    }
#endif

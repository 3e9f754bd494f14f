#if Observability
    import HTTPTypes
    import RuntimeTestSupport
    import TelexJSON
    import TelexRuntime
    import TelexTesting

    /// A method for each kind of event.
    extension TestAPI.APIMethod {
        static let get = Self("things.get", Endpoint(.get, "things"))
        static let shared = Self(
            "things.shared",
            Endpoint(.get, "shared", operation: OperationRules(isCoalesced: true)))
        static let seldom = Self(
            "things.seldom",
            Endpoint(
                .get, "seldom", operation: OperationRules(throttle: Throttle(.seconds(3_600)))))
        static let search = Self(
            "things.search",
            Endpoint(
                .get, "search",
                operation: OperationRules(throttle: Throttle(.seconds(3_600), policy: .latest))))
    }

    /// Returns a manager of an API with one retry, on the system clock.
    func things(
        _ transport: any Transport,
        credentials: any CredentialStore = .memory(Credential(token: secret)),
        refresher: (any CredentialRefresher)? = nil, interceptors: [any Interceptor] = [],
        listeners: [any APIEventListener]
    ) -> APIManager<TestAPI> {
        TestAPI.manager(
            APIDefinition(
                name: "Things", servers: [Server("main", "https://toy.test:8443/")],
                errors: ErrorRules(message: ["message"]),
                auth: AuthRules(token: .query("access_token"), expired: [.status(401)]),
                retry: RetryPolicy(attempts: 2, backoff: Backoff(initial: .zero))),
            transport: transport, credentials: credentials
        ) {
            $0.refresher = refresher
            $0.interceptors = interceptors
            $0.settings.clock = .system
            $0.listeners = listeners
        }
    }

    let secret = "s3cr3t&t0k3n"

    /// Makes three calls of a method at once, and waits for the end of the second, which the
    /// throttle refuses.
    func throttledCall(_ method: TestAPI.APIMethod, _ listener: any APIEventListener) async {
        let manager = things(InMemoryTransport { _ in .json("{}") }, listeners: [listener])
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
        let manager = things(
            transport, refresher: refresher, interceptors: interceptors, listeners: listeners)
        var request = RequestBuilder(TestAPI.APIMethod.get)
        request.query("password", secret)
        let options = CallOptions(owner: OperationOwner("screen"), tags: ["b", "a"])
        _ = try? await manager.operation(request.finishRaw(), options: options).value
        return transport
    }
#endif

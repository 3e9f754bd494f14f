import Foundation
import HTTPTypes
import RuntimeTestSupport
import TelexJSON
import TelexTesting

@testable import TelexRuntime

/// A client of an API with cached methods, a scripted server and a virtual clock.
struct CacheClient: Sendable {
    let clock: VirtualClock
    let transport: InMemoryTransport
    let manager: APIManager<TestAPI>
    let log = Log()

    static let anna = Credential(token: "token-of-anna")

    init(
        _ credentials: any CredentialStore = .memory, auth: AuthRules = AuthRules(),
        retry: RetryPolicy = .never, rate: RequestRate? = nil,
        interceptors: [any Interceptor] = [], cache: HTTPCache? = HTTPCache(),
        clock: VirtualClock = VirtualClock(), refresher: (any CredentialRefresher)? = nil,
        keepsCookies: Bool = false,
        serving script: @escaping InMemoryTransport.Script
    ) {
        self.clock = clock
        transport = InMemoryTransport(script)
        manager = TestAPI.manager(
            APIDefinition(
                name: "Test", servers: [Server("main", "https://test.test/")], auth: auth,
                keepsCookies: keepsCookies, traffic: TrafficLimits(rate: rate), retry: retry),
            transport: transport, credentials: credentials
        ) { [log] in
            $0.refresher = refresher
            $0.interceptors = interceptors
            $0.cache = cache
            $0.settings.clock = clock.runtimeClock
            $0.settings.seed = 7
            $0.onEvent = { log.add($0.description) }
        }
    }

    /// Requests `/list`.
    func list(
        _ rules: CacheRules? = CacheRules(), use: CacheUse? = nil, auth: Endpoint.Auth = .none,
        options: CallOptions = CallOptions(), session: Endpoint.Session = .shared, page: Int? = nil
    ) -> DataOperation<[Int]> {
        let endpoint = Endpoint(
            .get, "list", auth: auth, session: session, operation: OperationRules(cache: rules))
        var request = RequestBuilder(TestAPI.APIMethod("list", endpoint))
        request.query("page", page)
        request.header("Accept-Language", "en")
        var options = options
        options.cache = use
        return manager.operation(request.finish { $0.list() }, options: options)
    }

    /// Changes `/list`.
    func change(_ verb: Endpoint.Verb) -> DataOperation<Void> {
        let endpoint = Endpoint(verb, "list", auth: .none)
        let request = RequestBuilder(TestAPI.APIMethod("change", endpoint))
        return manager.operation(request.finishEmpty())
    }

    /// The number of requests so far.
    var count: Int { transport.requests.count }

    /// The header fields of the last request.
    var fields: HTTPFields { transport.requests.last?.head.headerFields ?? [:] }
}

/// A server whose documents have a version.
final class VersionedServer: Sendable {
    private let state: Lock<(version: Int, fields: HTTPFields)>

    init(_ fields: HTTPFields = [:]) {
        state = Lock((1, fields))
    }

    /// Makes a new version of the document.
    func change() { state.withLock { $0.version += 1 } }

    var script: InMemoryTransport.Script {
        { [self] request in
            var (version, fields) = state.withLock { $0 }
            let tag = "\"\(version)\""
            fields[.eTag] = tag
            if request.head.headerFields[.ifNoneMatch] == tag {
                return .bytes(status: .notModified, fields: fields)
            }
            return .json("[\(version)]", fields: fields)
        }
    }
}

import Foundation
import TelexJSON
import TelexRuntime
import TelexTesting
import TelexURLSession

/// The API of the servers of these tests, as the compiler would write it.
enum ServerAPI: APIDescription {
    struct Parameters: DefaultParameters {
        func apply(to request: inout RequestBuilder) {}
    }

    struct ErrorCode: OpenEnum {
        let rawValue: String
        init(rawValue: String) { self.rawValue = rawValue }
        static var allKnown: [ErrorCode] { [] }
    }

    static let definition = APIDefinition(
        name: "ServerAPI", servers: [Server("main", "http://127.0.0.1/")],
        auth: AuthRules(token: .bearer, expired: [.status(401)]),
        timeouts: Timeouts(silence: .noTimeout),
        retry: RetryPolicy(attempts: 10, backoff: quick))

    private static let quick = Backoff(initial: .milliseconds(10), maximum: .milliseconds(100))

    enum APIMethod: String, CaseIterable, APIMethodName {
        case login, control, raw, upload
        case me, change
        case get, post, put, download, secret

        var endpoint: Endpoint {
            switch self {
            case .login: Endpoint(.post, "token", auth: .none)
            case .control: Endpoint(.post, "control", auth: .none)
            case .raw:
                Endpoint(.put, "raw", auth: .none, operation: OperationRules(kind: .upload))
            case .upload: Endpoint(.post, "upload", operation: OperationRules(kind: .upload))
            case .me: Endpoint(.get, "me")
            case .change: Endpoint(.post, "me")
            case .get: Endpoint(.get, "{place}/{name}", auth: .none)
            case .post: Endpoint(.post, "{place}/{name}", auth: .none)
            case .put:
                Endpoint(
                    .put, "{place}/{name}", auth: .none, operation: OperationRules(kind: .upload))
            case .download:
                Endpoint(
                    .get, "{place}/{name}", auth: .none,
                    operation: OperationRules(kind: .download))
            case .secret: Endpoint(.get, "{place}/{name}")
            }
        }
    }
}

extension APIManager where API == ServerAPI {
    /// A manager with a transport of its own.
    convenience init(at address: String, credentials: any CredentialStore = .memory) {
        self.init(
            transport: URLSessionTransport(), credentials: credentials, server: .url(address))
    }
}

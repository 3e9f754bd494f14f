import Foundation
import RuntimeTestSupport
import TelexJSON
import TelexRuntime
import TelexTesting

/// The methods of the servers of these tests.
extension TestAPI.APIMethod {
    static let login = Self("login", Endpoint(.post, "token", auth: .none))
    static let control = Self("control", Endpoint(.post, "control", auth: .none))
    static let raw = Self(
        "raw", Endpoint(.put, "raw", auth: .none, operation: OperationRules(kind: .upload)))
    static let upload = Self(
        "upload", Endpoint(.post, "upload", operation: OperationRules(kind: .upload)))
    static let me = Self("me", Endpoint(.get, "me"))
    static let change = Self("change", Endpoint(.post, "me"))
    static let get = Self("get", Endpoint(.get, "{place}/{name}", auth: .none))
    static let post = Self("post", Endpoint(.post, "{place}/{name}", auth: .none))
    static let put = Self(
        "put",
        Endpoint(.put, "{place}/{name}", auth: .none, operation: OperationRules(kind: .upload)))
    static let download = Self(
        "download",
        Endpoint(.get, "{place}/{name}", auth: .none, operation: OperationRules(kind: .download)))
    static let secret = Self("secret", Endpoint(.get, "{place}/{name}"))
}

extension APIDefinition {
    /// The API of the servers of these tests.
    static let servers = APIDefinition(
        name: "Servers", servers: [Server("main", "http://127.0.0.1/")],
        auth: AuthRules(token: .bearer, expired: [.status(401)]),
        retry: RetryPolicy(
            attempts: 10,
            backoff: Backoff(initial: .milliseconds(10), maximum: .milliseconds(100))))
}

extension TestAPI {
    /// A manager with a transport of its own, on the system clock.
    static func manager(
        at address: String, credentials: any CredentialStore = .memory
    ) -> APIManager<TestAPI> {
        manager(.servers, transport: PatientTransport(), credentials: credentials) {
            $0.server = .url(address)
            $0.settings.clock = .system
        }
    }
}

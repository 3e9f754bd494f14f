import Foundation
import TelexJSON
import TelexRuntime
import TelexTesting
import TelexURLSession

/// An API over what the servers of these tests have, as the compiler would write it.
enum Real: APIDescription {
    struct Parameters: DefaultParameters {
        func apply(to request: inout RequestBuilder) {}
    }

    struct ErrorCode: OpenEnum {
        let rawValue: String
        init(rawValue: String) { self.rawValue = rawValue }
        static var allKnown: [ErrorCode] { [] }
    }

    static let definition = APIDefinition(
        name: "Real", servers: [Server("main", "http://127.0.0.1/")],
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

extension APIManager where API == Real {
    /// A manager with a transport of its own, and nothing injected.
    convenience init(at address: String, credentials: any CredentialStore = .memory) {
        self.init(
            transport: URLSessionTransport(), credentials: credentials, server: .url(address))
    }
}

enum RealRequests {
    // MARK: The Flask app

    static func login() -> APIRequest<Login> {
        var request = RequestBuilder(Real.APIMethod.login)
        request.form("grant_type", "password")
        request.form("username", "ann")
        request.form("password", "password", sensitive: true)
        request.form("client_id", "app")
        request.form("client_secret", "app-secret", sensitive: true)
        return request.finish()
    }

    static func control(expire: Int? = nil, uses: Int? = nil) -> APIRequest<Counts> {
        var request = RequestBuilder(Real.APIMethod.control)
        request.form("expire", expire)
        request.form("uses", uses)
        return request.finish()
    }

    static func me(_ number: Int) -> APIRequest<Me> {
        var request = RequestBuilder(Real.APIMethod.me)
        request.query("n", number)
        return request.finish()
    }

    static func change(_ number: Int) -> APIRequest<Me> {
        var request = RequestBuilder(Real.APIMethod.change)
        request.form("n", number)
        return request.finish()
    }

    static func raw(_ file: UploadFile) -> APIRequest<Arrival> {
        var request = RequestBuilder(Real.APIMethod.raw)
        request.file(file)
        return request.finish()
    }

    static func upload(_ file: UploadFile, title: String) -> APIRequest<Arrival> {
        var request = RequestBuilder(Real.APIMethod.upload)
        request.part("title", title)
        request.part("file", file)
        return request.finish()
    }

    // MARK: nginx

    static func get(_ place: String, _ name: String) -> APIRequest<Echo> {
        at(.get, place, name).finish()
    }

    static func bytes(_ place: String, _ name: String) -> APIRequest<Data> {
        at(.get, place, name).finishRaw()
    }

    static func secret(_ place: String, _ name: String) -> APIRequest<Echo> {
        at(.secret, place, name).finish()
    }

    static func post(_ place: String, _ name: String) -> APIRequest<Echo> {
        var request = at(.post, place, name)
        request.form("text", "words")
        return request.finish()
    }

    static func put(_ file: UploadFile, _ place: String, _ name: String) -> APIRequest<Void> {
        var request = at(.put, place, name)
        request.file(file)
        return request.finishEmpty()
    }

    static func download(
        _ place: String, _ name: String, to path: String
    ) -> APIRequest<DownloadedFile> {
        at(.download, place, name).finishDownload(to: path)
    }

    private static func at(
        _ method: Real.APIMethod, _ place: String, _ name: String
    ) -> RequestBuilder {
        var request = RequestBuilder(method)
        request.path("place", place)
        request.path("name", name)
        return request
    }
}

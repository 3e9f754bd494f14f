import Foundation
import TelexJSON
import TelexRuntime

/// An API as the compiler would write it, small enough to read.
enum TinyAPI: APIDescription {
    struct Parameters: DefaultParameters {
        var v = "5.199"
        var lang: String?

        func apply(to request: inout RequestBuilder) {
            request.query("v", v)
            request.query("lang", lang)
            request.header("Accept-Language", "en")
        }
    }

    struct ErrorCode: OpenEnum {
        let rawValue: Int
        init(rawValue: Int) { self.rawValue = rawValue }
        static var invalidToken: ErrorCode { ErrorCode(rawValue: 5) }
        static var captcha: ErrorCode { ErrorCode(rawValue: 14) }
        static var allKnown: [ErrorCode] { [.invalidToken, .captcha] }
    }

    static let definition = APIDefinition(
        name: "Tiny",
        servers: [
            Server("production", "https://api.tiny.test/method/"),
            Server(
                "local", "http://127.0.0.1:{port}/",
                variables: [ServerVariable("port", default: "8080", allowed: ["8080", "9090"])]),
        ],
        reply: ReplyRules(status: [200...299], absent: ["error"], unwrap: ["response"]),
        errors: ErrorRules(
            at: ["error"], code: ["error_code"], message: ["error_msg"], retryable: ["6"],
            retryAfter: ["retry_after"]),
        auth: AuthRules(token: .query("access_token"), expired: [.code("5")]),
        timeouts: Timeouts(silence: .seconds(15)), limits: ReplyLimits(bytes: 4096, depth: 8),
        queues: [QueueRules("one", concurrent: 1)],
        sessions: [TransportSession("files", isEphemeral: true, connectionsPerHost: 2)],
        retry: .never)

    enum APIMethod: String, CaseIterable, APIMethodName {
        case usersGet = "users.get"
        case usersSave = "users.save"
        case ping
        case file
        case upload
        case download
        case events
        case lines
        case shared
        case throttled
        case delayed
        case delayedTogether
        case latest
        case export

        var endpoint: Endpoint {
            switch self {
            case .usersGet: Endpoint(.get, "users.get")
            case .usersSave: Endpoint(.post, "users.save")
            case .ping: Endpoint(.get, "ping", auth: .none)
            case .file:
                Endpoint(.get, "files/{name}", auth: .none, session: .named("files"))
            case .upload: Endpoint(.post, "{upload_url}")
            case .download:
                Endpoint(.get, "big/{id}", operation: OperationRules(kind: .download))
            case .events, .lines:
                Endpoint(
                    .get, rawValue, auth: .none, reply: ReplyRules(absent: ["error"]),
                    operation: OperationRules(kind: .stream))
            case .shared:
                Endpoint(.get, "shared", operation: OperationRules(isCoalesced: true))
            case .throttled:
                Endpoint(
                    .get, "throttled",
                    operation: OperationRules(throttle: Throttle(.seconds(2), by: ["id"])))
            case .delayed:
                Endpoint(
                    .get, "delayed",
                    operation: OperationRules(throttle: Throttle(.seconds(2), policy: .delay)))
            case .delayedTogether:
                Endpoint(
                    .get, "delayed-together",
                    operation: OperationRules(
                        throttle: Throttle(.seconds(2), policy: .delay), isCoalesced: true))
            case .latest:
                Endpoint(
                    .get, "latest",
                    operation: OperationRules(
                        throttle: Throttle(.seconds(2), policy: .latest), isCoalesced: true))
            case .export:
                Endpoint(
                    .get, "export",
                    operation: OperationRules(
                        until: Polling(
                            [.value(at: ["response", "status"], in: ["done"])],
                            failing: [
                                .value(at: ["response", "status"], in: ["failed", "cancelled"])
                            ],
                            backoff: Backoff(
                                initial: .seconds(2), factor: 2, jitter: 0, maximum: .seconds(5)))))
            }
        }
    }
}

struct User: Equatable, Sendable, JSONReadable {
    let id: String
    let name: String

    private static let keys = JSONKeys(
        required: ["id", "name"], optional: [], nullable: [], sensitive: [])

    static func read(from json: inout JSONReader) -> User? {
        var id = ""
        var name = ""
        guard json.beginObject(keys) else { return nil }
        while let field = json.nextField() {
            switch field {
            case 0: json.string(&id, from: .int)
            default: if json.string(&name) { json.maxLength(name, 10) }
            }
        }
        guard json.endObject() else { return nil }
        return User(id: id, name: name)
    }
}

struct Captcha: Equatable, JSONReadable {
    let image: String

    private static let keys = JSONKeys(
        required: ["captcha_img"], optional: [], nullable: [], sensitive: [])

    static func read(from json: inout JSONReader) -> Captcha? {
        var image = ""
        guard json.beginObject(keys) else { return nil }
        while json.nextField() != nil { json.string(&image) }
        return json.endObject() ? Captcha(image: image) : nil
    }
}

enum UsersRequests {
    static func get(ids: [String], owner: String? = nil) -> APIRequest<[User]> {
        var request = RequestBuilder(TinyAPI.APIMethod.usersGet)
        request.query("user_ids", ids, list: .joined(","))
        request.maxItems(ids, 2)
        request.query("owner_id", owner, orCredential: "user_id")
        return request.finish(UsersMapper.get)
    }

    static func get(properties: Properties) throws(APIError) -> APIRequest<[User]> {
        var reader = PropertyReader(properties, "users.get")
        let ids: [String]? = reader.required("user_ids")
        let owner: String? = reader.optional("owner_id")
        guard reader.finish(), let ids else { throw reader.error }
        return get(ids: ids, owner: owner)
    }

    static func save(name: String, password: String) -> APIRequest<Void> {
        var request = RequestBuilder(TinyAPI.APIMethod.usersSave)
        request.form("name", name)
        request.form("password", password, sensitive: true)
        request.minLength(password, 3)
        return request.finishEmpty()
    }

    static func ping() -> APIRequest<Void> {
        RequestBuilder(TinyAPI.APIMethod.ping).finishEmpty()
    }

    static func file(name: String) -> APIRequest<Data> {
        var request = RequestBuilder(TinyAPI.APIMethod.file)
        request.path("name", name)
        return request.finishRaw()
    }

    static func upload(to address: String, _ file: UploadFile) -> APIRequest<Data> {
        var request = RequestBuilder(TinyAPI.APIMethod.upload)
        request.address("upload_url", address)
        request.part("photo", file)
        return request.finishRaw()
    }
}

enum UsersMapper {
    static func get(_ json: inout JSONReader) -> [User]? { json.list() }
}

/// The methods that need an engine.
enum EngineRequests {
    static func download(id: Int, to destination: String) -> APIRequest<DownloadedFile> {
        var request = RequestBuilder(TinyAPI.APIMethod.download)
        request.path("id", id)
        return request.finishDownload(to: destination)
    }

    static func events() -> APIRequest<StreamEnd<Int>> {
        RequestBuilder(TinyAPI.APIMethod.events).finishStream(.serverSentEvents) { $0.value() }
    }

    static func lines() -> APIRequest<StreamEnd<Int>> {
        RequestBuilder(TinyAPI.APIMethod.lines).finishStream(.jsonLines) { $0.value() }
    }

    static func shared(id: Int) -> APIRequest<[User]> {
        var request = RequestBuilder(TinyAPI.APIMethod.shared)
        request.query("id", id)
        return request.finish(UsersMapper.get)
    }

    static func throttled(id: Int) -> APIRequest<[User]> {
        var request = RequestBuilder(TinyAPI.APIMethod.throttled)
        request.query("id", id)
        return request.finish(UsersMapper.get)
    }

    static func delayed() -> APIRequest<[User]> {
        RequestBuilder(TinyAPI.APIMethod.delayed).finish(UsersMapper.get)
    }

    static func delayedTogether(id: Int) -> APIRequest<[User]> {
        var request = RequestBuilder(TinyAPI.APIMethod.delayedTogether)
        request.query("id", id)
        return request.finish(UsersMapper.get)
    }

    static func latest(text: String) -> APIRequest<[User]> {
        var request = RequestBuilder(TinyAPI.APIMethod.latest)
        request.query("text", text)
        return request.finish(UsersMapper.get)
    }
}

import TelexJSON
import TelexRuntime

/// A small API in the form of generated code.
enum BenchAPI: APIDescription {
    typealias Parameters = NoParameters

    typealias ErrorCode = BenchErrorCode

    /// With a limit that no benchmark reaches: without one, a burst of calls to a host begins gently,
    /// 25 ms apart, and ten thousand calls would be in flight after minutes.
    static let definition = make(TrafficLimits(concurrent: 1_000_000))

    static func make(_ traffic: TrafficLimits) -> APIDefinition {
        APIDefinition(
            name: "Bench", servers: [Server("production", "https://api.bench.test/v1/")],
            reply: ReplyRules(status: [200...299], absent: ["error"], unwrap: ["response"]),
            errors: ErrorRules(at: ["error"], code: ["code"], message: ["message"]),
            auth: AuthRules(token: .bearer, expired: [.status(401)]), traffic: traffic)
    }

    enum APIMethod: String, CaseIterable, APIMethodName {
        case usersGet = "users.get"
        case filesGet = "files.get"

        var endpoint: Endpoint {
            switch self {
            case .usersGet: .get("users")
            case .filesGet:
                Endpoint(.get, "file", operation: OperationRules(kind: .download))
            }
        }
    }

    /// Requests a user.
    static func user(_ id: Int) -> APIRequest<BenchUser> {
        var request = RequestBuilder(APIMethod.usersGet)
        request.query("id", id)
        return request.finish { BenchUser.read(from: &$0) }
    }

    /// Downloads a file.
    static func file(to path: String) -> APIRequest<DownloadedFile> {
        RequestBuilder(APIMethod.filesGet).finishDownload(to: path)
    }

    /// The reply of the server.
    static let reply = #"{"response":{"id":7,"name":"Ivan"}}"#
}

/// The same API with only one call at a time.
enum NarrowBenchAPI: APIDescription {
    typealias Parameters = NoParameters
    typealias APIMethod = BenchAPI.APIMethod
    typealias ErrorCode = BenchErrorCode

    static let definition = BenchAPI.make(TrafficLimits(concurrent: 1))
}

struct BenchErrorCode: OpenEnum {
    let rawValue: Int
    init(rawValue: Int) { self.rawValue = rawValue }
    static var allKnown: [BenchErrorCode] { [] }
}

struct NoParameters: DefaultParameters {
    func apply(to request: inout RequestBuilder) {}
}

struct BenchUser: JSONReadable, Sendable {
    let id: Int
    let name: String

    private static let keys = JSONKeys(required: ["id", "name"])

    static func read(from json: inout JSONReader) -> BenchUser? {
        var id = 0
        var name = ""
        guard json.beginObject(keys) else { return nil }
        while let field = json.nextField() {
            switch field {
            case 0: json.int(&id)
            default: json.string(&name)
            }
        }
        guard json.endObject() else { return nil }
        return BenchUser(id: id, name: name)
    }
}

import TelexJSON
import TelexRuntime

/// An API in the form of generated code, with secrets in every place of a request that can contain
/// one.
enum VaultBenchAPI: APIDescription {
    typealias Parameters = NoParameters
    typealias ErrorCode = BenchErrorCode

    /// The place of the token for the managers that the current task creates.
    @TaskLocal static var placement = AuthRules.Placement.bearer

    static var definition: APIDefinition {
        APIDefinition(
            name: "Vault",
            servers: [
                Server("production", "https://api.bench.test/v1/"),
                Server("plain", "http://api.bench.test/v1/"),
            ],
            errors: ErrorRules(at: ["error"], code: ["code"], message: ["message"]),
            auth: AuthRules(token: placement, expired: [.status(401)]), retry: .never)
    }

    enum APIMethod: String, CaseIterable, APIMethodName {
        case get, item, save, address, file, follow

        var endpoint: Endpoint {
            switch self {
            case .get: .get("things")
            case .item: .get("things/{key}/parts")
            case .save: Endpoint(.post, "things")
            case .address: .get("{address}")
            case .file:
                Endpoint(.get, "files/{key}", operation: OperationRules(kind: .download))
            case .follow:
                Endpoint(.get, "follow/{key}", operation: OperationRules(kind: .stream))
            }
        }
    }

    /// Makes a request that `fill` completes.
    static func call(
        _ method: APIMethod, _ fill: (inout RequestBuilder) -> Void
    ) -> APIRequest<BenchReceipt> {
        var request = RequestBuilder(method)
        fill(&request)
        return request.finish()
    }
}

/// A reply with a secret of the server.
struct BenchReceipt: JSONReadable, RedactedDescription, Sendable {
    let pin: String

    private static let keys = JSONKeys(
        required: ["pin"], optional: ["note"], sensitive: ["pin"])

    var customMirror: Mirror { Mirror(self, children: ["pin": Redacted.text]) }

    static func read(from json: inout JSONReader) -> BenchReceipt? {
        var (pin, note) = ("", "")
        guard json.beginObject(keys) else { return nil }
        while let field = json.nextField() {
            switch field {
            case 0: if json.string(&pin) { json.maxLength(pin, 500) }
            default: json.string(&note)
            }
        }
        return json.endObject() ? BenchReceipt(pin: pin) : nil
    }

    /// A reply without secrets.
    static let plain = #"{"pin":"1","note":"done"}"#
}

/// An object with one sensitive member.
struct BenchCard: ParameterValue {
    var number: String

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("kind", "card")
        json.field("number", number, sensitive: true)
        json.endObject()
    }
}

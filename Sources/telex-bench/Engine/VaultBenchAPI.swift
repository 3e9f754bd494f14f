import TelexJSON
import TelexRuntime

/// An API as the compiler would write it that takes secrets in every place where a request can have
/// one.
enum VaultBenchAPI: APIDescription {
    typealias Parameters = NoParameters
    typealias ErrorCode = BenchErrorCode

    /// Where the token goes in the managers that a task makes.
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

    /// A request that a function fills.
    static func call(
        _ method: APIMethod, _ fill: (inout RequestBuilder) -> Void
    ) -> APIRequest<BenchReceipt> {
        var request = RequestBuilder(method)
        fill(&request)
        return request.finish()
    }
}

/// A reply with a secret of the server's own.
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

    /// What a server answers that has nothing to hide.
    static let plain = #"{"pin":"1","note":"done"}"#
}

/// An object of which only one member is secret.
struct BenchCard: ParameterValue {
    var number: String

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("kind", "card")
        json.field("number", number, sensitive: true)
        json.endObject()
    }
}

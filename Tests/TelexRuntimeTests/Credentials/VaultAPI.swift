import Foundation
import TelexJSON

@testable import TelexRuntime

/// An API with secrets in every place of a request.
enum VaultAPI {
    enum APIMethod: String, CaseIterable, APIMethodName {
        case json, form, multipart, address

        var endpoint: Endpoint {
            switch self {
            case .json: Endpoint(.post, "json/{key}")
            case .form: Endpoint(.post, "form")
            case .multipart: Endpoint(.post, "parts")
            case .address: Endpoint(.get, "{address}")
            }
        }
    }

    /// The place of the token in the definitions that a task makes.
    @TaskLocal static var placement = AuthRules.Placement.bearer

    static var definition: APIDefinition {
        APIDefinition(
            name: "Vault", servers: [Server("main", "https://vault.test/")],
            errors: ErrorRules(code: ["code"], message: ["message"]),
            auth: AuthRules(token: placement), retry: .never)
    }
}

/// A reply with a secret of the server.
struct Receipt: JSONReadable, Sendable {
    private static let keys = JSONKeys(required: ["pin", "note"], sensitive: ["pin"])

    static func read(from json: inout JSONReader) -> Receipt? {
        var text = ""
        guard json.beginObject(keys) else { return nil }
        while json.nextField() != nil { json.string(&text) }
        return json.endObject() ? Receipt() : nil
    }
}

/// An object with one sensitive member.
struct Card: ParameterValue {
    var number: String

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("kind", "card")
        json.field("number", number, sensitive: true)
        json.endObject()
    }
}

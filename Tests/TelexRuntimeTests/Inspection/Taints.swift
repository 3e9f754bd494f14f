import Foundation
import TelexJSON

@testable import TelexRuntime

/// The secrets of one request.
struct Taints: Sendable {
    var token: String
    var refreshToken: String
    var query: String
    var header: String
    var cookie: String
    var password: String
    var body: String
    var nested: String
    var card: String
    var path: String
    var reply: String

    /// The secrets of a request, and those of its credential.
    func planted(in method: VaultAPI.APIMethod) -> [String] {
        let all = [token, refreshToken, query, header, cookie, password]
        return switch method {
        case .address: all
        case .form, .multipart: all + [body, nested, card]
        case .json: all + [body, nested, card, path]
        }
    }

    func request(_ method: VaultAPI.APIMethod) -> APIRequest<Receipt> {
        var request = RequestBuilder(method)
        if method == .address {
            let signature = PercentEncoding.component(query)
            request.address("address", "https://vault.test/signed?sig=\(signature)")
        } else {
            request.query("q", query, sensitive: true)
        }
        request.header("X-Session-Token", header)
        request.header("Cookie", "session=\(cookie); theme=dark")
        request.header("Authorization", "Basic \(Self.base64("user:\(password)"))")
        switch method {
        case .json: addJSON(to: &request)
        case .form:
            request.form("code", body, sensitive: true)
            request.form("password", nested)
            request.form("card", Card(number: card))
            request.form("name", "Ann")
        case .multipart:
            request.part("code", body, sensitive: true)
            request.part("secret", nested)
            request.part("card", Card(number: card))
            request.part("photo", UploadFile(bytes: [1, 2, 3], name: "a.jpg"))
        case .address: break
        }
        return request.finish { json in json.value() }
    }

    private func addJSON(to request: inout RequestBuilder) {
        request.path("key", path, sensitive: true)
        request.jsonObject { json in
            json.field("name", "Ann")
            json.field("code", body, sensitive: true)
            json.field("deep", true, sensitive: true) { json, _ in
                json.beginObject()
                json.field("list", [nested])
                json.endObject()
            }
            json.field("card", Card(number: card))
        }
    }

    static func base64(_ text: String) -> String {
        var json = JSONWriter()
        Data(text.utf8).write(to: &json)
        return String(decoding: json.bytes.dropFirst().dropLast(), as: UTF8.self)
    }
}

import TelexRuntime

/// A place of a request that contains a secret.
struct SecretPlace: Sendable {
    typealias Request = @Sendable (_ secret: String) -> APIRequest<BenchReceipt>

    let name: String
    var token = AuthRules.Placement.bearer
    /// Whether the secret is the token, a value of the credential, or a parameter.
    var kind = Kind.parameter
    /// Whether the engine recognizes the value as a secret. It does not recognize the content of
    /// binary bodies, nor every value of the credential, such as the user's number. It does not
    /// send them to other origins, but it cannot stop a server that repeats them elsewhere.
    var isKnown = true
    let request: Request

    enum Kind: Sendable { case token, value, parameter }

    /// A token that is not the secret of the test but must not leave its origin either.
    static let otherToken = "an0ther-t0ken-of-the-bench"

    func credential(_ secret: String) -> Credential {
        switch kind {
        case .token: Credential(token: secret)
        case .value: Credential(token: Self.otherToken, values: ["key": secret])
        case .parameter: Credential(token: Self.otherToken)
        }
    }

    /// The secrets of a call with this secret.
    func secrets(_ secret: String) -> [String] {
        kind == .token ? [secret] : [secret, Self.otherToken]
    }

    static let all = tokens + parameters + bodies + headers + values

    // MARK: The token in all its places

    private static let tokens: [SecretPlace] = [
        token("query", at: .query("access_token"), request: form),
        token("bearer", at: .bearer, request: form),
        token("header", at: .header("X-Key"), request: form),
        token("header with a prefix", at: .header("Authorization", prefix: "Key"), request: form),
        token("cookie", at: .cookie("sid"), request: form),
        token("form", at: .form("token"), request: form),
        token("JSON", at: .json("token"), request: json),
        token("body, a form", at: .body("token"), request: form),
        token("body, JSON", at: .body("token"), request: json),
    ]

    private static func token(
        _ name: String, at place: AuthRules.Placement, request: @escaping Request
    ) -> SecretPlace {
        SecretPlace(name: "token in \(name)", token: place, kind: .token, request: request)
    }

    private static let form: Request = { _ in
        VaultBenchAPI.call(.save) { $0.form("name", "Ann") }
    }

    private static let json: Request = { _ in
        VaultBenchAPI.call(.save) { $0.jsonObject { $0.field("name", "Ann") } }
    }

    // MARK: Values that a spec declares sensitive

    private static let parameters: [SecretPlace] = [
        SecretPlace(name: "query") { secret in
            VaultBenchAPI.call(.get) { $0.query("q", secret, sensitive: true) }
        },
        SecretPlace(name: "list in the query") { secret in
            VaultBenchAPI.call(.get) {
                $0.query("q", [secret, "b"], list: .indexed, sensitive: true)
            }
        },
        SecretPlace(name: "query of a telling name") { secret in
            VaultBenchAPI.call(.get) { $0.query("password", secret) }
        },
        SecretPlace(name: "header") { secret in
            VaultBenchAPI.call(.save) { $0.header("X-Answer", secret, sensitive: true) }
        },
        SecretPlace(name: "path") { secret in
            VaultBenchAPI.call(.item) { $0.path("key", secret, sensitive: true) }
        },
    ]

    private static let bodies: [SecretPlace] = [
        SecretPlace(name: "form") { secret in
            VaultBenchAPI.call(.save) { $0.form("code", secret, sensitive: true) }
        },
        SecretPlace(name: "form, a part of a value") { secret in
            VaultBenchAPI.call(.save) { $0.form("card", BenchCard(number: secret)) }
        },
        SecretPlace(name: "multipart") { secret in
            VaultBenchAPI.call(.save) { $0.part("code", secret, sensitive: true) }
        },
        SecretPlace(name: "multipart file", isKnown: false) { secret in
            let file = UploadFile(bytes: Array(secret.utf8), name: "key.pem")
            return VaultBenchAPI.call(.save) { $0.part("key", file, sensitive: true) }
        },
        SecretPlace(name: "JSON member") { secret in
            VaultBenchAPI.call(.save) {
                $0.jsonObject { $0.field("code", secret, sensitive: true) }
            }
        },
        SecretPlace(name: "nested JSON member") { secret in
            VaultBenchAPI.call(.save) {
                $0.jsonObject { $0.field("card", BenchCard(number: secret)) }
            }
        },
        SecretPlace(name: "whole JSON body") { secret in
            VaultBenchAPI.call(.save) { $0.json(sensitive: true) { $0.value(secret) } }
        },
        SecretPlace(name: "whole body", isKnown: false) { secret in
            VaultBenchAPI.call(.save) { $0.bytes(Array(secret.utf8), sensitive: true) }
        },
        SecretPlace(name: "whole file", isKnown: false) { secret in
            let file = UploadFile(bytes: Array(secret.utf8), name: "key.pem")
            return VaultBenchAPI.call(.save) { $0.file(file, sensitive: true) }
        },
    ]

    /// Header fields that carry credentials even if the spec does not declare it.
    private static let headers: [SecretPlace] = [
        SecretPlace(name: "Authorization", token: .query("access_token")) { secret in
            VaultBenchAPI.call(.save) { $0.header("Authorization", "Digest \(secret)") }
        },
        SecretPlace(name: "Proxy-Authorization") { secret in
            VaultBenchAPI.call(.save) { $0.header("Proxy-Authorization", secret) }
        },
        SecretPlace(name: "Cookie") { secret in
            VaultBenchAPI.call(.save) { $0.header("Cookie", "session=\(secret); theme=dark") }
        },
        SecretPlace(name: "X-Api-Key") { secret in
            VaultBenchAPI.call(.save) { $0.header("X-Api-Key", secret) }
        },
    ]

    // MARK: Values that came with the token

    private static let values: [SecretPlace] = [
        value("query") { $0.query("user", String?.none, orCredential: "key") },
        value("header") { $0.header("X-User", String?.none, orCredential: "key") },
        value("form") { $0.form("user", String?.none, orCredential: "key") },
        value("multipart") { $0.part("user", String?.none, orCredential: "key") },
        value("JSON") {
            $0.jsonObject { _ in }
            $0.member("user", orCredential: "key")
        },
        value("sensitive JSON", isKnown: true) {
            $0.jsonObject { _ in }
            $0.member("user", orCredential: "key", sensitive: true)
        },
        value("sensitive query", isKnown: true) {
            $0.query("user", String?.none, orCredential: "key", sensitive: true)
        },
        value("sensitive form", isKnown: true) {
            $0.form("user", String?.none, orCredential: "key", sensitive: true)
        },
    ]

    private static func value(
        _ name: String, isKnown: Bool = false,
        _ fill: @escaping @Sendable (inout RequestBuilder) -> Void
    ) -> SecretPlace {
        SecretPlace(name: "credential's value in \(name)", kind: .value, isKnown: isKnown) { _ in
            VaultBenchAPI.call(.save, fill)
        }
    }
}

import TelexRuntime

/// The secrets of one call.
struct BenchSecrets: Sendable {
    /// The alphabets of secrets; the last two cannot be used in a header.
    private static let alphabets = [
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
        "aB3 &=+%/?#:@!$'()*,~^|{}[]<>",
        "ключ🔑密碼éß", "\"\\/'`bnrtfu0041",
    ].map(Array.init)

    let token, newToken, refreshToken, value, header, cookie, password: String
    let query, path, body, nested, card, reply: String

    init(_ random: inout some RandomNumberGenerator, _ round: Int) {
        func any(_ index: Int) -> String { Self.taint(&random, kinds: 4, index: round + index) }
        func plain(_ index: Int) -> String { Self.taint(&random, kinds: 2, index: round + index) }
        token = plain(0)
        newToken = plain(1)
        header = plain(1)
        cookie = plain(0).replacing(",", with: "_").replacing("=", with: "_")
        password = any(1)
        (refreshToken, value, query) = (any(0), any(1), any(2))
        (path, body, nested) = (any(3), any(0), any(1))
        (card, reply) = (any(2), any(3))
    }

    /// A secret of 3 or of 8 to 40 characters and a suffix that no other text contains, so that
    /// even a short secret is not found by chance.
    private static func taint(
        _ random: inout some RandomNumberGenerator, kinds: Int, index: Int
    ) -> String {
        let alphabet = alphabets[index % kinds]
        let length = index % 7 == 0 ? 3 : Int.random(in: 8...40, using: &random)
        let text = (0..<length).map { _ in alphabet.randomElement(using: &random) ?? "x" }
        return "x" + String(text) + (kinds == 2 ? "~Q~" : "§")
    }

    /// All secrets.
    var all: [String] { requestSecrets + [refreshToken, newToken, reply] }

    /// The secrets that a request may contain and the server repeats.
    var requestSecrets: [String] {
        [token, value, header, cookie, password, query, path, body, nested, card]
    }

    var credential: Credential {
        Credential(token: token, values: ["client_secret": value], refreshToken: refreshToken)
    }

    // MARK: Requests

    /// The number of request kinds that contain secrets.
    static let kinds = 5

    func request(_ kind: Int, breakingRules: Bool) -> APIRequest<BenchReceipt> {
        VaultBenchAPI.call([.item, .address, .save, .save, .save][kind]) { request in
            addHead(kind, to: &request)
            if breakingRules {
                request.query("length", query, sensitive: true)
                request.maxLength(query, 1)
            }
            switch kind {
            case 2: addJSON(to: &request)
            case 3: addForm(to: &request)
            case 4: addParts(to: &request)
            default: break
            }
        }
    }

    /// A download to a file.
    func download(to path: String, breakingRules: Bool) -> APIRequest<DownloadedFile> {
        transfer(.file, breakingRules).finishDownload(to: path)
    }

    /// A stream of receipts, one per line.
    func stream(breakingRules: Bool) -> APIRequest<StreamEnd<BenchReceipt>> {
        transfer(.follow, breakingRules).finishStream(.jsonLines) { BenchReceipt.read(from: &$0) }
    }

    private func transfer(
        _ method: VaultBenchAPI.APIMethod, _ breakingRules: Bool
    ) -> RequestBuilder {
        var request = RequestBuilder(method)
        addHead(0, to: &request)
        if breakingRules { request.maxLength(query, 1) }
        return request
    }

    private func addHead(_ kind: Int, to request: inout RequestBuilder) {
        if kind == 1 {
            let signature = [query, path, body, nested, card].enumerated()
                .map { "s\($0)=\(SecretEncodings.percent($1))" }.joined(separator: "&")
            request.address("address", "https://api.bench.test/signed?\(signature)")
        } else {
            request.query("q", query, sensitive: true)
            request.query("more", [body, nested, card], list: .joined(","), sensitive: true)
        }
        if kind == 0 { request.path("key", path, sensitive: true) }
        if kind > 1 { request.query("p", path, sensitive: true) }
        request.query("user", String?.none, orCredential: "client_secret", sensitive: true)
        request.header("X-Session-Token", header)
        request.header("Cookie", "session=\(cookie); theme=dark")
        request.header("Proxy-Authorization", "Basic \(SecretEncodings.base64("user:\(password)"))")
    }

    private func addJSON(to request: inout RequestBuilder) {
        request.jsonObject { json in
            json.field("name", "Ann")
            json.field("code", body, sensitive: true)
            json.field("deep", [[nested]], sensitive: true)
            json.field("card", BenchCard(number: card))
        }
    }

    private func addForm(to request: inout RequestBuilder) {
        request.form("name", "Ann")
        request.form("code", body, sensitive: true)
        request.form("password", nested)
        request.form("card", BenchCard(number: card))
    }

    private func addParts(to request: inout RequestBuilder) {
        request.part("code", body, sensitive: true)
        request.part("secret", nested)
        request.part("card", BenchCard(number: card))
        request.part("photo", UploadFile(bytes: [1, 2, 3], name: "a.jpg"))
    }

    // MARK: Requests for tokens

    /// A request for a new token that contains the secrets. Its reply contains a secret of its own.
    func refresh(asJSON isJSON: Bool) -> RefreshRequest {
        let secrets = [header, cookie, password, path, body, nested, card]
        let fields =
            secrets.enumerated().map { RefreshRequest.Field("f\($0)", .secret($1)) } + [
                RefreshRequest.Field("grant_type", .constant("refresh_token")),
                RefreshRequest.Field("client_secret", .fact("client_secret")),
                RefreshRequest.Field("refresh_token", .refreshToken),
                RefreshRequest.Field("old", .token),
            ]
        return RefreshRequest(
            "https://id.bench.test/token?key=\(SecretEncodings.percent(query))",
            isJSON ? .json(fields) : .form(fields), reply: TokenReplyRules(token: ["pin"]))
    }
}

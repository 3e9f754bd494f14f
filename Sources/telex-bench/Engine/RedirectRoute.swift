import HTTPTypes
import TelexRuntime
import TelexTesting

/// A sequence of redirects.
struct RedirectRoute: Sendable {
    let name: String
    var home = ServerChoice.first
    /// The `Location` of each redirect. `{target}` stands for the path and query of the redirected
    /// request, `{encoded}` and `{secret}` for the secret.
    let steps: [String]
    /// Whether a client must refuse to follow it.
    var isRefused = false

    /// Whether the address of a redirect contains the secret, wherever it was sent.
    var repeatsSecret: Bool {
        steps.contains { $0.contains("{secret}") || $0.contains("{encoded}") }
    }

    static let statuses = [301, 302, 303, 307, 308]

    static let all = [
        RedirectRoute(name: "another host", steps: ["https://elsewhere.test/x"]),
        RedirectRoute(name: "another host, same scheme", steps: ["//elsewhere.test/x"]),
        RedirectRoute(name: "a host below", steps: ["https://cdn.api.bench.test/x"]),
        RedirectRoute(name: "another port", steps: ["https://api.bench.test:444/x"]),
        RedirectRoute(
            name: "another scheme", home: .named("plain"), steps: ["https://api.bench.test/x"]),
        RedirectRoute(
            name: "down to http", steps: ["http://api.bench.test/x"], isRefused: true),
        RedirectRoute(
            name: "away and back",
            steps: ["https://elsewhere.test/x", "https://api.bench.test/v1/back"]),
        RedirectRoute(
            name: "several hops",
            steps: ["/v1/next", "https://elsewhere.test/1", "/2", "https://third.test/3"]),
        RedirectRoute(
            name: "the same path and query elsewhere", steps: ["https://elsewhere.test{target}"]),
        RedirectRoute(
            name: "the same path and query, one hop later",
            steps: ["/hop{target}", "https://elsewhere.test{target}"]),
        RedirectRoute(
            name: "the secret in the path", steps: ["https://elsewhere.test/a/{encoded}/b"]),
        RedirectRoute(
            name: "the secret in the query", steps: ["https://elsewhere.test/?a=1&b={encoded}"]),
        RedirectRoute(name: "the secret in the host", steps: ["https://{secret}.elsewhere.test/"]),
    ]

    /// The reply to the request with this number, counted from 1.
    func reply(
        _ number: Int, status: Int, to target: String, secret: String
    ) -> TransportReply {
        guard number <= steps.count else { return .json(BenchReceipt.plain) }
        let location = steps[number - 1].replacing("{target}", with: target)
            .replacing("{encoded}", with: SecretEncodings.percent(secret))
            .replacing("{secret}", with: secret)
        return .bytes(status: .init(code: status), fields: [.location: location])
    }
}

import HTTPTypes
import TelexRuntime
import TelexTesting

/// Redirects requests with secrets in every place to other origins, on every route with every
/// status.
enum RedirectBenchmark {
    /// One secret that no encoding changes, and one that encodings change.
    private static let secrets = ["s3cr3tb3nchk3y9", "s3cr3t/b3nch &+k3y=9"]

    /// The results of the calls.
    private struct Sum {
        var calls = 0
        /// Requests to another origin, and to the first one after a visit to another.
        var requests = 0
        var leaked = 0
        var refused = 0
        /// Calls that prove nothing: the secret was not sent, or the call ended neither with a
        /// reply nor with a refused redirect.
        var inconclusive: [String] = []
    }

    static func run() async throws -> [EngineBenchmark.Row] {
        var sum = Sum()
        var unfollowed: [String] = []
        for place in SecretPlace.all {
            let before = sum.requests
            for route in RedirectRoute.all where place.isKnown || !route.repeatsSecret {
                for status in RedirectRoute.statuses {
                    for secret in secrets {
                        await call(place, route: route, status: status, secret: secret, sum: &sum)
                    }
                }
            }
            if sum.requests == before { unfollowed.append(place.name) }
        }
        let inconclusive = sum.inconclusive + unfollowed
        let remark = inconclusive.isEmpty ? "" : "; inconclusive: \(inconclusive.prefix(3))"
        return [
            EngineBenchmark.Row(
                name: "redirects to another origin", goal: "0 credentials leaked",
                result: """
                    \(sum.leaked) leaked in \(sum.requests) requests: \(SecretPlace.all.count) \
                    places × \(RedirectRoute.all.count) routes × \(RedirectRoute.statuses.count) \
                    statuses, \(sum.calls) calls, \(sum.refused) of them refused to follow\(remark)
                    """,
                isReached: sum.leaked == 0 && inconclusive.isEmpty)
        ]
    }

    private static func call(
        _ place: SecretPlace, route: RedirectRoute, status: Int, secret: String,
        sum: inout Sum
    ) async {
        let count = Counter()
        let transport = InMemoryTransport { request in
            route.reply(count.next(), status: status, to: request.head.path ?? "", secret: secret)
        }
        let manager = VaultBenchAPI.$placement.withValue(place.token) {
            APIManager<VaultBenchAPI>(
                transport: transport, credentials: .memory(place.credential(secret))
            ) { $0.server = route.home }
        }
        let isRefused = await isRefused(manager.operation(place.request(secret)))
        let spellings = SecretEncodings(place.secrets(secret))
        let away = transport.requests.drop { $0.origin == transport.requests.first?.origin }
        sum.calls += 1
        sum.requests += away.count
        sum.refused += isRefused == true ? 1 : 0
        sum.leaked += away.count { spellings.isIn($0.everything) }
        let isSent = transport.requests.first.map { SecretEncodings([secret]).isIn($0.everything) }
        let isExpected = isRefused == false && !route.isRefused || isRefused == true
        if isSent != true || !isExpected {
            sum.inconclusive.append("\(place.name), \(status) to \(route.name)")
        }
    }

    /// Whether a call refused to follow a redirect; nil if it failed for another reason.
    private static func isRefused(_ operation: DataOperation<BenchReceipt>) async -> Bool? {
        do {
            _ = try await operation.value
            return false
        } catch {
            guard case .refusedRedirect = (error as? APIError)?.reason else { return nil }
            return true
        }
    }
}

extension SentRequest {
    fileprivate var origin: String { "\(head.scheme ?? "")://\(head.authority ?? "")" }

    /// Everything that the receiver sees.
    fileprivate var everything: String {
        let fields = head.headerFields.map { "\($0.name): \($0.value)" }
        return ([head.authority ?? "", head.path ?? ""] + fields + [text]).joined(separator: "\n")
    }
}

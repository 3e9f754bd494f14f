import HTTPTypes
import TelexRuntime
import TelexTesting

/// Secrets in every place of a request, led to another origin on every route by every status.
enum RedirectBenchmark {
    /// One that looks the same however it is encoded, and one that does not.
    private static let secrets = ["s3cr3tb3nchk3y9", "s3cr3t/b3nch &+k3y=9"]

    /// What became of the calls.
    private struct Sum {
        var calls = 0
        /// Requests to another origin, and to the first one after another was visited.
        var requests = 0
        var leaked = 0
        var refused = 0
        /// Calls that prove nothing: whose secret was not sent in the first place, or that ended
        /// other than by a reply or a refusal to follow.
        var odd: [String] = []
    }

    static func run() async throws -> [EngineBenchmark.Row] {
        var sum = Sum()
        var unfollowed: [String] = []
        for place in SecretPlace.all {
            let before = sum.requests
            for route in RedirectRoute.all where place.isKnown || !route.repeatsSecret {
                for status in RedirectRoute.statuses {
                    for secret in secrets { await call(place, route, status, secret, &sum) }
                }
            }
            if sum.requests == before { unfollowed.append(place.name) }
        }
        let odd = sum.odd + unfollowed
        let remark = odd.isEmpty ? "" : "; proves nothing: \(odd.prefix(3))"
        return [
            EngineBenchmark.Row(
                name: "redirects to another origin", goal: "0 credentials leaked",
                result: """
                    \(sum.leaked) leaked in \(sum.requests) requests: \(SecretPlace.all.count) \
                    places × \(RedirectRoute.all.count) routes × \(RedirectRoute.statuses.count) \
                    statuses, \(sum.calls) calls, \(sum.refused) of them refused to follow\(remark)
                    """,
                isReached: sum.leaked == 0 && odd.isEmpty)
        ]
    }

    private static func call(
        _ place: SecretPlace, _ route: RedirectRoute, _ status: Int, _ secret: String,
        _ sum: inout Sum
    ) async {
        let count = Counter()
        let transport = InMemoryTransport { request in
            route.reply(count.next(), status, to: request.head.path ?? "", secret)
        }
        let manager = VaultBenchAPI.$placement.withValue(place.token) {
            APIManager<VaultBenchAPI>(
                transport: transport, credentials: .memory(place.credential(secret)),
                server: route.home)
        }
        let isRefused = await isRefused(manager.operation(place.request(secret)))
        let spellings = Spellings(place.secrets(secret))
        let away = transport.requests.drop { $0.origin == transport.requests.first?.origin }
        sum.calls += 1
        sum.requests += away.count
        sum.refused += isRefused == true ? 1 : 0
        sum.leaked += away.count { spellings.isIn($0.everything) }
        let isSent = transport.requests.first.map { Spellings([secret]).isIn($0.everything) }
        let isExpected = isRefused == false && !route.isRefused || isRefused == true
        if isSent != true || !isExpected {
            sum.odd.append("\(place.name), \(status) to \(route.name)")
        }
    }

    /// Whether a call refused to follow; nil if it failed otherwise.
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

    /// All that its receiver sees.
    fileprivate var everything: String {
        let fields = head.headerFields.map { "\($0.name): \($0.value)" }
        return ([head.authority ?? "", head.path ?? ""] + fields + [text]).joined(separator: "\n")
    }
}

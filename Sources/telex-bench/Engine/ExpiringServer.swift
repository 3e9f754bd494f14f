import HTTPTypes
import TelexRuntime
import TelexTesting

/// A server with an expired token. It replies only when all calls have sent the old token. It also
/// serves refreshes.
final class ExpiringServer: Sendable {
    let sentOld = Counter()
    let sentNew = Counter()
    let refreshes = Counter()
    let refreshBegan = Gate()
    let refreshMayEnd = Gate()

    private let scenario: RefreshBenchmark.Scenario
    private let calls: Int
    private let allAsked = Gate()

    init(_ scenario: RefreshBenchmark.Scenario, calls: Int) {
        self.scenario = scenario
        self.calls = calls
    }

    var transport: InstantTransport {
        InstantTransport { [self] request in
            if request.head.authority == "id.bench.test" { return await refuseRefresh() }
            if request.head.headerFields[.authorization] == "Bearer old" {
                await refuse(request.head)
            } else {
                sentNew.next()
                if scenario != .isUseless { return .json(BenchAPI.reply) }
            }
            return .json("{}", status: .unauthorized)
        }
    }

    /// Counts a refresh and holds it.
    func beginRefresh() async {
        refreshes.next()
        refreshBegan.open()
        await refreshMayEnd.wait()
    }

    /// Waits until all calls have arrived.
    private func refuse(_ head: HTTPRequest) async {
        if sentOld.next() == calls { allAsked.open() }
        await allAsked.wait()
        // The call that will be cancelled must be the one that starts the refresh.
        let isFirst = head.path?.hasSuffix("?id=0") ?? false
        if scenario == .isOrphaned, !isFirst { await refreshBegan.wait() }
    }

    private func refuseRefresh() async -> TransportReply {
        await beginRefresh()
        return scenario == .isUnauthorized
            ? .json("{}", status: .unauthorized)
            : .json(#"{"error":"invalid_grant"}"#, status: .badRequest)
    }
}

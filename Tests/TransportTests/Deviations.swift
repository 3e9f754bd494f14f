import TelexRuntime
import TelexTesting
import TelexURLSession

#if AsyncHTTPClient
    import TelexAsyncHTTPClient
#endif

/// Where a transport cannot do what an honest client has to, since what lies below it does not let
/// it. The tests expect exactly this, so that whoever mends what lies below hears of it.
struct Deviation: Sendable {
    /// The fault, by its name.
    let fault: String
    /// Why that cannot be helped.
    let reason: String
    /// What comes out instead, by the number of the exchange.
    var outcomes: [Int: [Fault.Outcome]] = [:]
    /// Whether the process does not survive.
    var endsProcess = false
}

extension Kind {
    /// Those that need a server.
    static let onSockets = allCases.filter { $0 != .inMemory }

    /// A transport with connections of its own.
    func makeTransport() -> any Transport {
        switch self {
        case .urlSession: URLSessionTransport()
        case .inMemory: InMemoryTransport(serving: { _ in .bytes(status: 404) })
        #if AsyncHTTPClient
            case .asyncHTTPClient: AsyncHTTPClientTransport()
        #endif
        }
    }

    func deviation(_ fault: Fault) -> Deviation? {
        deviations.first { $0.fault == fault.name }
    }

    var deviations: [Deviation] {
        switch self {
        case .urlSession: Self.urlSessionDeviations
        case .inMemory: []
        #if AsyncHTTPClient
            case .asyncHTTPClient: Self.asyncHTTPClientDeviations
        #endif
        }
    }

    #if AsyncHTTPClient
        private static let asyncHTTPClientDeviations = [
            Deviation(
                fault: Fault.surplusLater.name,
                reason: """
                    AsyncHTTPClient closes the connection once it has read what came unasked; a \
                    request that is faster gets it for a reply
                    """,
                outcomes: [2: Fault.surplusLater.exchanges[2].outcomes + [.text("poison")]])
        ]
    #endif

    #if canImport(FoundationNetworking)
        private static let urlSessionDeviations = [
            Deviation(
                fault: Fault.closedInHead.name,
                reason: """
                    corelibs-foundation traps when a transfer ends well and there is no reply \
                    (swift-corelibs-foundation #5286, not in Swift 6.3)
                    """,
                endsProcess: true),
            Deviation(
                fault: Fault.trailers.name,
                reason: """
                    corelibs-foundation takes fields after the body for the beginning of another \
                    head, and traps when that has no end
                    """,
                endsProcess: true),
            Deviation(
                fault: Fault.redirectToOddHost.name,
                reason: """
                    corelibs-foundation makes the address of the next request before it asks \
                    whether to follow, and traps if it cannot
                    """,
                endsProcess: true),
            Deviation(
                fault: Fault.looseFields.name,
                reason: """
                    corelibs-foundation wants a space behind the colon, and UTF-8
                    """,
                outcomes: [0: [.noReply(.other)], 2: [.noReply(.other)]]),
            Deviation(
                fault: Fault.conflictingSpellings.name,
                reason: """
                    corelibs-foundation keeps one of two fields whose names differ in capital \
                    letters, by chance; libcurl reads as many bytes as the last one says
                    """,
                outcomes: [0: [.brokenBody(status: 200, .other), .text("okays")]]),
            Deviation(
                fault: Fault.surplusLater.name,
                reason: """
                    libcurl 7.88 uses a connection again although bytes wait on it that nobody \
                    asked for; nothing above it can tell them from the reply
                    """,
                outcomes: [2: [.text("poison")]]),
            Deviation(
                fault: Fault.truncatedGzip.name,
                reason: """
                    libcurl decompresses what arrives and does not mind that the end is missing; \
                    the compressed bytes are not to be had
                    """,
                outcomes: [0: [.text("compre")]]),
        ]
    #else
        private static let urlSessionDeviations: [Deviation] = []
    #endif
}

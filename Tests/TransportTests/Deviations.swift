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
    let outcomes: [Int: [Fault.Outcome]]
}

extension Fault {
    /// The same fault with what a transport makes of it instead.
    func allowing(_ deviation: Deviation?) -> Fault {
        var fault = self
        for (number, outcomes) in deviation?.outcomes ?? [:] {
            fault.probes[number].outcomes = outcomes
        }
        return fault
    }
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

    /// Whether the process does not survive the fault.
    func endsProcess(_ fault: Fault) -> Bool {
        #if canImport(FoundationNetworking)
            self == .urlSession && fault.crashesURLSessionOnLinux
        #else
            false
        #endif
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
                outcomes: [2: Fault.surplusLater.probes[2].outcomes + [.text("poison")]])
        ]
    #endif

    #if canImport(FoundationNetworking)
        private static let urlSessionDeviations = [
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

import HTTPTypes
import TelexRuntime
import TelexTesting
import TelexURLSession

#if AsyncHTTPClient
    import TelexAsyncHTTPClient
#endif

/// The transports that must behave alike.
enum TransportKind: CaseIterable, Sendable {
    case urlSession
    case inMemory
    #if AsyncHTTPClient
        case asyncHTTPClient
    #endif
}

extension TransportKind {
    /// The transports that need a server.
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

    /// Whether the fault ends the process.
    func endsProcess(_ fault: Fault) -> Bool {
        #if canImport(FoundationNetworking)
            self == .urlSession && fault.crashesURLSessionOnLinux
        #else
            false
        #endif
    }

    func deviation(_ fault: Fault) -> KnownDeviation? {
        deviations.first { $0.fault == fault.name }
    }

    var deviations: [KnownDeviation] {
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
            KnownDeviation(
                fault: Fault.surplusLater.name,
                reason: """
                    AsyncHTTPClient closes the connection once it has read what came unasked; a \
                    request that is faster gets it for a reply
                    """,
                outcomes: [2: Fault.surplusLater.probes[2].outcomes + [.text("poison")]])
        ]
    #endif

    #if canImport(FoundationNetworking)
        private static let urlSessionDeviations =
            resetRefusals + [
                KnownDeviation(
                    fault: Fault.looseFields.name,
                    reason: """
                        corelibs-foundation wants a space behind the colon, and UTF-8
                        """,
                    outcomes: [0: [.noReply(.other)], 2: [.noReply(.other)]]),
                KnownDeviation(
                    fault: Fault.conflictingSpellings.name,
                    reason: """
                        corelibs-foundation keeps one of two fields whose names differ in capital \
                        letters, by chance; libcurl reads as many bytes as the last one says
                        """,
                    outcomes: [0: [.brokenBody(status: 200, .other), .text("okays")]]),
                KnownDeviation(
                    fault: Fault.surplusLater.name,
                    reason: """
                        libcurl 7.88 uses a connection again although bytes wait on it that nobody \
                        asked for; nothing above it can tell them from the reply
                        """,
                    outcomes: [2: [.text("poison")]]),
                KnownDeviation(
                    fault: Fault.truncatedGzip.name,
                    reason: """
                        libcurl decompresses what arrives and does not mind that the end is missing; \
                        the compressed bytes are not to be had
                        """,
                    outcomes: [0: [.text("compre")]]),
            ]
    #else
        private static let urlSessionDeviations = resetRefusals
    #endif

    /// The refusals of uploads on connections that are reset.
    private static let resetRefusals = [401, 403, 413].flatMap { status in
        [Fault.RefusalEnd.closed, .reset].map { end in
            let fault = Fault.refusedUpload(status: status, end)
            return KnownDeviation(
                fault: fault.name,
                reason: """
                    the library gives up when it cannot send the rest of a body, and does not \
                    read what the server has answered
                    """,
                outcomes: Dictionary(
                    uniqueKeysWithValues: fault.probes.indices.map {
                        ($0, fault.probes[$0].outcomes + [.noReply(.connectionLost)])
                    }))
        }
    }
}

extension Fault {
    /// All faults, in the order in which an exchange can meet them.
    public static let catalogue: [Fault] =
        connectionFaults + headFaults + framingFaults + bodyFaults + compressionFaults
        + interimFaults + refusalFaults + reuseFaults + rangeFaults + redirectFaults
        + credentialFaults + overloadFaults

    /// Whether the fault crashes `URLSession` on Linux. The Foundation of Swift 6.3 ends the
    /// process in three cases: a transfer ends in order without a reply (swift-corelibs-foundation
    /// #5286); trailer fields look like the beginning of another head; a redirect names an address
    /// that is not valid. Tests with such a transport skip these faults.
    public var crashesURLSessionOnLinux: Bool { Self.fatal.contains(name) }

    private static let fatal = Set([closedInHead, trailers, redirectToOddHost].map(\.name))

    /// The time-out of requests to a silent server. It is long enough to connect on a busy machine.
    static let silenceTimeout = Duration.seconds(2)

    /// Ten bytes that show their position.
    static let digits = Array("0123456789".utf8)
}

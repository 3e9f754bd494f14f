extension Fault {
    /// One of each fault there is, in the order in which an exchange meets them.
    public static let catalogue: [Fault] =
        connectionFaults + headFaults + framingFaults + bodyFaults + compressionFaults
        + interimFaults + reuseFaults + rangeFaults + redirectFaults + credentialFaults
        + overloadFaults

    /// Whether `URLSession` on Linux does not survive the fault. The Foundation there, of Swift 6.3, ends
    /// the process: when a transfer ends in order and there is no reply (swift-corelibs-foundation
    /// #5286), when fields after a body look like the beginning of another head, and when it cannot
    /// make the address that a redirect names. Tests with such a transport leave these faults out.
    public var crashesURLSessionOnLinux: Bool { Self.fatal.contains(name) }

    private static let fatal = Set([closedInHead, trailers, redirectToOddHost].map(\.name))

    /// How long requests wait that meet silence: long enough to connect on a machine that has much
    /// else to do, and no longer.
    static let patience = Duration.seconds(2)

    /// Ten bytes that tell where they are.
    static let digits = Array("0123456789".utf8)
}

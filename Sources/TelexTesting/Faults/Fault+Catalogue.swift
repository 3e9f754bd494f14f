extension Fault {
    /// One of each fault there is, in the order in which an exchange meets them.
    public static let catalogue: [Fault] =
        connectionFaults + headFaults + framingFaults + bodyFaults + compressionFaults
        + interimFaults + reuseFaults + rangeFaults + redirectFaults + credentialFaults
        + overloadFaults

    /// How long requests wait that meet silence: long enough to connect on a machine that has much
    /// else to do, and no longer.
    static let patience = Duration.seconds(2)

    /// Ten bytes that tell where they are.
    static let digits = Array("0123456789".utf8)
}

import TelexTransport

/// Access to `URLError` without the part of Foundation that declares it, which this module does not
/// import: every error has a domain and a code.
extension Error {
    /// The code of a `URLError`; `nil` for any other error.
    package var urlErrorCode: Int? { _domain == "NSURLErrorDomain" ? _code : nil }

    /// The kind of network failure of a `TransportError` or a `URLError`; `nil` for any other
    /// error, and for a `URLError` that may have another cause than the network.
    package var transportKind: TransportError.Kind? {
        if let error = self as? TransportError { return error.kind }
        return switch urlErrorCode {
        case -1001: .timedOut
        case -1003, -1006: .nameNotFound
        case -1004: .cannotConnect
        case -1005: .connectionLost
        case -1009, -1018, -1019, -1020: .offline
        case -1022, -1200, -1201, -1202, -1203, -1204, -1205, -1206: .tls
        default: nil
        }
    }
}

import TelexJSON
import TelexRuntime

/// The permission to send the code of a browser login once. All copies of the login share it.
///
/// A code must not be sent twice: a server that receives it again revokes the tokens that it issued
/// for it (RFC 6749, section 4.1.2).
final class SingleUseGuard: Sendable, Hashable {
    private let isUsed = Lock(false)

    /// Uses up the permission; called before the code is sent.
    ///
    /// - Throws: `.invalidRequest` if it was used before.
    func use() throws(CredentialError) {
        let wasUsed = isUsed.withLock { isUsed in
            defer { isUsed = true }
            return isUsed
        }
        guard wasUsed else { return }
        throw CredentialError(
            .invalidRequest,
            "the code of this login was already sent and is valid once; start a new login")
    }

    /// Restores the permission; called if the code was not sent.
    func restore() { isUsed.withLock { $0 = false } }

    static func == (one: SingleUseGuard, other: SingleUseGuard) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CredentialError {
    /// Whether the failed request certainly did not reach the server.
    var isUnsent: Bool {
        switch reason {
        case .invalidRequest: true
        case .transport(let error):
            [.offline, .nameNotFound, .cannotConnect].contains(error.kind)
        default: false
        }
    }
}

import Synchronization
import TelexRuntime

/// What a login in the browser is ended with, once. All copies of the login share it.
///
/// A code must not be sent a second time, and a server that gets it twice takes back the tokens that it
/// gave for it (RFC 6749, section 4.1.2).
final class LoginTicket: Sendable, Hashable {
    private let isUsed = Mutex(false)

    /// Is called before the code is sent.
    ///
    /// - Throws: `.invalidRequest` if it was sent before.
    func use() throws(CredentialError) {
        let wasUsed = isUsed.withLock { isUsed in
            defer { isUsed = true }
            return isUsed
        }
        guard wasUsed else { return }
        throw CredentialError(
            .invalidRequest,
            "the code of this login was sent already, and is good once; begin a new login")
    }

    /// Is called if the code was not sent after all.
    func giveBack() { isUsed.withLock { $0 = false } }

    static func == (one: LoginTicket, other: LoginTicket) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CredentialError {
    /// Whether a request that ended so has certainly not reached the server.
    var isBeforeSending: Bool {
        switch reason {
        case .invalidRequest: true
        case .transport(let error):
            [.offline, .nameNotFound, .cannotConnect].contains(error.kind)
        default: false
        }
    }
}

import TelexCredentials

/// An error of a log-out: the credential is still stored, or may be stored again.
public struct LogOutError: Error, Sendable, CustomStringConvertible {
    /// The error of removing the credential.
    public let storeError: CredentialStoreError
    /// The error of notifying the server; nil if there was none.
    public let requestError: (any Error)?
    /// Whether the store still has the credential. False if it is gone but the store could not be
    /// locked against a process that may be about to write it back.
    public let isStillStored: Bool

    init(
        storeError: CredentialStoreError, requestError: (any Error)?, isStillStored: Bool = true
    ) {
        self.storeError = storeError
        self.requestError = requestError
        self.isStillStored = isStillStored
    }

    /// A sentence with both errors.
    public var description: String {
        let request =
            requestError.map { "; the server was not notified either: \($0.safeDescription)" } ?? ""
        let state =
            isStillStored
            ? "the token is still stored"
            : "the token is deleted here, but another process may store it again"
        return "\(state): \(storeError)\(request)"
    }
}

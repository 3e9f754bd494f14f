import TelexTransport

/// An error of Telex whose description contains no secrets.
private protocol TellableError: Error {}

extension OperationError: TellableError {}
extension CredentialError: TellableError {}
extension CredentialStoreError: TellableError {}
extension RefreshFailure: TellableError {}
extension RefreshTimedOut: TellableError {}
extension BlockingError: TellableError {}
extension FakeError: TellableError {}
extension LogOutError: TellableError {}
extension APIError: TellableError {}
extension CancellationError: TellableError {}

extension Error {
    /// The text that listeners receive for an error. The description of an unknown error is not
    /// used, because it may contain secrets.
    var tellableWords: String {
        if self is any TellableError { return "\(self)" }
        if let number = urlErrorCode { return Self.words("URLError", "(code \(number))") }
        let kind = (self as? TransportError).map { "(\($0.kind))" }
        return Self.words("\(type(of: self))", kind)
    }

    private static func words(_ type: String, _ more: String?) -> String {
        "an error of the type `\(type)` was thrown" + (more.map { " " + $0 } ?? "")
    }
}

/// An error of Telex's own whose description holds no secret.
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
    /// What listeners are told of an error that somebody's code threw: nobody has taken secrets out of
    /// the words of those that Telex does not know.
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

/// An error of Telex's own whose description holds no secret.
private protocol TellableError: Error {}

extension OperationError: TellableError {}
extension CredentialError: TellableError {}
extension CredentialStoreError: TellableError {}
extension BlockingError: TellableError {}
extension FakeError: TellableError {}
extension APIError: TellableError {}
extension CancellationError: TellableError {}

extension Error {
    /// What listeners are told of an error that somebody's code threw: nobody has taken secrets out of
    /// the words of those that Telex does not know.
    var tellableWords: String {
        self is any TellableError
            ? "\(self)" : "an error of the type `\(type(of: self))` was thrown"
    }
}

import TelexTransport

/// An error of Telex whose description contains no secrets.
package protocol DescribableError: Error {}

extension CredentialError: DescribableError {}
extension CredentialStoreError: DescribableError {}
extension CancellationError: DescribableError {}

extension Error {
    /// The text that listeners receive for an error. The description of an unknown error is not
    /// used, because it may contain secrets.
    package var safeDescription: String {
        if self is any DescribableError { return "\(self)" }
        if let number = urlErrorCode { return Self.words("URLError", "(code \(number))") }
        let kind = (self as? TransportError).map { "(\($0.kind))" }
        return Self.words("\(type(of: self))", kind)
    }

    private static func words(_ type: String, _ more: String?) -> String {
        "an error of the type `\(type)` was thrown" + (more.map { " " + $0 } ?? "")
    }
}

import TelexCredentials
import TelexInspection
import TelexRequests

/// The failure of a refresh, described without the old credential. The description of an app's own
/// error is not used, because it may contain secrets: that of a `URLError`, for example, contains
/// the whole URL, and so possibly a client secret.
struct RefreshFailure: Error, CustomStringConvertible {
    let description: String
    let cause: any Error

    init(_ cause: any Error, of old: Credential?) {
        var redactor = Redactor()
        if let old { redactor.add(old) }
        description = redactor.redact(cause.safeDescription)
        self.cause = cause
    }
}

extension Error {
    /// The original error of a failed refresh.
    var refreshCause: any Error { (self as? RefreshFailure)?.cause ?? self }
}

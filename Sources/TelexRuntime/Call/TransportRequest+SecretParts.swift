import TelexCredentials
import TelexRequests
import TelexTransport

extension TransportRequest {
    /// Returns the request, in a background session with its secret parts marked. The transport
    /// needs them there, because the system follows redirects itself.
    func withChallengeChecks(_ call: Call, _ credential: Credential?) -> TransportRequest {
        guard session.isBackground else { return self }
        var request = self
        request.hasSecretBody =
            body != nil && call.template.hasSecretBody(call.placement, credential)
        request.secretFields = call.template.secretFields(call.placement)
        request.secretFields.remove(.authorization)
        return request
    }
}

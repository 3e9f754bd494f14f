import TelexCredentials
import TelexRequests
import TelexTransport
import TelexValues

extension APIDefinition {
    /// Returns the refresher that the description defines for a scheme; nil if it defines no
    /// refresh request.
    func refresher(
        of auth: AuthRules, among servers: ServerDirectory, secrets: (any SecretProvider)?,
        transport: any Transport, clock: RuntimeClock
    ) -> (any CredentialRefresher)? {
        guard case .request(var request) = auth.refresh else { return nil }
        if Address(request.address) == nil, let server = servers.defaultPlace?.address {
            let path = PercentEncoding.address(request.address[...])
            request.address = RequestTemplate.join(server, path).text
        }
        return RequestCredentialRefresher(
            request, secrets: secrets,
            refusals: refusals(at: request.address, among: servers),
            transport: transport, clock: clock)
    }
}

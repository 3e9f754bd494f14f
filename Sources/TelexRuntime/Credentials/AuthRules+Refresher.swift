extension AuthRules {
    /// What gets a new credential if the app has nothing of its own for that; nil if a request
    /// alone cannot.
    func refresher(
        _ transport: any Transport, _ clock: RuntimeClock
    ) -> (any CredentialRefresher)? {
        guard case .request(let request) = refresh else { return nil }
        return RequestCredentialRefresher(request, transport: transport, clock: clock)
    }
}

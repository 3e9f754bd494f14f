extension APIManager {
    /// Logs in: keeps a credential, and has the calls go on with it that wait for one.
    ///
    /// A refresh under way is given up, for instance a login that the refresher shows and nobody looks
    /// at any more. A credential that is only saved in the store is found by calls that begin later, but
    /// not by those that wait for that refresh.
    ///
    /// ```swift
    /// try await vk.logIn(Credential(token: "…"))
    /// ```
    ///
    /// - Parameter credential: Takes the place of the stored one.
    /// - Throws: What the store throws if it cannot keep the credential; then nothing has changed.
    public func logIn(_ credential: Credential) async throws(CredentialStoreError) {
        let credential = credential.ofNewLogin
        let former = engine.noteLogIn(credential.login)
        do {
            try await credentials.save(credential)
        } catch {
            engine.takeBackLogIn(credential.login, for: former)
            throw error
        }
        engine.goOnLoggedIn()
    }
}

import TelexCredentials

extension APIManager {
    /// Logs in: saves a credential and resumes the calls that wait for one.
    ///
    /// A refresh in flight is abandoned, for instance a login screen that the refresher shows.
    /// Calls that begin later also find a credential that was only saved in the store, but calls
    /// that wait for that refresh do not.
    ///
    /// ```swift
    /// try await vk.logIn(Credential(token: "…"))
    /// ```
    ///
    /// - Parameter credential: The new credential, which replaces the stored one.
    /// - Throws: The store's error if it cannot save the credential; nothing has changed then.
    public func logIn(_ credential: Credential) async throws(CredentialStoreError) {
        try await factory.pipeline.logIn(credential, on: engine)
    }
}

import TelexCredentials

extension Engine {
    /// Saves the credential of a new login and resumes the calls that wait for one.
    func logIn(
        _ credential: Credential, saving store: any CredentialStore
    ) async throws(CredentialStoreError) {
        let credential = credential.withNewLogin
        let former = noteLogIn(credential.login)
        do {
            try await store.save(credential)
        } catch {
            restoreLogIn(credential.login, for: former)
            throw error
        }
        resumeAfterLogIn()
    }
}

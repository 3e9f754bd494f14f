import HTTPTypes
import TelexJSON
import TelexTransport

/// The state that all calls of one API share. A class, because every call holds it.
final class CallPipeline: Sendable {
    let definition: APIDefinition
    let transport: any Transport
    let credentials: any CredentialStore
    let servers: ServerDirectory
    let clock: RuntimeClock
    let interceptors: [any Interceptor]
    /// The source of new credentials, if there is one.
    let refresher: (any CredentialRefresher)?
    let diagnostician: Diagnostician
    /// The base parameters, which every request carries.
    let base: RequestTemplate

    init(
        _ definition: APIDefinition, transport: any Transport, credentials: any CredentialStore,
        servers: ServerDirectory, clock: RuntimeClock, interceptors: [any Interceptor],
        refresher: (any CredentialRefresher)?, diagnosis: DiagnosisRules = DiagnosisRules(),
        base: RequestTemplate = RequestTemplate(method: "", endpoint: Endpoint(.get, ""))
    ) {
        self.base = base
        self.definition = definition
        self.transport = transport
        self.credentials = credentials
        self.servers = servers
        self.clock = clock
        self.interceptors = interceptors
        self.refresher = refresher
        diagnostician = Diagnostician(diagnosis, transport: transport, clock: clock)
    }

    /// Reads the credential from the store.
    nonisolated(nonsending) func storedCredential() async -> StoredCredential {
        do throws(CredentialStoreError) {
            return .success(try await credentials.read())
        } catch {
            return .failure(error)
        }
    }
}

/// The result of reading a credential store.
typealias StoredCredential = Result<Credential?, CredentialStoreError>

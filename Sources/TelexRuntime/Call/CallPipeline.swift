import HTTPTypes
import TelexJSON

/// What all calls of one API share. A reference, because every call holds it.
final class CallPipeline: Sendable {
    let definition: APIDefinition
    let transport: any Transport
    let credentials: any CredentialStore
    let servers: ServerDirectory
    let clock: RuntimeClock
    let interceptors: [any Interceptor]
    /// Whether a new credential can be had when the present one is refused.
    let canRefresh: Bool
    let diagnostician: Diagnostician
    /// What every request carries.
    let base: RequestTemplate

    init(
        _ definition: APIDefinition, _ transport: any Transport,
        _ credentials: any CredentialStore, _ servers: ServerDirectory, _ clock: RuntimeClock,
        _ interceptors: [any Interceptor], canRefresh: Bool,
        diagnosis: DiagnosisRules = DiagnosisRules(),
        base: RequestTemplate = RequestTemplate(method: "", endpoint: Endpoint(.get, ""))
    ) {
        self.base = base
        self.definition = definition
        self.transport = transport
        self.credentials = credentials
        self.servers = servers
        self.clock = clock
        self.interceptors = interceptors
        self.canRefresh = canRefresh
        diagnostician = Diagnostician(diagnosis, transport, clock)
    }

    /// The credential of the moment.
    nonisolated(nonsending) func storedCredential() async -> StoredCredential {
        do throws(CredentialStoreError) {
            return .success(try await credentials.read())
        } catch {
            return .failure(error)
        }
    }
}

/// What a credential store answers.
typealias StoredCredential = Result<Credential?, CredentialStoreError>

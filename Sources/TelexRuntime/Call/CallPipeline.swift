import HTTPTypes
import TelexCredentials
import TelexDiagnosis
import TelexInspection
import TelexJSON
import TelexRequests
import TelexScheduling
import TelexTemplates
import TelexTransport
import TelexValues

/// The state that all calls of one API share. A class, because every call holds it.
final class CallPipeline: Sendable {
    let definition: APIDefinition
    let transport: any Transport
    let credentials: any CredentialStore
    let schemes: AuthSchemes
    /// The cookies of the API; nil if it keeps none.
    let cookies: CookieJar?
    let redactors = RedactorCache()
    let servers: ServerDirectory
    let clock: RuntimeClock
    let interceptors: [any Interceptor]
    /// The source of new credentials, if there is one.
    let refresher: (any CredentialRefresher)?
    let diagnostician: Diagnostician
    /// The base parameters, which every request carries.
    let base: RequestTemplate
    /// The app's own checks of replies.
    let appChecks: (any Sendable)?
    let templates: TemplateUse?
    let cache: HTTPCache?
    /// What takes part in calls, the first one outermost.
    let features: [any CallFeature]
    /// Chooses the replies that are checked.
    private let random: Lock<SeededRandom>

    init<API>(
        _ definition: APIDefinition, _ configuration: APIManager<API>.Configuration,
        schemes: AuthSchemes, servers: ServerDirectory, refresher: (any CredentialRefresher)?
    ) {
        let settings = configuration.settings
        self.definition = definition
        self.schemes = schemes
        self.servers = servers
        self.refresher = refresher
        transport = configuration.transport
        credentials = configuration.credentials
        let cookies = definition.keepsCookies ? CookieJar() : nil
        self.cookies = cookies
        clock = settings.clock
        interceptors = configuration.interceptors
        diagnostician = Diagnostician(
            settings.diagnosis, transport: configuration.transport, clock: settings.clock)
        var builder = RequestBuilder(RequestTemplate(method: "", endpoint: Endpoint(.get, "")))
        configuration.parameters.apply(to: &builder)
        base = builder.template
        appChecks = configuration.checks
        templates = configuration.templates
        cache = configuration.cache
        var features: [any CallFeature] = [CacheFeature()]
        if !definition.templates.methods.isEmpty {
            features.append(DeclaredTemplateFeature(templates: definition.templates))
        }
        if let templates { features.append(TemplateFeature(templates: templates)) }
        if let drift = configuration.drift { features.append(DriftFeature(listener: drift)) }
        if let cookies { features.append(CookieFeature(jar: cookies)) }
        features.append(LoginFeature())
        self.features = features
        random = Lock(SeededRandom(seed: settings.seed))
    }

    /// The validation of one reply: `off` if the reply does not belong to the sample.
    func sampled(_ validation: ReplyValidation) -> ReplyValidation {
        guard validation.mode != .off, validation.sample < 1 else { return validation }
        let draw = random.withLock { Double.random(in: 0..<1, using: &$0) }
        return draw < validation.sample ? validation : .off
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

extension CallPipeline {
    /// Returns the store of a scheme's token.
    func store(of scheme: SchemeKey) -> any CredentialStore {
        schemes.scheme(scheme)?.store ?? credentials
    }

    /// Gets a new token of a scheme in place of an old one, and stores it where the attempts find
    /// it.
    ///
    /// - Parameter send: Makes the call of the method that returns the token.
    func refresh(
        _ key: SchemeKey, replacing old: Credential?, send: @escaping TokenMethodCaller.Send
    ) async throws {
        if key == .login, let refresher {
            _ = try await credentials.renewed(old, with: refresher)
        } else if let scheme = schemes.scheme(key), let refresher = scheme.refresher {
            _ = try await scheme.store.renewed(old, with: refresher)
        } else if let scheme = schemes.scheme(key), let method = scheme.method {
            let caller = TokenMethodCaller(method: method, pipeline: self, send: send)
            _ = try await scheme.store.renewed(old, with: caller)
        } else {
            throw CredentialError(.nothingToRefresh, "there is no source of a new token; log in")
        }
    }
}

import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The redactors of credentials")
struct RedactorCacheTests {
    private let first = Credential(token: "first-token")
    private let second = Credential(token: "second")

    /// Whether the cache has no redactor of these credentials.
    private func lacks(
        _ credentials: [Credential], _ cache: RedactorCache, keeping: Bool = false
    ) -> Bool {
        var isMade = false
        let redactor = cache.redactor(of: credentials) {
            keeping
        } make: {
            isMade = true
            var redactor = Redactor()
            for credential in credentials { redactor.add(credential) }
            return redactor
        }
        for credential in credentials {
            #expect(redactor.redact("<\(credential.token)>") == "<\(Redactor.mark)>")
        }
        return isMade
    }

    @Test("redactors are made once for the last two lists of credentials, and never mixed up")
    func kept() {
        let cache = RedactorCache()
        for credentials in [[first], [second, first]] {
            #expect(lacks(credentials, cache, keeping: true))
            #expect(!lacks(credentials, cache))
        }
        #expect(!lacks([first], cache))
        #expect(lacks([second], cache, keeping: true))
        #expect(lacks([first], cache))
        #expect(!lacks([second, first], cache))
    }

    @Test("redactors can be removed, and are not kept for calls that must leave no secrets behind")
    func removed() {
        let cache = RedactorCache()
        #expect(lacks([first], cache))
        #expect(lacks([first], cache, keeping: true))
        cache.clear()
        #expect(lacks([first], cache))
    }

    @Test("redactors are gone after a log-out, also with a request, and after a log-in")
    func sessions() async throws {
        let request = UsersRequests.get(ids: [])
        for end in 0..<3 {
            let credential = Credential(token: secret)
            let manager = APIManager<TinyAPI>(
                transport: InMemoryTransport { _ in .json(#"{"response":[]}"#) },
                credentials: MemoryCredentialStore(credential)
            ) {
                $0.settings.clock = .stopped
                $0.onEvent = { _ in }
            }
            let cache = manager.factory.pipeline.redactors
            _ = try await manager.operation(request).value
            #expect(!lacks([credential], cache), "the call has kept no redactor")
            switch end {
            case 0: try await manager.logOut()
            case 1: _ = try await manager.logOut(manager.operation(request))
            default: try await manager.logIn(second)
            }
            #expect(lacks([credential], cache))
        }
    }

    @Test("the redactors of credentials are not made while there is no listener and no error")
    func unobserved() async throws {
        let credential = Credential(token: secret)
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in .json(#"{"response":[]}"#) },
            credentials: MemoryCredentialStore(credential)
        ) { $0.settings.clock = .stopped }
        _ = try await manager.operation(UsersRequests.get(ids: [])).value
        #expect(lacks([credential], manager.factory.pipeline.redactors))
    }
}

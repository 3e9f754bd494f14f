import Foundation
import TelexJSON
import TelexRuntime
import Testing

@testable import TelexURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Foundation on Linux does not ask its delegate about trust; the test asks in its place.
@Suite("A trust rule")
struct TrustRuleTests {
    private static let server = "NSURLAuthenticationMethodServerTrust"
    private static let client = "NSURLAuthenticationMethodClientCertificate"

    /// The answer to a challenge, and the error of the exchange, if any.
    private struct Outcome {
        var disposition: URLSession.AuthChallengeDisposition?
        var credential: URLCredential?
        var error: (any Error)?
    }

    private func ask(_ method: String, _ rule: TrustRule?) throws -> Outcome {
        let url = try #require(URL(string: "https://api.bank.example/"))
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let challenge = URLAuthenticationChallenge(
            protectionSpace: URLProtectionSpace(
                host: "api.bank.example", port: 443, protocol: "https", realm: nil,
                authenticationMethod: method),
            proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
            sender: Sender())
        var outcome = Outcome()
        challenge.answer(to: session.dataTask(with: url), trust: rule) {
            (outcome.disposition, outcome.credential) = ($0, $1)
        } complete: {
            outcome.error = $1
        }
        return outcome
    }

    @Test("a trust rule leaves other decisions to the system", arguments: [server, client])
    func system(_ method: String) throws {
        for rule in [nil, { _ in .system }] as [TrustRule?] {
            let outcome = try ask(method, rule)
            #expect(outcome.disposition == .performDefaultHandling && outcome.error == nil)
        }
    }

    @Test("a trust rule gives the credential of a connection", arguments: [server, client])
    func credential(_ method: String) throws {
        let mine = URLCredential(user: "me", password: "", persistence: .none)
        let user = mine.user
        let outcome = try ask(method) { space in
            guard space.host == "api.bank.example" else { return .system }
            return .credential(URLCredential(user: "me", password: "", persistence: .none))
        }
        #expect(outcome.disposition == .useCredential && outcome.error == nil)
        #expect(outcome.credential?.user == user)
    }

    @Test("a trust rule ends the exchange with a TLS error and a reason")
    func refused() throws {
        let outcome = try ask(Self.server) { _ in .refused("none of the certificates is pinned") }
        #expect(outcome.disposition == .cancelAuthenticationChallenge)
        let error = TransportError(try #require(outcome.error))
        #expect(error.kind == .tls)
        #expect(error.message.contains("none of the certificates is pinned"))
    }

    @Test(
        "a trust rule is not used for passwords", arguments: ["NSURLAuthenticationMethodHTTPBasic"])
    func password(_ method: String) throws {
        let asked = Lock(false)
        let outcome = try ask(method) { _ in
            asked.withLock { $0 = true }
            return .system
        }
        #expect(!asked.withLock { $0 } && outcome.disposition != .performDefaultHandling)
    }
}

private final class Sender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}

import HTTPTypes
import TelexCredentials
import TelexJSON
import TelexScheduling
import TelexTransport

/// What an attempt carries to be let in: the token of the log-in, those of further schemes, and
/// secrets of the app. An attempt only reads them; the engine gets new tokens.
package struct CallAuth: Sendable {
    /// The token of a further scheme; nil if a refusal has yet to hand it out.
    package struct Token: Sendable {
        package let scheme: TokenScheme
        package let credential: Credential?

        package init(scheme: TokenScheme, credential: Credential?) {
            self.scheme = scheme
            self.credential = credential
        }
    }

    /// Why a token or a secret is missing.
    package enum Problem: Error {
        case missing(Violation)
        case failed(CredentialStoreError)
        /// A new token can be requested.
        case refused(TokenRefusal)
    }

    private final class FurtherTokens: Sendable {
        let tokens: [Token]
        let secrets: [String: String]
        let problem: Problem?

        init(_ tokens: [Token], _ secrets: [String: String], _ problem: Problem?) {
            self.tokens = tokens
            self.secrets = secrets
            self.problem = problem
        }
    }

    package static let refreshedScheme = CallAuth(usesRefreshedScheme: true)
    package static let none = CallAuth(usesRefreshedScheme: false)

    /// Whether it carries the token of the log-in.
    package let usesRefreshedScheme: Bool
    /// All that it carries besides; nil in most calls.
    private let others: FurtherTokens?

    package init(usesRefreshedScheme: Bool) {
        self.usesRefreshedScheme = usesRefreshedScheme
        others = nil
    }

    package init(
        usesRefreshedScheme: Bool, tokens: [Token] = [], secrets: [String: String] = [:],
        problem: Problem? = nil
    ) {
        self.usesRefreshedScheme = usesRefreshedScheme
        others = FurtherTokens(tokens, secrets, problem)
    }

    /// The tokens of other schemes.
    package var tokens: [Token] { others?.tokens ?? [] }
    /// The secrets of the app by name.
    package var secrets: [String: String] { others?.secrets ?? [:] }
    /// Why one of them is missing.
    package var problem: Problem? { others?.problem }
    /// Whether it carries nothing besides the token of the log-in.
    package var isPlain: Bool { others == nil }
}

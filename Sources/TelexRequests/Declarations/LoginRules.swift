import TelexCredentials
import TelexJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How the reply of a method becomes the credential of the API: paths of keys inside the unwrapped
/// reply.
public struct LoginRules: Sendable, Hashable {
    /// The path of the token.
    public var token: [String]
    /// The path of the refresh token; empty for none. A reply may lack it.
    public var refreshToken: [String]
    /// The path of the token's lifetime, a number or a text that is one; empty for none. A reply
    /// may lack it; the lifetime is then unknown, as if it is not above 0.
    public var expiresIn: [String]
    /// The unit of the lifetime.
    public var timeUnit: ErrorRules.TimeUnit
    /// The paths of further values that the credential keeps, each under its last key. A reply may
    /// lack them.
    public var values: [[String]]

    /// Creates rules.
    public init(
        token: [String], refreshToken: [String] = [], expiresIn: [String] = [],
        timeUnit: ErrorRules.TimeUnit = .seconds, values: [[String]] = []
    ) {
        self.token = token
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        self.timeUnit = timeUnit
        self.values = values
    }

    /// The keys whose values are secret.
    package var secretKeys: [String] { [token, refreshToken].compactMap(\.last) }

    /// Returns the credential in a reply.
    ///
    /// - Parameter envelope: The path of the unwrapped reply.
    /// - Throws: A violation if the reply has no token.
    package func credential(
        in body: [UInt8], under envelope: [JSONStep], limits: JSONLimits, at now: Date
    ) throws(Violation) -> Credential {
        let found = JSONReader.bytes(atEach: envelope, in: body, limits: limits, upTo: 1)
        let reply = found.first.map(Array.init) ?? []
        func text(_ path: [String]) -> String? {
            guard !path.isEmpty else { return nil }
            let value = JSONReader.value(at: path, in: reply, limits: limits)
            return value.flatMap { $0.asString ?? $0.numberText ?? $0.asBool.map { "\($0)" } }
        }
        guard let token = text(token), !token.isEmpty else {
            throw Violation(
                path: self.token.joined(separator: "."), check: .keys, rule: "required",
                expected: "the token", found: "nothing")
        }
        let pairs = values.compactMap { path in
            text(path).flatMap { value in path.last.map { ($0, value) } }
        }
        var credential = Credential(
            token: token, values: Dictionary(pairs) { first, _ in first })
        credential.refreshToken = text(refreshToken)
        let life = text(expiresIn).flatMap(Double.init)
        credential.expiry = TokenReply.bounded(timeUnit == .seconds ? life : life.map { $0 / 1000 })
            .map(now.addingTimeInterval)
        return credential
    }
}

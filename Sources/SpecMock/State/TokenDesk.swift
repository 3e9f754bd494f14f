import Foundation
import SpecIR
import TelexJSON

/// Grants tokens, knows how long they live, and tells which request has a good one.
///
/// A token that the mock did not grant is accepted when it is first seen, and lives as long as one
/// that it granted: an app may keep a token from before, or have a constant one.
struct TokenDesk: Sendable {
    /// What is wrong with the token of a request.
    enum Fault: Sendable, Equatable {
        case missing
        case expired
        /// The token has to be taken from a header field of the refusal.
        case handedOut(token: String, status: Int, header: String)
    }

    /// A token and the refresh token that came with it.
    struct Grant: Sendable {
        let token: String
        let refreshToken: String
        /// The lifetime, in seconds.
        let seconds: Int
    }

    /// The most tokens that are known; the oldest ones are forgotten.
    private static let limit = 10_000

    private let life: Duration?
    private var ends: [String: Date] = [:]
    private var order: [String] = []
    private var tokenOfRefresh: [String: String] = [:]
    private var usedRefresh: Set<String> = []
    private var handedOut: [Int: String] = [:]
    private var count = 0
    /// How many tokens were renewed.
    private(set) var refreshes = 0

    /// - Parameter life: How long a token is good; nil for ever.
    init(life: Duration?) { self.life = life }

    /// Grants a new token.
    mutating func grant(_ now: Date) -> Grant {
        count += 1
        let number = String(count + 0x1000_0000, radix: 16)
        let grant = Grant(
            token: "mock-access-token-\(number)", refreshToken: "mock-refresh-token-\(number)",
            seconds: life.map { Int($0.components.seconds) } ?? 3600)
        know(grant.token, now)
        tokenOfRefresh[grant.refreshToken] = grant.token
        return grant
    }

    private mutating func know(_ token: String, _ now: Date) {
        ends[token] = life.map { now.addingTimeInterval($0 / .seconds(1)) } ?? .distantFuture
        order.append(token)
        if order.count > Self.limit { ends[order.removeFirst()] = nil }
    }

    /// Renews a token; nil if the refresh token was used before.
    mutating func refresh(_ refreshToken: String?, _ now: Date) -> Grant? {
        if let refreshToken {
            guard usedRefresh.insert(refreshToken).inserted else { return nil }
            // The old token is worth nothing any more.
            if let old = tokenOfRefresh.removeValue(forKey: refreshToken) { ends[old] = now }
            refreshes += 1
        }
        return grant(now)
    }

    /// Judges the token of a request.
    ///
    /// - Parameter number: The number of the scheme.
    mutating func judge(
        _ token: String?, of scheme: AuthRules, number: Int, now: Date
    ) -> Fault? {
        if case .handedOut(let status, let header) = scheme.refresh {
            if let known = handedOut[number], known == token, ends[known].map({ $0 > now }) ?? false
            {
                return nil
            }
            let token = grant(now).token
            handedOut[number] = token
            return .handedOut(token: token, status: status, header: header)
        }
        guard let token, !token.isEmpty else { return .missing }
        // The mock can grant neither a password nor a constant secret of the app.
        if scheme.secret != nil || scheme.placement == .basic { return nil }
        guard let end = ends[token] else {
            know(token, now)
            return nil
        }
        return end > now ? nil : .expired
    }
}

extension AuthRules {
    /// The token of a request; nil for none.
    func token(in content: RequestParts, _ path: [String: String]) -> String? {
        let text: String? =
            switch placement {
            case .query(let name): content.query(name)
            case .header(let name, _): content.text(name, .header)
            case .bearer, .basic: content.text("Authorization", .header)
            case .cookie(let name): content.cookie(name)
            case .body(let name): content.form(name) ?? content.json?[name]?.asString
            case .path(let name): path[name]
            }
        guard let text else { return nil }
        let prefix =
            switch placement {
            case .header(_, let prefix): prefix
            case .bearer: "Bearer "
            case .basic: "Basic "
            case .query, .cookie, .body, .path: ""
            }
        guard text.lowercased().hasPrefix(prefix.lowercased()) else { return nil }
        return String(text.dropFirst(prefix.count))
    }
}

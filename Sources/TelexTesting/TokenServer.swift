import HTTPTypes
import Synchronization
import TelexRuntime

/// A token server without a network, whose refresh tokens are good once (RFC 6749, section 6): it
/// answers `refresh_token` grants, forgets what was used, and refuses it ever after.
///
/// ```swift
/// let server = TokenServer()
/// let credential = server.issue()                  // what a login would have given
/// server.answerNext { _ in .json(#"{"error": "server_error"}"#, status: .badRequest) }
/// let manager = APIManager<VK>(transport: server.transport, …)
/// ```
public final class TokenServer: Sendable {
    fileprivate struct State {
        var issued = 0
        var usable: Set<String> = []
        var answers: [InMemoryTransport.Script] = []
        var refreshes = 0
        var reuses = 0
    }

    private let state = Mutex(State())
    private let seconds: Int

    /// Makes a server.
    ///
    /// - Parameter seconds: How long its tokens are good; an hour by default.
    public init(tokensLast seconds: Int = 3_600) {
        self.seconds = seconds
    }

    /// A transport on which this server answers every request.
    public var transport: InMemoryTransport {
        InMemoryTransport { request throws(TransportError) in try await self.reply(to: request) }
    }

    /// How many refresh tokens were taken.
    public var refreshes: Int { state.withLock { $0.refreshes } }

    /// How many were refused because they were used before, or never given out.
    public var reuses: Int { state.withLock { $0.reuses } }

    /// Gives out a token and a refresh token, as a login would.
    public func issue() -> Credential {
        let number = state.withLock { $0.issue() }
        return Credential(token: "token \(number)", refreshToken: "refresh \(number)")
    }

    /// Has the next request answered by a script; several wait in line.
    public func answerNext(_ script: @escaping InMemoryTransport.Script) {
        state.withLock { $0.answers.append(script) }
    }

    /// Answers a request.
    ///
    /// - Throws: What a script throws.
    public func reply(to request: SentRequest) async throws(TransportError) -> TransportReply {
        let script = state.withLock { $0.answers.isEmpty ? nil : $0.answers.removeFirst() }
        if let script { return try await script(request) }
        let form = request.form
        guard form["grant_type"] == "refresh_token", let used = form["refresh_token"] else {
            return Self.refusal("unsupported_grant_type")
        }
        guard let number = state.withLock({ $0.refresh(used) }) else {
            return Self.refusal("invalid_grant")
        }
        return .json(
            """
            {"access_token": "token \(number)", "token_type": "Bearer", \
            "refresh_token": "refresh \(number)", "expires_in": \(seconds)}
            """)
    }

    /// A refusal as of RFC 6749, section 5.2.
    ///
    /// - Parameter words: The server's `error_description`, put into JSON as it is.
    public static func refusal(_ code: String, _ words: String = "") -> TransportReply {
        .json(
            #"{"error": "\#(code)", "error_description": "\#(words)"}"#, status: .badRequest)
    }
}

extension TokenServer.State {
    /// The number of a new pair of tokens.
    fileprivate mutating func issue() -> Int {
        issued += 1
        usable.insert("refresh \(issued)")
        return issued
    }

    /// The number of the pair that a refresh token is good for; nil if it is not.
    fileprivate mutating func refresh(_ used: String) -> Int? {
        guard usable.remove(used) != nil else {
            reuses += 1
            return nil
        }
        refreshes += 1
        return issue()
    }
}

extension SentRequest {
    /// The fields of a form in the body; of two with the same name, the last.
    public var form: [String: String] {
        var fields: [String: String] = [:]
        for item in text.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map {
                PercentEncoding.decode(Substring($0.replacing("+", with: " ")))
            }
            if let name = texts.first { fields[name] = texts.count > 1 ? texts[1] : "" }
        }
        return fields
    }
}

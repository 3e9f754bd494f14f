public import TelexRuntime

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A login on another device: what to show the user of a device without a browser (RFC 8628). No
/// text made of it holds a secret.
public struct DeviceAuthorization: Sendable, Hashable {
    /// What the user types in on the other device.
    public let userCode: String
    /// The page to open on the other device.
    public let verificationURL: String
    /// The same page with the code in it, to be shown as a QR code; nil if the server has none.
    public let completeVerificationURL: String?
    /// When the code is over, if nobody sets the clock meanwhile; at most a day after it was given.
    public let expiry: Date

    /// When the code is over, whatever anybody does to the clock: as a time that has elapsed.
    let end: Duration
    let deviceCode: String
    let scopes: [String]
    /// How long to wait between two questions, in seconds.
    let interval: Int
    /// Who began the login, and where it ends.
    let client: ClientIdentity
}

extension DeviceAuthorization: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Where the user has to go, without the codes.
    public var description: String {
        "login on another device at \(verificationURL.prefix { $0 != "?" }) (\(Redacted.text))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows the description and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["login": description]) }
}

extension OAuthClient {
    /// Begins a login on another device. Show the user what comes back, then call
    /// ``credential(for:)``.
    ///
    /// - Parameter scopes: What the token is to allow; what the server thinks fit by default.
    /// - Throws: `CredentialError` if the server does not offer that, cannot be reached or refuses;
    ///   `CancellationError` if the task is cancelled.
    public func deviceAuthorization(scopes: [String] = []) async throws -> DeviceAuthorization {
        guard let address = server.deviceAuthorization else {
            throw CredentialError(.invalidRequest, "the server has no device authorization address")
        }
        var request = TokenRequest(to: address)
        request.authenticate(id, authentication)
        if let scope = try Self.scope(scopes) { request.add("scope", scope) }
        let reply = try await reply(to: request)
        return try DeviceAuthorization(reply, scopes, clock, identity)
    }

    /// Waits until the user has logged in on the other device, and gets the credential.
    ///
    /// - Throws: `CredentialError` of the reason `.invalidRequest` if the login was begun by a client
    ///   of another id or token address, `.refused(.accessDenied)` if the user said no, `.expired` if
    ///   nobody answered in time, and others if the server cannot be asked; `CancellationError` if the
    ///   task is cancelled.
    public func credential(for login: DeviceAuthorization) async throws -> Credential {
        try login.client.check(isSameAs: identity)
        var request = try tokenRequest("urn:ietf:params:oauth:grant-type:device_code")
        request.add("device_code", secret: login.deviceCode)
        // Whoever reads it types it in on a device of their own, and is logged in here.
        request.hide(login.userCode)
        var pace = Pace(asked: login.interval)
        while true {
            guard let moment = pace.next(at: clock.elapsed(), before: login.end) else {
                throw Pace.expired
            }
            try await clock.sleep(moment)
            if let reply = try await answer(to: request, at: &pace) {
                return try credential(in: reply, scopes: login.scopes)
            }
        }
    }

    /// The reply of a server whose user has logged in; nil if it is to be asked again.
    private func answer(to request: TokenRequest, at pace: inout Pace) async throws -> TokenReply? {
        do {
            return try await reply(to: request)
        } catch let error as CredentialError {
            try pace.heed(error)
            return nil
        }
    }
}

/// How often the server is asked whether the user has logged in (RFC 8628, section 3.5).
private struct Pace {
    /// How many seconds trouble alone makes of the time between two questions, at most. Once it is
    /// over, the user should not have to wait long, and the code is not good for long.
    static let longest = 60

    /// How many seconds before the end the only question is asked, if there are twice as many.
    static let leeway = 5

    static let expired = CredentialError(
        .expired, "nobody logged in before the code was over; begin anew")

    /// How many seconds between two questions the server wants.
    private var asked: Int
    /// How many there are.
    private var seconds: Int
    /// How long the server wants to be left alone this once.
    private var pause = Duration.zero
    /// Whether the server was asked already.
    private var hasAsked = false

    init(asked: Int) {
        self.asked = asked
        seconds = asked
    }

    /// When to ask next; nil if the code is over by then. Who asks less often because of trouble
    /// asks once more near the end, as others would.
    mutating func next(at now: Duration, before end: Duration) -> Duration? {
        defer { (hasAsked, pause) = (true, .zero) }
        // Whoever is to wait for longer than the code is good has one question left.
        let rest = max(.zero, end - .seconds(Self.leeway) - now)
        let wait = max(.seconds(asked), now + pause < end ? pause : rest)
        let moment = now + max(.seconds(seconds), wait)
        let last = max(now + wait, end - wait)
        return [moment, last].first { $0 < end } ?? (hasAsked ? nil : only(at: now, before: end))
    }

    /// When to ask if there is time for one question alone; nil if the code is over. The server says
    /// how long to wait between two questions (RFC 8628, section 3.2), and there is none before the
    /// first: so that may come sooner, late enough for the user and early enough for the answer.
    private func only(at now: Duration, before end: Duration) -> Duration? {
        now < end ? end - min(.seconds(Self.leeway), (end - now) / 2) : nil
    }

    /// Learns from an answer that is no object with a token.
    ///
    /// - Throws: The error itself if asking again is of no use.
    mutating func heed(_ error: CredentialError) throws(CredentialError) {
        switch error.reason {
        case .refused(.authorizationPending): return
        case .refused(.slowDown):
            asked += 5
            seconds += 5
        case .refused(.expiredToken): throw Self.expired
        default:
            // The login may still succeed when the network or the server is back.
            guard error.isTemporary || Self.mayBeOfNetwork(error) else { throw error }
            seconds = max(seconds, min(seconds * 2, max(Self.longest, asked)))
            pause = error.retryAfter ?? .zero
        }
    }

    /// Whether an answer may be that of a network which wants to be logged in to itself, or of a proxy:
    /// a redirect, a page, a 403 without a code, a certificate of its own. The server, which is known
    /// from the beginning of the login, answers with an object, whatever it says.
    private static func mayBeOfNetwork(_ error: CredentialError) -> Bool {
        switch error.reason {
        case .redirected, .malformedReply, .status(403): true
        case .transport(let error): error.kind == .tls || error.isTooLarge
        default: false
        }
    }
}

extension TransportError {
    fileprivate var isTooLarge: Bool {
        if case .tooLarge = kind { true } else { false }
    }
}

extension DeviceAuthorization {
    /// The longest interval and life that make sense: a day. Nobody waits longer for either.
    private static let longest = 86_400.0

    /// Reads a reply (RFC 8628, section 3.2), also in the words of servers from before that.
    init(
        _ reply: TokenReply, _ scopes: [String], _ clock: RuntimeClock, _ client: ClientIdentity
    ) throws(CredentialError) {
        deviceCode = try reply.text("device_code")
        userCode = try reply.text("user_code")
        let page = ["verification_uri", "verification_url"].first(where: reply.has)
        verificationURL = try reply.page(page ?? "verification_uri")
        completeVerificationURL =
            reply.has("verification_uri_complete")
            ? try reply.page("verification_uri_complete") : nil
        let life = try reply.seconds("expires_in", upTo: Self.longest)
        expiry = clock.now().addingTimeInterval(TimeInterval(life))
        end = clock.elapsed() + .seconds(life)
        interval =
            reply.has("interval") ? max(1, try reply.seconds("interval", upTo: Self.longest)) : 5
        self.scopes = scopes
        self.client = client
    }
}

extension TokenReply {
    /// Whether it says something there; an empty text is how some servers say nothing.
    fileprivate func has(_ name: String) -> Bool {
        members[name].map { $0.kind != .null && $0.asString != "" } ?? false
    }

    fileprivate func text(_ name: String) throws(CredentialError) -> String {
        guard let text = members[name]?.asString, !text.isEmpty,
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw malformed("lacks a text `\(name)`") }
        return text
    }

    /// A page for the user; anything but `https` might be a trap.
    fileprivate func page(_ name: String) throws(CredentialError) -> String {
        let text = try text(name)
        guard let address = Address(text), address.isSecure else {
            throw malformed("has something at `\(name)` that is no https address")
        }
        return text
    }

    /// A whole number of seconds: `most`, if there are more.
    fileprivate func seconds(_ name: String, upTo most: Double) throws(CredentialError) -> Int {
        guard let seconds = members[name]?.seconds, seconds >= 0 else {
            throw malformed("has something at `\(name)` that is no number of seconds")
        }
        return Int(min(seconds, most).rounded(.up))
    }
}

public import TelexRuntime

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A login on another device, for a device without a browser (RFC 8628). No description of it
/// contains a secret.
public struct DeviceAuthorization: Sendable, Hashable {
    /// The code that the user enters on the other device.
    public let userCode: String
    /// The page to open on the other device.
    public let verificationURL: String
    /// The same page with the code in it, to be shown as a QR code; `nil` if the server sends none.
    public let completeVerificationURL: String?
    /// The expiry of the code by the wall clock; at most a day after it was issued.
    public let expiry: Date

    /// The expiry of the code by the monotonic clock, which changes of the wall clock do not
    /// affect.
    let end: Duration
    let deviceCode: String
    let scopes: [String]
    /// The polling interval in seconds.
    let interval: Int
    /// The client that started the login, and its server.
    let client: ClientIdentity
}

extension DeviceAuthorization: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The page, without the codes.
    public var description: String {
        "login on another device at \(verificationURL.prefix { $0 != "?" }) (\(Redacted.text))"
    }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// A mirror that contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["login": description]) }
}

extension OAuthClient {
    /// Starts a login on another device. Show the returned code and page to the user, then call
    /// ``credential(for:)``.
    ///
    /// - Parameter scopes: The requested scopes; the server's default if empty.
    /// - Throws: `CredentialError` if the server does not support the grant, cannot be reached or
    ///   refuses; `CancellationError` if the task is cancelled.
    public func deviceAuthorization(scopes: [String] = []) async throws -> DeviceAuthorization {
        guard let address = server.deviceAuthorization else {
            throw CredentialError(.invalidRequest, "the server has no device authorization address")
        }
        var request = TokenRequest(to: address)
        request.authenticate(id, authentication)
        if let scope = try Self.scope(scopes) { request.add("scope", scope) }
        let reply = try await reply(to: request)
        return try DeviceAuthorization(reply, scopes: scopes, clock: clock, client: identity)
    }

    /// Waits until the user has logged in on the other device, and returns the credential.
    ///
    /// - Throws: `CredentialError` with the reason `.invalidRequest` if a client with another id or
    ///   token address started the login, `.refused(.accessDenied)` if the user refused, `.expired`
    ///   if the user did not answer in time, and other reasons if the server cannot be asked;
    ///   `CancellationError` if the task is cancelled.
    public func credential(for login: DeviceAuthorization) async throws -> Credential {
        try login.client.check(isSameAs: identity)
        var request = try tokenRequest("urn:ietf:params:oauth:grant-type:device_code")
        request.add("device_code", secret: login.deviceCode)
        // The code is redacted because another person could enter it and log this device in to that
        // person's account.
        request.hide(login.userCode)
        var pace = PollingSchedule(asked: login.interval)
        while true {
            guard let moment = pace.next(at: clock.elapsed(), before: login.end) else {
                throw PollingSchedule.expired
            }
            try await clock.sleep(moment)
            if let reply = try await answer(to: request, at: &pace) {
                return try credential(in: reply, scopes: login.scopes)
            }
        }
    }

    /// Returns the reply after the user has logged in; `nil` if the server has to be asked again.
    private func answer(to request: TokenRequest, at pace: inout PollingSchedule) async throws
        -> TokenReply?
    {
        do {
            return try await reply(to: request)
        } catch let error as CredentialError {
            try pace.adjust(error)
            return nil
        }
    }
}

/// The schedule of polling the server (RFC 8628, section 3.5).
private struct PollingSchedule {
    /// The maximum interval in seconds to which failures alone extend polling. It is short because
    /// the user should not wait long after a failure, and because the code expires soon.
    static let longest = 60

    /// The time in seconds before the expiry at which a single request is made, if at least twice
    /// that time is left.
    static let finalLead = 5

    static let expired = CredentialError(
        .expired, "the code expired before the user logged in; start a new login")

    /// The interval in seconds that the server asks for.
    private var asked: Int
    /// The current interval in seconds.
    private var seconds: Int
    /// The pause that the server asked for before the next request only.
    private var pause = Duration.zero
    /// Whether a request was made before.
    private var hasAsked = false

    init(asked: Int) {
        self.asked = asked
        seconds = asked
    }

    /// Returns the time of the next request; `nil` if the code will have expired. After failures
    /// have extended the interval, one more request is made near the expiry.
    mutating func next(at now: Duration, before end: Duration) -> Duration? {
        defer { (hasAsked, pause) = (true, .zero) }
        // If the requested pause ends after the expiry, one request is left.
        let rest = max(.zero, end - .seconds(Self.finalLead) - now)
        let wait = max(.seconds(asked), now + pause < end ? pause : rest)
        let moment = now + max(.seconds(seconds), wait)
        let last = max(now + wait, end - wait)
        return [moment, last].first { $0 < end } ?? (hasAsked ? nil : only(at: now, before: end))
    }

    /// Returns the time of the only request; `nil` if the code has expired. The interval applies
    /// between requests (RFC 8628, section 3.2), so the first may come sooner: late enough for the
    /// user, and early enough for the reply.
    private func only(at now: Duration, before end: Duration) -> Duration? {
        now < end ? end - min(.seconds(Self.finalLead), (end - now) / 2) : nil
    }

    /// Adjusts the schedule to a reply without a token.
    ///
    /// - Throws: The error itself if a further request cannot succeed.
    mutating func adjust(_ error: CredentialError) throws(CredentialError) {
        switch error.reason {
        case .refused(.authorizationPending): return
        case .refused(.slowDown):
            asked += 5
            seconds += 5
        case .refused(.expiredToken): throw Self.expired
        default:
            // The login may still succeed after the failure of the network or the server has ended.
            guard error.isTemporary || Self.mayBeOfNetwork(error) else { throw error }
            seconds = max(seconds, min(seconds * 2, max(Self.longest, asked)))
            pause = error.retryAfter ?? .zero
        }
    }

    /// Whether an error may come from a captive portal or a proxy: a redirect, a page, status 403
    /// without a code, or an untrusted certificate. The server itself always replies with an
    /// object, as it did at the start of the login.
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
    /// The maximum interval and lifetime in seconds: a day.
    private static let longest = 86_400.0

    /// Reads a reply (RFC 8628, section 3.2), also with the field names of servers that predate the
    /// RFC.
    init(
        _ reply: TokenReply, scopes: [String], clock: RuntimeClock, client: ClientIdentity
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
    /// Whether the field has a value; some servers send an empty string for none.
    fileprivate func has(_ name: String) -> Bool {
        members[name].map { $0.kind != .null && $0.asString != "" } ?? false
    }

    fileprivate func text(_ name: String) throws(CredentialError) -> String {
        guard let text = members[name]?.asString, !text.isEmpty,
            text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { throw malformed("lacks a text `\(name)`") }
        return text
    }

    /// Returns the address of a page for the user. Only secure addresses are accepted, because
    /// another one could be spoofed.
    fileprivate func page(_ name: String) throws(CredentialError) -> String {
        let text = try text(name)
        guard let address = Address(text), address.isSecure else {
            throw malformed("has something at `\(name)` that is not an https address")
        }
        return text
    }

    /// Returns a number of seconds, rounded up and limited to `most`.
    fileprivate func seconds(_ name: String, upTo most: Double) throws(CredentialError) -> Int {
        guard let seconds = members[name]?.seconds, seconds >= 0 else {
            throw malformed("has something at `\(name)` that is not a number of seconds")
        }
        return Int(min(seconds, most).rounded(.up))
    }
}

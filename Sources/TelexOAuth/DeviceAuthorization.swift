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
    /// When the code is over, if nobody sets the clock meanwhile.
    public let expiry: Date

    /// When the code is over, whatever anybody does to the clock: as a time that has elapsed.
    let end: Duration
    let deviceCode: String
    let scopes: [String]
    /// How long to wait between two questions, in seconds.
    let interval: Int
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
        return try DeviceAuthorization(reply, scopes, clock)
    }

    /// Waits until the user has logged in on the other device, and gets the credential.
    ///
    /// - Throws: `CredentialError` of the reason `.refused(.accessDenied)` if the user said no,
    ///   `.expired` if nobody answered in time, and others if the server cannot be asked;
    ///   `CancellationError` if the task is cancelled.
    public func credential(for login: DeviceAuthorization) async throws -> Credential {
        var request = try tokenRequest("urn:ietf:params:oauth:grant-type:device_code")
        request.add("device_code", secret: login.deviceCode)
        var interval = login.interval
        while true {
            try await pause(interval, before: login.end)
            do {
                return try await credential(for: request, scopes: login.scopes)
            } catch let error as CredentialError {
                interval = try error.nextInterval(after: interval)
            }
        }
    }

    /// Waits before the server is asked again, unless the code is over by then.
    private func pause(_ seconds: Int, before end: Duration) async throws {
        let moment = clock.elapsed() + .seconds(seconds)
        guard moment < end else {
            throw CredentialError(.expired, "nobody logged in before the code was over; begin anew")
        }
        try await clock.sleep(moment)
    }
}

extension CredentialError {
    /// How many seconds to wait before the server is asked again (RFC 8628, section 3.5).
    ///
    /// - Throws: The error itself if asking again is of no use.
    fileprivate func nextInterval(after interval: Int) throws(CredentialError) -> Int {
        switch reason {
        case .refused(.authorizationPending): return interval
        case .refused(.slowDown): return interval + 5
        case .refused(.expiredToken):
            throw CredentialError(.expired, "nobody logged in before the code was over; begin anew")
        default:
            // The login may still succeed when the network or the server is back.
            guard isTemporary else { throw self }
            return interval * 2
        }
    }
}

extension DeviceAuthorization {
    /// The longest interval and life that make sense: a day.
    private static let longest = 86_400

    /// Reads a reply (RFC 8628, section 3.2).
    init(
        _ reply: TokenReply, _ scopes: [String], _ clock: RuntimeClock
    ) throws(CredentialError) {
        deviceCode = try reply.text("device_code")
        userCode = try reply.text("user_code")
        verificationURL = try reply.page("verification_uri")
        completeVerificationURL =
            reply.has("verification_uri_complete")
            ? try reply.page("verification_uri_complete") : nil
        let life = try reply.seconds("expires_in", upTo: Self.longest)
        expiry = clock.now().addingTimeInterval(TimeInterval(life))
        end = clock.elapsed() + .seconds(life)
        interval =
            reply.has("interval") ? max(1, try reply.seconds("interval", upTo: Self.longest)) : 5
        self.scopes = scopes
    }
}

extension TokenReply {
    fileprivate func has(_ name: String) -> Bool {
        members[name].map { $0.kind != .null } ?? false
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

    fileprivate func seconds(_ name: String, upTo most: Int) throws(CredentialError) -> Int {
        guard let seconds = members[name]?.asInt, (0...most).contains(seconds) else {
            throw malformed("has something at `\(name)` that is no number of seconds up to \(most)")
        }
        return seconds
    }
}

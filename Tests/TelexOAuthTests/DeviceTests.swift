import Foundation
import TelexTesting
import Testing

@testable import TelexOAuth
@testable import TelexRuntime

private let began = #"""
    {"device_code": "d/1", "user_code": "WDJB-MJHT", "verification_uri": "https://id.test/go",
    "verification_uri_complete": "https://id.test/go?c=WDJB-MJHT", "expires_in": 100,
    "interval": 10}
    """#

@Suite("A login on another device")
struct DeviceTests {
    private let time = VirtualTime()

    /// A client of a server that answers the polls of a device in turn.
    private func client(
        beginning: String = began, _ answers: [InMemoryTransport.Script]
    ) -> (client: OAuthClient, transport: InMemoryTransport) {
        let rest = LockedValue(answers[...])
        return TelexOAuthTests.client(time: time) { request throws(TransportError) in
            if request.head.path == "/device" { return .json(beginning) }
            let answer = rest.change { $0.popFirst() }
            guard let answer else { return .tokenRefusal("authorization_pending") }
            return try await answer(request)
        }
    }

    private func refusing(_ codes: String...) -> [InMemoryTransport.Script] {
        codes.map { code in { _ in .tokenRefusal(code) } }
    }

    private func failing(_ error: TransportError) -> InMemoryTransport.Script {
        { _ throws(TransportError) in throw error }
    }

    @Test("a login on another device shows a page and a code, and waits until the user is done")
    func flow() async throws {
        let (client, transport) = client(
            refusing("authorization_pending", "authorization_pending") + [{ _ in granted("t") }])
        let login = try await client.deviceAuthorization(scopes: ["a"])
        #expect(login.userCode == "WDJB-MJHT")
        #expect(login.verificationURL == "https://id.test/go")
        #expect(login.completeVerificationURL == "https://id.test/go?c=WDJB-MJHT")
        #expect(login.expiry == Date(timeIntervalSince1970: 100))
        #expect(transport.requests.first?.form == ["client_id": "app", "scope": "a"])
        let credential = try await client.credential(for: login)
        #expect(credential.token == "t")
        #expect(credential.scopes == ["a"])
        #expect(time.slept == [.seconds(10), .seconds(10), .seconds(10)])
        #expect(
            transport.requests.last?.form == [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                "device_code": "d/1", "client_id": "app",
            ])
    }

    @Test("a login on another device adds five seconds to its interval after each `slow_down`")
    func slowDown() async throws {
        let (client, _) = client(
            refusing("slow_down", "slow_down", "authorization_pending") + [{ _ in granted() }])
        _ = try await client.credential(for: client.deviceAuthorization())
        #expect(time.slept == [10, 15, 20, 20].map { .seconds($0) })
    }

    @Test("a login on another device doubles its interval when the network or the server fails")
    func network() async throws {
        let (client, _) = client([
            failing(TransportError(.timedOut, "silence")),
            { _ in .bytes(status: .badGateway) }, { _ in granted() },
        ])
        _ = try await client.credential(for: client.deviceAuthorization())
        #expect(time.slept == [10, 20, 40].map { .seconds($0) })
    }

    @Test(
        "a login on another device continues behind a captive network",
        arguments: [
            (200, "<html>"), (200, ""), (200, "[]"), (302, ""), (307, ""), (403, "<html>"),
            (511, "<html>"),
        ])
    func portal(status: Int, body: String) async throws {
        let portal: InMemoryTransport.Script = { _ in
            .bytes(
                Array(body.utf8), status: .init(code: status),
                fields: [.location: "http://portal.test/"])
        }
        let (client, _) = client(
            refusing("authorization_pending") + [portal] + refusing("authorization_pending")
                + [{ _ in granted("t") }])
        let login = try await client.deviceAuthorization()
        #expect(try await client.credential(for: login).token == "t")
        #expect(time.slept == [10, 10, 20, 20].map { .seconds($0) })
        let (shut, _) = self.client(Array(repeating: portal, count: 9))
        let again = try await shut.deviceAuthorization()
        let error = await credentialError { _ = try await shut.credential(for: again) }
        #expect(error?.reason == .expired)
    }

    @Test("a device login continues behind a network with its own certificate, or an endless page")
    func portalInDisguise() async throws {
        let page = [UInt8](repeating: 0x20, count: TokenReply.maximumBytes + 1)
        let (client, _) = client([
            failing(TransportError(.tls, "no trust")), { _ in .bytes(page) },
            { _ in granted("t") },
        ])
        let login = try await client.deviceAuthorization()
        #expect(try await client.credential(for: login).token == "t")
        #expect(time.slept == [10, 20, 40].map { .seconds($0) })
    }

    @Test(
        "a login on another device ends at a refusal of the server, also without an error code",
        arguments: [
            (400, ""), (401, "<html>"), (404, "<html>"), (200, #"{"error": "invalid_client"}"#),
            (200, "{}"),
        ])
    func refusedInOtherWords(status: Int, body: String) async throws {
        let (client, transport) = client([
            { _ in .bytes(Array(body.utf8), status: .init(code: status)) }
        ])
        let login = try await client.deviceAuthorization()
        let error = await credentialError { _ = try await client.credential(for: login) }
        #expect(error != nil && error?.reason != .expired)
        #expect(transport.requests.count == 2)
    }

    @Test(
        "a device login polls at least each minute, and again near expiry, through all failures")
    func trouble() async throws {
        let long = began.replacing("100", with: "300")
        let silence = failing(TransportError(.timedOut, "silence"))
        let (client, _) = client(
            beginning: long, Array(repeating: silence, count: 6) + [{ _ in granted("t") }])
        let login = try await client.deviceAuthorization()
        #expect(try await client.credential(for: login).token == "t")
        // 10, 30, 70, 130, 190, 250: another whole minute would exceed the code's life.
        #expect(time.slept == [10, 20, 40, 60, 60, 60, 40].map { .seconds($0) })
    }

    @Test("a login on another device polls once more before the expiry if its interval is longer")
    func longPause() async throws {
        let busy: InMemoryTransport.Script = { _ in
            .bytes(status: .serviceUnavailable, fields: [.retryAfter: "3600"])
        }
        let (client, _) = client([busy, { _ in granted("t") }])
        let login = try await client.deviceAuthorization()
        #expect(try await client.credential(for: login).token == "t")
        #expect(time.slept == [.seconds(10), .seconds(85)])
        let (hopeless, transport) = self.client([busy, busy, busy])
        let other = try await hopeless.deviceAuthorization()
        let error = await credentialError { _ = try await hopeless.credential(for: other) }
        #expect(error?.reason == .expired && transport.requests.count == 3)
    }

    @Test("a login on another device polls a last time at the server's interval")
    func last() async throws {
        let silence = failing(TransportError(.timedOut, "silence"))
        let (client, transport) = client(Array(repeating: silence, count: 9))
        let login = try await client.deviceAuthorization()
        let error = await credentialError { _ = try await client.credential(for: login) }
        #expect(error?.reason == .expired)
        #expect(time.slept == [10, 20, 40, 20].map { .seconds($0) })
        #expect(transport.requests.count == 5)
    }

    @Test("a login on another device never polls faster than the server's interval after failures")
    func slowTrouble() async throws {
        let slow = began.replacing(#""expires_in": 100"#, with: #""expires_in": 1000"#)
            .replacing(#""interval": 10"#, with: #""interval": 90"#)
        let silence = failing(TransportError(.timedOut, "silence"))
        let (client, _) = client(
            beginning: slow, [silence] + refusing("slow_down") + [silence, { _ in granted() }])
        _ = try await client.credential(for: client.deviceAuthorization())
        #expect(time.slept == [90, 90, 95, 95].map { .seconds($0) })
    }

    @Test("a device login ends when the code expires, by the clock or by the server's error")
    func expired() async throws {
        let (silent, transport) = client([])
        let login = try await silent.deviceAuthorization()
        let error = await credentialError { _ = try await silent.credential(for: login) }
        #expect(error?.reason == .expired)
        #expect(error?.needsLogin == true)
        #expect(time.slept.count == 9)
        #expect(transport.requests.count == 10)
        let (told, _) = client(refusing("expired_token"))
        let again = try await told.deviceAuthorization()
        let other = await credentialError { _ = try await told.credential(for: again) }
        #expect(other?.reason == .expired)
    }

    @Test(
        "a login on another device ends at the same time when the wall clock is changed",
        arguments: [-5e6, 5e6])
    func clock(seconds: Double) async throws {
        let (silent, _) = client([])
        let login = try await silent.deviceAuthorization()
        time.setDate(later: seconds)
        let error = await credentialError { _ = try await silent.credential(for: login) }
        #expect(error?.reason == .expired)
        #expect(time.slept.count == 9)
    }

    @Test("a login on another device ends when the user refuses, or the reply is malformed")
    func refused() async throws {
        let (denied, _) = client(refusing("access_denied"))
        let login = try await denied.deviceAuthorization()
        let error = await credentialError { _ = try await denied.credential(for: login) }
        #expect(error?.reason == .refused(.accessDenied))
        let (odd, _) = client([{ _ in .json("{}") }])
        let other = await credentialError { _ = try await odd.credential(for: login) }
        #expect(other?.reason == .malformedReply)
    }

    @Test("a login on another device shows no user code in errors")
    func userCode() async throws {
        let (client, _) = client([
            { _ in .tokenRefusal("access_denied", "WDJB-MJHT was not for you") }
        ])
        let login = try await client.deviceAuthorization()
        let error = await credentialError { _ = try await client.credential(for: login) }
        #expect(error?.description.contains("it says: ‹redacted› was not for you") == true)
    }

    @Test(
        "a device login polls once, near the expiry, if the interval exceeds the code's life",
        arguments: [(100, 100, 95), (100, 86_400, 95), (9, 10, 4), (2, 5, 1), (1, 5, 0)])
    func shortLife(life: Int, interval: Int, seconds: Int) async throws {
        let short = began.replacing(#""expires_in": 100"#, with: #""expires_in": \#(life)"#)
            .replacing(#""interval": 10"#, with: #""interval": \#(interval)"#)
        let (unanswered, transport) = client(beginning: short, [])
        let login = try await unanswered.deviceAuthorization()
        let error = await credentialError { _ = try await unanswered.credential(for: login) }
        #expect(error?.reason == .expired)
        #expect(time.slept.map(\.components.seconds) == [Int64(seconds)])
        #expect(transport.requests.count == 2)
        let (granting, _) = client(beginning: short, [{ _ in granted("t") }])
        let again = try await granting.deviceAuthorization()
        #expect(try await granting.credential(for: again).token == "t")
    }

    @Test("a login on another device does not poll for an expired code")
    func late() async throws {
        let (client, transport) = client([])
        let login = try await client.deviceAuthorization()
        try await time.clock.sleep(.seconds(100))
        let error = await credentialError { _ = try await client.credential(for: login) }
        #expect(error?.reason == .expired)
        #expect(transport.requests.count == 1)
    }

    @Test("a login on another device ends when the task is cancelled")
    func cancelled() async throws {
        let (client, _) = client([])
        let login = try await client.deviceAuthorization()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.credential(for: login)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a device login polls every five seconds without an interval, and waits also if it is 0")
    func interval() async throws {
        let start = #"{"device_code": "d", "user_code": "u", "verification_uri": "https://a.test/""#
        for (interval, seconds) in [("", 5), (#", "interval": 0"#, 1), (#", "interval": null"#, 5)]
        {
            let (client, _) = client(
                beginning: start + #", "expires_in": 100\#(interval)}"#, [{ _ in granted() }])
            let before = time.slept.count
            _ = try await client.credential(for: client.deviceAuthorization())
            #expect(time.slept.dropFirst(before) == [.seconds(seconds)])
        }
    }

    @Test(
        "a device login is not begun with an incomplete reply or an unsafe verification address",
        arguments: [
            ("device_code", "null"), ("device_code", "7"), ("user_code", #""""#),
            ("user_code", #""a\nb""#), ("verification_uri", #""http://id.test/""#),
            ("verification_uri", #""javascript:x""#), ("verification_uri_complete", #""x""#),
            ("verification_uri", "7"), ("verification_uri", "null"),
            ("expires_in", "null"), ("expires_in", "-1"), ("expires_in", "1e400"),
            ("expires_in", #""nan""#), ("expires_in", #""soon""#), ("interval", "-1"),
            ("interval", #""-1""#), ("interval", "[]"),
        ])
    func malformed(name: String, value: String) async {
        let (client, _) = client(beginning: began.dropLast() + #", "\#(name)": \#(value)}"#, [])
        let error = await credentialError { _ = try await client.deviceAuthorization() }
        #expect(error?.reason == .malformedReply)
        #expect(error?.description.contains("`\(name)`") == true)
    }

    @Test(
        "a login on another device is begun with the spellings of common servers",
        arguments: [
            (#""verification_url": "https://id.test/go", "expires_in": 1800"#, 1800, 5),
            (
                #"""
                "verification_uri": "", "verification_url": "https://id.test/go",
                "verification_uri_complete": "", "expires_in": 9, "interval": ""
                """#, 9, 5
            ),
            (
                #"""
                "verification_uri": "https://id.test/go", "verification_url": "https://id.test/",
                "expires_in": "900", "interval": "6"
                """#, 900, 6
            ),
            (
                #"""
                "verification_uri": "https://id.test/go", "expires_in": 604800, "interval": 1.5
                """#, 86_400, 2
            ),
            (#""verification_uri": "https://id.test/go", "expires_in": 1e300"#, 86_400, 5),
            (
                #"""
                "verification_uri": "https://id.test/go", "expires_in": 9223372036854775807,
                "interval": 9223372036854775807
                """#, 86_400, 86_400
            ),
        ])
    func otherWords(members: String, life: Double, interval: Int) async throws {
        let (client, _) = client(
            beginning: #"{"device_code": "d", "user_code": "u", \#(members)}"#, [])
        let login = try await client.deviceAuthorization()
        #expect(login.verificationURL == "https://id.test/go")
        #expect(login.completeVerificationURL == nil)
        #expect(login.expiry == Date(timeIntervalSince1970: life))
        #expect(login.interval == interval)
    }

    @Test("a login on another device needs a server with a device authorization endpoint")
    func unsupported() async {
        let server = OAuthServer(token: "https://id.test/token")
        let (client, _) = TelexOAuthTests.client(server: server) { _ in .bytes() }
        let error = await credentialError { _ = try await client.deviceAuthorization() }
        #expect(error?.reason == .invalidRequest)
    }
}

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

    /// A client of a server that answers the device's questions one after the other.
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

    @Test("shows a page and a code, and waits until the user is done")
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

    @Test("asks five seconds later each time the server says so")
    func slowDown() async throws {
        let (client, _) = client(
            refusing("slow_down", "slow_down", "authorization_pending") + [{ _ in granted() }])
        _ = try await client.credential(for: client.deviceAuthorization())
        #expect(time.slept == [10, 15, 20, 20].map { .seconds($0) })
    }

    @Test("asks half as often when the network or the server fails, and goes on")
    func network() async throws {
        let (client, _) = client([
            failing(TransportError(.timedOut, "silence")),
            { _ in .bytes(status: .badGateway) }, { _ in granted() },
        ])
        _ = try await client.credential(for: client.deviceAuthorization())
        #expect(time.slept == [10, 20, 40].map { .seconds($0) })
    }

    @Test(
        "goes on behind a network that answers itself",
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

    @Test("goes on behind a network with a certificate of its own, or a page without end")
    func portalInDisguise() async throws {
        let page = [UInt8](repeating: 0x20, count: TokenEndpoint.maximumReplyBytes + 1)
        let (client, _) = client([
            failing(TransportError(.tls, "no trust")), { _ in .bytes(page) },
            { _ in granted("t") },
        ])
        let login = try await client.deviceAuthorization()
        #expect(try await client.credential(for: login).token == "t")
        #expect(time.slept == [10, 20, 40].map { .seconds($0) })
    }

    @Test(
        "ends at a no of the server itself, also without a code",
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

    @Test("asks at least once a minute, and once more before the end, however long the trouble was")
    func trouble() async throws {
        let long = began.replacing("100", with: "300")
        let silence = failing(TransportError(.timedOut, "silence"))
        let (client, _) = client(
            beginning: long, Array(repeating: silence, count: 6) + [{ _ in granted("t") }])
        let login = try await client.deviceAuthorization()
        #expect(try await client.credential(for: login).token == "t")
        // 10, 30, 70, 130, 190, 250: there is no time for a whole minute more.
        #expect(time.slept == [10, 20, 40, 60, 60, 60, 40].map { .seconds($0) })
    }

    @Test("asks once more before the end if it is to wait for longer than the code is good")
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

    @Test("asks a last time at the pace of the server, and then no more")
    func last() async throws {
        let silence = failing(TransportError(.timedOut, "silence"))
        let (client, transport) = client(Array(repeating: silence, count: 9))
        let login = try await client.deviceAuthorization()
        let error = await credentialError { _ = try await client.credential(for: login) }
        #expect(error?.reason == .expired)
        #expect(time.slept == [10, 20, 40, 20].map { .seconds($0) })
        #expect(transport.requests.count == 5)
    }

    @Test("asks no more often because of trouble than a slow server wants")
    func slowTrouble() async throws {
        let slow = began.replacing(#""expires_in": 100"#, with: #""expires_in": 1000"#)
            .replacing(#""interval": 10"#, with: #""interval": 90"#)
        let silence = failing(TransportError(.timedOut, "silence"))
        let (client, _) = client(
            beginning: slow, [silence] + refusing("slow_down") + [silence, { _ in granted() }])
        _ = try await client.credential(for: client.deviceAuthorization())
        #expect(time.slept == [90, 90, 95, 95].map { .seconds($0) })
    }

    @Test("ends when the code is over, by the clock or by the server's word")
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

    @Test("ends neither sooner nor later when somebody sets the clock", arguments: [-5e6, 5e6])
    func clock(seconds: Double) async throws {
        let (silent, _) = client([])
        let login = try await silent.deviceAuthorization()
        time.setDate(later: seconds)
        let error = await credentialError { _ = try await silent.credential(for: login) }
        #expect(error?.reason == .expired)
        #expect(time.slept.count == 9)
    }

    @Test("ends when the user says no, or the reply makes no sense")
    func refused() async throws {
        let (denied, _) = client(refusing("access_denied"))
        let login = try await denied.deviceAuthorization()
        let error = await credentialError { _ = try await denied.credential(for: login) }
        #expect(error?.reason == .refused(.accessDenied))
        let (odd, _) = client([{ _ in .json("{}") }])
        let other = await credentialError { _ = try await odd.credential(for: login) }
        #expect(other?.reason == .malformedReply)
    }

    @Test("shows in no error the code that the user types in")
    func userCode() async throws {
        let (client, _) = client([
            { _ in .tokenRefusal("access_denied", "WDJB-MJHT was not for you") }
        ])
        let login = try await client.deviceAuthorization()
        let error = await credentialError { _ = try await client.credential(for: login) }
        #expect(error?.description.contains("it says: ‹redacted› was not for you") == true)
    }

    @Test(
        "asks once, near the end, if the code is over before the server wants to be asked",
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

    @Test("asks nothing for a code that is over already")
    func late() async throws {
        let (client, transport) = client([])
        let login = try await client.deviceAuthorization()
        try await time.clock.sleep(.seconds(100))
        let error = await credentialError { _ = try await client.credential(for: login) }
        #expect(error?.reason == .expired)
        #expect(transport.requests.count == 1)
    }

    @Test("is waited for no longer when the task is cancelled")
    func cancelled() async throws {
        let (client, _) = client([])
        let login = try await client.deviceAuthorization()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.credential(for: login)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("asks every five seconds if the server does not say, and not all the time if it says 0")
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
        "is not begun with a reply that lacks something, or leads the user elsewhere",
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
        "is begun with a reply in the words of servers as they are",
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

    @Test("needs a server that offers it")
    func unsupported() async {
        let server = OAuthServer(token: "https://id.test/token")
        let (client, _) = TelexOAuthTests.client(server: server) { _ in .bytes() }
        let error = await credentialError { _ = try await client.deviceAuthorization() }
        #expect(error?.reason == .invalidRequest)
    }
}

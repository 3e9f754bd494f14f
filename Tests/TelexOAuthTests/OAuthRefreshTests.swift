import Foundation
import TelexTesting
import Testing

@testable import TelexOAuth
@testable import TelexRuntime

@Suite("Refreshing with OAuth")
struct OAuthRefreshTests {
    private let tokens = TokenService()

    private func refresher(
        login: (@Sendable (Credential?) async throws -> Credential)? = nil
    ) -> OAuthRefresher {
        let server = InMemoryTransport(serving: tokens.refresh)
        let (client, _) = client { request throws(TransportError) in
            try await server.send(request.request)
        }
        return OAuthRefresher(client, login: login)
    }

    /// The credential of a login.
    private func issue() -> Credential {
        let pair = tokens.issue()
        return Credential(token: pair.access, refreshToken: pair.refresh)
    }

    @Test("refreshing with OAuth uses each refresh token once, however many calls wait")
    func rotation() async throws {
        let store = MemoryCredentialStore(issue())
        let refresher = refresher()
        for generation in 1...5 {
            let old = try await store.read()
            try await withThrowingTaskGroup { group in
                for _ in 0..<100 {
                    group.addTask {
                        let new = try await store.renew(old, with: refresher)
                        #expect(new.refreshToken == "refresh-\(generation + 1)")
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(tokens.counts.refreshRequests == 5)
        #expect(tokens.counts.reusedRefreshTokens == 0)
    }

    @Test("refreshing with OAuth asks the user when the refresh token is invalid or missing")
    func login() async throws {
        let asked = LockedValue<[Credential?]>([])
        let refresher = refresher { old in
            asked.change { $0.append(old) }
            return Credential(token: "login")
        }
        let used = Credential(token: "t", refreshToken: "used")
        let short = Credential(token: "t")
        for old in [used, short, nil] {
            #expect(try await refresher.refresh(old).token == "login")
        }
        #expect(asked.value == [used, short, nil])
        #expect(try await refresher.refresh(issue()).token == "access-2")
        #expect(asked.value.count == 3)
    }

    @Test("refreshing with OAuth asks the user after a custom error code, or a status alone")
    func loginInOtherWords() async throws {
        for reply in [
            TransportReply.json(#"{"error": "bad_refresh_token"}"#), .bytes(status: .unauthorized),
            .json(#"{"status": "BAD_REFRESH_TOKEN"}"#, status: .badRequest),
        ] {
            let (client, _) = client { _ in reply }
            let refresher = OAuthRefresher(client) { _ in Credential(token: "login") }
            #expect(try await refresher.refresh(issue()).token == "login")
        }
    }

    @Test("refreshing with OAuth does not ask the user when the network or the server is down")
    func down() async {
        let answers = LockedValue<[TransportReply?]>([nil, .bytes(status: .serviceUnavailable)])
        let (client, _) = client { _ throws(TransportError) in
            guard let answer = answers.change({ $0.removeFirst() }) else {
                throw TransportError(.offline, "offline")
            }
            return answer
        }
        let refresher = OAuthRefresher(client) { _ in
            Issue.record("the user was asked")
            return Credential(token: "login")
        }
        for _ in 0..<2 {
            let error = await credentialError { _ = try await refresher.refresh(issue()) }
            #expect(error?.isTemporary == true)
        }
        #expect(answers.value.isEmpty)
    }

    @Test("refreshing with OAuth needs a login again after the user cancels it")
    func givenUp() async {
        let refresher = refresher { _ in throw CancellationError() }
        let error = await credentialError { _ = try await refresher.refresh(nil) }
        #expect(error?.reason == .nothingToRefresh)
        #expect(error?.needsLogin == true)
        #expect(error?.description == "the login was cancelled; log in")
    }

    @Test("refreshing with OAuth is cancelled with its task during the login")
    func cancelled() async {
        let refresher = refresher { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            throw CancellationError()
        }
        let task = Task { try await refresher.refresh(nil) }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("refreshing with OAuth is an error if a login is needed and none is possible")
    func unasked() async {
        for old in [Credential(token: "t", refreshToken: "used"), Credential(token: "t"), nil] {
            let error = await credentialError { _ = try await refresher().refresh(old) }
            #expect(error?.needsLogin == true)
            #expect(error?.description.contains("log in") == true)
        }
    }
}

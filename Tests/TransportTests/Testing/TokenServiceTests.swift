import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@Suite("A token service")
struct TokenServiceTests {
    private func serve(_ kind: TransportKind, _ service: TokenService) throws -> TransportTestClient
    {
        let api = service.protecting { _ in .text("secret") }
        return try TransportTestClient(kind) { $0.path == "/token" ? service.refresh($0) : api($0) }
    }

    private func refresh(_ served: TransportTestClient, _ token: String) async throws
        -> CollectedReply
    {
        try await served.fetch(
            .post, "/token", fields: [.contentType: "application/x-www-form-urlencoded"],
            body: .bytes(Array("refresh_token=\(token)&grant_type=refresh%5Ftoken".utf8)))
    }

    private func status(_ served: TransportTestClient, _ token: String) async throws -> Int {
        try await served.fetch(fields: [.authorization: "Bearer \(token)"]).status
    }

    @Test(
        "a token service only the valid access token lets a request through",
        arguments: TransportKind.allCases)
    func protected(_ kind: TransportKind) async throws {
        let service = TokenService()
        let served = try serve(kind, service)
        defer { served.stop() }
        #expect(try await served.fetch().status == 401)
        let tokens = service.issue()
        #expect(try await status(served, tokens.access) == 200)
        #expect(try await status(served, "other") == 401)
        #expect(try await served.fetch(.get, "/?a=b&access_token=access%2D1").text == "secret")
        #expect(try await served.fetch()["WWW-Authenticate"]?.hasPrefix("Bearer") == true)
        #expect(service.counts.accepted == 2)
        #expect(service.counts.refused == 3)
        // A body in a reply to HEAD would be read as the start of the next reply.
        for _ in 0..<2 { #expect(try await served.fetch(.head).status == 401) }
    }

    @Test(
        "an expired token is refreshed once, and then the old tokens are invalid",
        arguments: TransportKind.allCases)
    func rotation(_ kind: TransportKind) async throws {
        let service = TokenService(lifetime: 60)
        let served = try serve(kind, service)
        defer { served.stop() }
        let old = service.issue()
        service.expireAccessTokens()
        #expect(try await status(served, old.access) == 401)
        let reply = try await refresh(served, old.refresh)
        #expect(reply.status == 200)
        #expect(
            reply.text == """
                {"access_token":"access-2","token_type":"Bearer","expires_in":60,\
                "refresh_token":"refresh-2"}
                """)
        #expect(try await status(served, "access-2") == 200)
        #expect(try await status(served, old.access) == 401)
        let again = try await refresh(served, old.refresh)
        #expect(again.status == 400)
        #expect(again.text == #"{"error":"invalid_grant"}"#)
        #expect(service.counts.refreshes == 1)
        #expect(service.counts.refreshRequests == 2)
        #expect(service.counts.reusedRefreshTokens == 1)
        #expect(try await refresh(served, "refresh-2").status == 200)
    }

    @Test("an error code inside a 200 is a refusal")
    func errorCode() async throws {
        let served = try serve(.inMemory, TokenService(refusal: .errorCode5))
        let reply = try await served.fetch()
        #expect(reply.status == 200)
        #expect(reply.text.contains(#""error_code":5"#))
    }

    @Test("a malformed refresh is refused, and an unknown token changes nothing")
    func malformed() async throws {
        let service = TokenService()
        let tokens = service.issue()
        let served = try serve(.inMemory, service)
        let reply = try await served.fetch(.post, "/token", body: .bytes(Array("a=b".utf8)))
        #expect(reply.status == 400)
        #expect(reply.text == #"{"error":"invalid_request"}"#)
        #expect(try await refresh(served, "unknown").status == 400)
        #expect(service.counts.reusedRefreshTokens == 0)
        #expect(try await status(served, tokens.access) == 200)
    }

    @Test("after a failed or unavailable refresh, the token is still valid")
    func failing() async throws {
        let service = TokenService()
        let tokens = service.issue()
        let served = try serve(.inMemory, service)
        service.setRefreshing(.failing)
        #expect(try await refresh(served, tokens.refresh).status == 400)
        service.setRefreshing(.unavailable)
        #expect(try await refresh(served, tokens.refresh).status == 503)
        service.setRefreshing(.working)
        #expect(try await refresh(served, tokens.refresh).status == 200)
    }

    @Test(
        "during a slow refresh, neither the old nor the new token is valid",
        arguments: TransportKind.allCases)
    func slow(_ kind: TransportKind) async throws {
        let (service, gate) = (TokenService(), Gate())
        let tokens = service.issue()
        let served = try serve(kind, service)
        defer { served.stop() }
        service.setRefreshing(.slow(gate))
        let renewed = Task { try await refresh(served, tokens.refresh).status }
        while service.counts.refreshes == 0 { await Task.yield() }
        #expect(try await status(served, tokens.access) == 401)
        gate.open()
        #expect(try await renewed.value == 200)
    }

    @Test("refreshing can hang until the client cancels", arguments: TransportKind.allCases)
    func hanging(_ kind: TransportKind) async throws {
        let service = TokenService()
        let tokens = service.issue()
        let served = try serve(kind, service)
        defer { served.stop() }
        service.setRefreshing(.hanging)
        let task = Task {
            await TransportError.kind { _ = try await refresh(served, tokens.refresh) }
        }
        while service.counts.refreshRequests == 0 { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(service.counts.refreshes == 0)
    }

    @Test("a token service of a thousand refreshes with one token at once, one gets new tokens")
    func storm() async throws {
        let service = TokenService()
        let tokens = service.issue()
        let served = try serve(.inMemory, service)
        let statuses = try await withThrowingTaskGroup { group in
            for _ in 0..<1000 {
                group.addTask { try await refresh(served, tokens.refresh).status }
            }
            return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(statuses == [200: 1, 400: 999])
        #expect(service.counts.reusedRefreshTokens == 999)
    }
}

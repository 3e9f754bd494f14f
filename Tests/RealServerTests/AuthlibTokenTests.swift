import Foundation
import RuntimeTestSupport
import TelexRuntime
import Testing

extension RealServerTests {
    /// Authlib accepts a refresh token once. Its reuse ends the whole login.
    @Suite("tokens of an Authlib server", .withAuthlib)
    struct AuthlibTokenTests {
        /// Makes concurrent calls with these numbers, every other one a `POST`, and returns their
        /// results.
        private func call(
            _ numbers: Range<Int>, _ managers: [APIManager<TestAPI>]
        ) async throws -> [Int] {
            try await withThrowingTaskGroup { group in
                for number in numbers {
                    let manager = managers[number % managers.count]
                    group.addTask {
                        let isRead = (number / managers.count).isMultiple(of: 2)
                        let request =
                            isRead ? ServerRequests.me(number) : ServerRequests.change(number)
                        return try await manager.operation(request).value.number
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }.sorted()
            }
        }

        @Test(
            "tokens that are revoked are refreshed once, however many calls are refused",
            arguments: TokenServer.Refresher.allCases)
        func dead(_ refresher: TokenServer.Refresher) async throws {
            try await TokenServer.run { server in
                let manager = try await server.manager(refresher)
                for round in 1...3 {
                    try await server.expireTokens(holdingFor: 60)
                    let numbers = round * 100..<round * 100 + 60
                    #expect(try await call(numbers, [manager]) == Array(numbers))
                    let counts = try await server.counts
                    #expect(counts.refused == round * 60)
                    #expect(counts.asked == round)
                    #expect(counts.granted == round)
                    #expect(counts.served == round * 60)
                }
                let counts = try await server.counts
                #expect(counts.reused == 0)
                #expect(counts.repeated == 0)
            }
        }

        @Test("tokens of an Authlib server that expire during calls are refreshed each time")
        func rotation() async throws {
            try await TokenServer.run { server in
                try await server.limitTokens(to: 40)
                let manager = try await server.manager()
                for wave in 0..<8 {
                    let numbers = wave * 30..<(wave + 1) * 30
                    #expect(try await call(numbers, [manager]) == Array(numbers))
                }
                let counts = try await server.counts
                // Six tokens for 40 calls each are enough for 240.
                #expect(counts.asked == 5)
                #expect(counts.granted == 5)
                #expect(counts.reused == 0)
                #expect(counts.served == 240)
                #expect(counts.repeated == 0)
            }
        }

        @Test("tokens of an Authlib server whose expiry has passed are not sent")
        func expired() async throws {
            try await TokenServer.run { server in
                let manager = server.manager(keepingIn: .memory)
                var credential = try await server.login()
                credential.expiry = Date(timeIntervalSinceNow: -1)
                try await manager.credentials.save(credential)
                #expect(try await call(0..<50, [manager]) == Array(0..<50))
                let counts = try await server.counts
                #expect(counts.asked == 1)
                #expect(counts.granted == 1)
                #expect(counts.refused == 0)
                let expiry = try await manager.credentials.read()?.expiry
                #expect(expiry.map { $0 > Date() } == true)
            }
        }

        @Test("tokens of an Authlib server in a shared file are refreshed once for all engines")
        func shared() async throws {
            try await TokenServer.run { server in
                let path = server.folder.place("credential")
                // Each has its own store, transport and engine, as in a process of its own.
                let managers = (0..<4).map { _ in server.manager(keepingIn: .file(path)) }
                try await managers[0].credentials.save(try await server.login())
                for round in 1...3 {
                    try await server.expireTokens(holdingFor: 60)
                    let numbers = round * 100..<round * 100 + 60
                    #expect(try await call(numbers, managers) == Array(numbers))
                    #expect(try await server.counts.refused == round * 60)
                    #expect(try await server.counts.asked == round)
                }
                let counts = try await server.counts
                #expect(counts.reused == 0)
                #expect(counts.served == 180)
                #expect(counts.repeated == 0)
            }
        }

        @Test("tokens whose refresh token was reused end the login for all waiting calls")
        func stolen() async throws {
            try await TokenServer.run { server in
                let manager = try await server.manager()
                let thief = server.manager(keepingIn: .memory)
                let credential = try #require(try await manager.credentials.read())
                try await thief.credentials.save(credential)
                try await server.expireTokens(holdingFor: 1)
                #expect(try await call(0..<1, [thief]) == [0])
                try await server.expireTokens(holdingFor: 30)
                let calls = (1...30).map { manager.operation(ServerRequests.me($0)) }
                for call in calls { call.start() }
                for call in calls {
                    let error = await #expect(throws: APIError.self) { try await call.value }
                    #expect(error?.phase == .auth)
                    #expect((error?.cause as? CredentialError)?.needsLogin == true)
                }
                let counts = try await server.counts
                #expect(counts.asked == 2)
                #expect(counts.reused == 1)
                #expect(counts.served == 1)
            }
        }
    }
}

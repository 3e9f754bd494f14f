import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@Suite("A rate limiter")
struct RateLimiterTests {
    private let clock = VirtualClock(date: Date(timeIntervalSince1970: 784_111_777))

    @Test(
        "a rate limiter lets its number of requests pass, then none until the window ends",
        arguments: TransportKind.allCases)
    func window(_ kind: TransportKind) async throws {
        let limiter = RateLimiter(2, per: .seconds(10), clock: clock)
        let served = try TransportTestClient(kind, limiter.limiting { _ in .text("ok") })
        defer { served.stop() }
        clock.advance(by: .milliseconds(500))
        for remaining in ["1", "0"] {
            let reply = try await served.fetch()
            #expect(reply.status == 200)
            #expect(reply["RateLimit-Limit"] == "2")
            #expect(reply["RateLimit-Remaining"] == remaining)
            #expect(reply["RateLimit-Reset"] == "10")
        }
        clock.advance(by: .seconds(3))
        let refused = try await served.fetch()
        #expect(refused.status == 429)
        #expect(refused["Retry-After"] == "7")
        #expect(refused["RateLimit-Remaining"] == "0")
        #expect(limiter.refusedCount == 1)
        clock.advance(by: .seconds(7))
        #expect(try await served.fetch().status == 200)
    }

    @Test(
        "a rate limiter lets a client pass that waits as long as Retry-After says",
        arguments: [1, 499, 9_999])
    func told(_ milliseconds: Int) async throws {
        let limiter = RateLimiter(1, per: .seconds(10), clock: clock)
        let served = try TransportTestClient(.inMemory, limiter.limiting { _ in .text("ok") })
        _ = try await served.fetch()
        clock.advance(by: .milliseconds(milliseconds))
        let text = try #require(try await served.fetch()["Retry-After"])
        clock.advance(by: .seconds(try #require(Int(text))))
        #expect(try await served.fetch().status == 200)
    }

    @Test("a rate limiter sends Retry-After as a date, or not at all")
    func date() async throws {
        let dated = RateLimiter(0, per: .seconds(60), clock: clock, retryAfter: .date)
        let reply = try await TransportTestClient(.inMemory, dated.limiting { _ in .text("ok") })
            .fetch()
        #expect(reply["Retry-After"] == "Sun, 06 Nov 1994 08:50:37 GMT")
        #expect(reply["Date"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        let silent = RateLimiter(0, per: .seconds(60), clock: clock, retryAfter: .absent)
        let other = try await TransportTestClient(.inMemory, silent.limiting { _ in .text("ok") })
            .fetch()
        #expect(other.status == 429)
        #expect(other["Retry-After"] == nil)
    }

    @Test("a rate limiter lets exactly its number of a thousand concurrent requests pass")
    func storm() async throws {
        let limiter = RateLimiter(10, per: .seconds(1), clock: clock)
        let served = try TransportTestClient(.inMemory, limiter.limiting { _ in .text("ok") })
        let passed = try await withThrowingTaskGroup { group in
            for _ in 0..<1000 { group.addTask { try await served.fetch().status == 200 } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(passed == 10)
        #expect(limiter.refusedCount == 990)
    }
}

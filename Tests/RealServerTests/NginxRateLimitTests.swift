import RuntimeTestSupport
import TelexRuntime
import Testing

extension RealServerTests {
    @Suite("rate limits of an nginx", .withNginx)
    struct NginxRateLimitTests {
        /// Makes concurrent calls, and returns their statuses and numbers of attempts.
        private func call(
            _ requests: [APIRequest<EchoReply>], _ nginx: Nginx, retry: RetryPolicy? = nil
        ) async throws -> (statuses: [Int], attempts: [Int]) {
            let manager = TestAPI.manager(at: nginx.address)
            let options = CallOptions(retry: retry)
            let calls = requests.map { manager.operation($0, options: options) }
            for call in calls { call.start() }
            var statuses: [Int] = []
            for call in calls {
                do {
                    _ = try await call.value
                    statuses.append(200)
                } catch let error as APIError {
                    statuses.append(error.status ?? 0)
                }
            }
            return (statuses, calls.map(\.attempts.count))
        }

        @Test("rate limits of an nginx with Retry-After are obeyed, and a refused POST is repeated")
        func paced() async throws {
            // Repeated until nginx refuses a call: it refuses none if they come a second apart.
            while try await !hasPaced() {}
        }

        /// Whether nginx has refused one of six calls. What has to hold is expected only then.
        private func hasPaced() async throws -> Bool {
            try await Nginx.run { nginx in
                let requests = (0..<6).map { ServerRequests.post("paced", "\($0)") }
                let (statuses, attempts) = try await call(requests, nginx)
                #expect(statuses == [200, 200, 200, 200, 200, 200])
                let sum = attempts.reduce(0, +)
                guard sum > 6 else { return false }
                let log = try await nginx.log(ofLength: sum)
                #expect(log.count == sum)
                for number in 0..<6 {
                    let sent = log.filter { $0.target == "/paced/\(number)" }
                    let refusals = [Int](repeating: 429, count: attempts[number] - 1)
                    #expect(sent.map(\.status) == refusals + [200])
                    // One second, minus the resolution of nginx's clock.
                    for (last, next) in zip(sent, sent.dropFirst()) {
                        #expect(next.time - last.time > 0.95)
                    }
                }
                return true
            }
        }

        @Test("rate limits without Retry-After are retried with back-off until all calls succeed")
        func bare() async throws {
            try await Nginx.run { nginx in
                let requests = (0..<5).map { ServerRequests.get("bare", "\($0)") }
                let backoff = Backoff(initial: .milliseconds(300), maximum: .seconds(1))
                let (statuses, attempts) = try await call(
                    requests, nginx, retry: RetryPolicy(attempts: 10, backoff: backoff))
                #expect(statuses == [200, 200, 200, 200, 200])
                let sum = attempts.reduce(0, +)
                let log = try await nginx.log(ofLength: sum)
                #expect(log.count == sum)
                #expect(log.count { $0.status == 429 } == sum - 5)
            }
        }

        @Test("rate limits of an nginx that stay exhausted get a tenth more requests than calls")
        func storm() async throws {
            try await Nginx.run { nginx in
                let requests = (0..<100).map { ServerRequests.get("full", "\($0)") }
                let start = ContinuousClock.now
                let (statuses, attempts) = try await call(requests, nginx)
                let time = ContinuousClock.now - start
                #expect(statuses.count { $0 == 429 } >= 90)
                #expect(statuses.count { $0 == 200 } >= 3)
                #expect(statuses.allSatisfy { $0 == 429 || $0 == 200 })
                let sum = attempts.reduce(0, +)
                // A tenth of the calls, the reserve of ten, and one more for every ten seconds.
                #expect(sum > 100)
                #expect(sum <= 121 + Int(time / .seconds(10)))
                #expect(try await nginx.log(ofLength: sum).count == sum)
            }
        }

        @Test(
            "rate limits of an nginx that answer 503 end a POST at once, and only a GET is repeated"
        )
        func busy() async throws {
            // Repeated until all requests come within the minute in which nginx refuses them.
            while try await !hasBeenBusy() {}
        }

        /// Whether all requests came within a minute. What has to hold is expected only then.
        private func hasBeenBusy() async throws -> Bool {
            try await Nginx.run { nginx in
                let start = ContinuousClock.now
                let first = try await call([ServerRequests.get("busy", "first")], nginx)
                let requests = (0..<4).map { ServerRequests.post("busy", "\($0)") }
                let posts = try await call(requests, nginx)
                let get = try await call(
                    [ServerRequests.get("busy", "last")], nginx,
                    retry: RetryPolicy(attempts: 3, backoff: Backoff(initial: .zero)))
                guard ContinuousClock.now - start < .seconds(60) else { return false }
                #expect(first.statuses == [200])
                #expect(posts.statuses == [503, 503, 503, 503])
                #expect(posts.attempts == [1, 1, 1, 1])
                #expect(get.statuses == [503])
                #expect(get.attempts == [3])
                let log = try await nginx.log(ofLength: 8)
                let posted = [String](repeating: "POST", count: 4)
                #expect(log.map(\.method) == ["GET"] + posted + ["GET", "GET", "GET"])
                return true
            }
        }
    }
}

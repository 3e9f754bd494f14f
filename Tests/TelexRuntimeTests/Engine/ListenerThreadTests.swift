import Foundation
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("A waiting thread")
struct ListenerThreadTests {
    @Test("a waiting thread is refused in a listener that the call itself waits for")
    func listener() async throws {
        let waiting = Lock<(@Sendable () throws -> Void)?>(nil)
        let (log, done) = (Log(), Gate())
        let (manager, _) = tiny(onEvent: { _ in
            guard let wait = waiting.withLock({ $0.take() }) else { return }
            do { try wait() } catch { log.add("\(error)") }
        }) { _ in empty }
        let other = tiny { _ in empty }.manager
        waiting.withLock {
            $0 = { [weak manager] in
                // A call of another manager needs no listener of this one.
                _ = try other.operation(UsersRequests.get(ids: [])).waitSync()
                log.add("waited")
                _ = try manager?.operation(UsersRequests.get(ids: ["2"])).waitSync()
            }
        }
        Thread {
            // Events of this thread are delivered before the call returns.
            manager.operation(UsersRequests.get(ids: ["1"])).start()
            done.open()
        }.start()
        await done.wait()
        let lines = log.text.split(separator: "\n")
        #expect(lines.first == "waited" && lines.count == 2)
        #expect(lines.last?.hasPrefix("`waitSync` was called by a listener") == true)
    }

    @Test("a waiting thread may wait again once its events are delivered")
    func afterwards() async throws {
        let (manager, _) = tiny(onEvent: { _ in }) { _ in empty }
        let value = Lock<[User]?>(nil)
        let done = Gate()
        Thread {
            manager.operation(UsersRequests.get(ids: ["1"])).start()
            let users = try? manager.operation(UsersRequests.get(ids: ["2"])).waitSync()
            value.withLock { $0 = users }
            done.open()
        }.start()
        await done.wait()
        #expect(value.withLock { $0 } == [])
    }
}

@Suite("The log line of a failed group")
struct FailedGroupQueueTests {
    @Test("the log line of a failed group names the group, and then its step")
    func levels() async throws {
        let client = TestClient { _ in .bytes(status: .notFound) }
        let inner = client.manager.group("inner") { try await $0.run(client.call()) }
        let outer = client.manager.group("outer") { try await $0.run(inner) }
        _ = try? await outer.value
        let ends = client.log.text.split(separator: "\n").filter { $0.hasPrefix("✗") }
        let own = try #require(ends.first)
        #expect(own.hasPrefix("✗ `users.get` of Tiny failed: "))
        let why = own.dropFirst(2)
        #expect(
            ends == [own, "✗ inner failed, because \(why)", "✗ outer failed, because \(why)"])
    }
}

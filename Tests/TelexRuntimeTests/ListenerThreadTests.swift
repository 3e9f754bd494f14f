import Foundation
import Synchronization
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("A thread that waits")
struct ListenerThreadTests {
    @Test("is refused to a listener, which the call itself waits for")
    func listener() async throws {
        let waiting = Mutex<(@Sendable () throws -> Void)?>(nil)
        let (log, done) = (Log(), Gate())
        let (manager, _) = tiny(onEvent: { _ in
            guard let wait = waiting.withLock({ $0.take() }) else { return }
            do { try wait() } catch { log.add("\(error)") }
        }) { _ in empty }
        let other = tiny { _ in empty }.manager
        waiting.withLock {
            $0 = { [weak manager] in
                // Another manager's call needs no listener of this one.
                _ = try other.operation(UsersRequests.get(ids: [])).waitSync()
                log.add("waited")
                _ = try manager?.operation(UsersRequests.get(ids: ["2"])).waitSync()
            }
        }
        Thread {
            // What this thread tells, it tells before this returns.
            manager.operation(UsersRequests.get(ids: ["1"])).start()
            done.open()
        }.start()
        await done.wait()
        let lines = log.text.split(separator: "\n")
        #expect(lines.first == "waited" && lines.count == 2)
        #expect(lines.last?.hasPrefix("`waitSync` was called by a listener") == true)
    }

    @Test("may wait again once it has told what there was to tell")
    func afterwards() async throws {
        let (manager, _) = tiny(onEvent: { _ in }) { _ in empty }
        let value = Mutex<[User]?>(nil)
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

@Suite("The line of a group that fails")
struct FailedGroupLineTests {
    @Test("names the group, and then what its step says")
    func levels() async throws {
        let desk = Desk { _ in .bytes(status: .notFound) }
        let inner = desk.manager.group("inner") { try await $0.run(desk.call()) }
        let outer = desk.manager.group("outer") { try await $0.run(inner) }
        _ = try? await outer.value
        let ends = desk.log.text.split(separator: "\n").filter { $0.hasPrefix("✗") }
        let own = try #require(ends.first)
        #expect(own.hasPrefix("✗ `users.get` of Tiny failed: "))
        let why = own.dropFirst(2)
        #expect(
            ends == [own, "✗ inner failed, because \(why)", "✗ outer failed, because \(why)"])
    }
}

import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A pager")
struct PagerTests {
    @Test("a pager loads page after page, up to the end")
    func end() async throws {
        let list = PageList { request in
            .json(request.head.path == "/v1/list" ? #"{"items": [1, 2]}"# : #"{"items": []}"#)
        }
        let pager = Pager(list.pages(.offset(from: 0)))
        #expect(!pager.isAtEnd && pager.position == .start && list.paths.isEmpty)
        #expect(try await pager.loadNext() == [1, 2])
        #expect(pager.position == .offset(2))
        #expect(try await pager.loadNext() == [])
        #expect(pager.isAtEnd && pager.items == [1, 2])
        #expect(try await pager.loadNext() == [])
        #expect(list.paths.count == 2)
    }

    @Test("a pager shares a page that is being loaded")
    func shared() async throws {
        let gate = Gate()
        let list = PageList { _ in
            await gate.wait()
            return .json(#"{"items": [1]}"#)
        }
        let pager = Pager(list.pages(.offset(from: 0)))
        let calls = (0..<3).map { _ in pager.loading() }
        gate.open()
        for call in calls { #expect(try await call.value == [1]) }
        #expect(list.paths.count == 1 && pager.items == [1])
    }

    @Test("a pager loads the same page again after an error")
    func retry() async throws {
        let failures = Lock(1)
        let list = PageList { _ in
            let fails = failures.withLock { left in
                defer { left -= 1 }
                return left > 0
            }
            return fails ? .bytes(status: .badGateway) : .json(#"{"items": [1]}"#)
        }
        let pager = Pager(list.pages(.offset(from: 0)))
        await #expect(throws: APIError.self) { try await pager.loadNext() }
        #expect(pager.items.isEmpty && pager.position == .start)
        #expect(try await pager.loadNext() == [1])
        #expect(list.paths == ["/v1/list", "/v1/list"])
    }

    @Test("a pager begins again after a reset, and drops the page that was being loaded")
    func reset() async throws {
        let (gate, arrived) = (Gate(), Gate())
        let isFirst = Lock(true)
        let list = PageList { _ in
            let waits = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            guard waits else { return .json(#"{"items": [2]}"#) }
            arrived.open()
            await gate.wait()
            return .json(#"{"items": [1]}"#)
        }
        let pager = Pager(list.pages(.offset(from: 0)))
        let dropped = pager.loading()
        await arrived.wait()
        pager.reset()
        #expect(try await pager.loadNext() == [2])
        gate.open()
        await #expect(throws: CancellationError.self) { try await dropped.value }
        #expect(pager.items == [2] && pager.position == .offset(1))
    }

    @Test("a pager loads on when the task of one caller is cancelled")
    func cancelled() async throws {
        let (gate, arrived) = (Gate(), Gate())
        let list = PageList { _ in
            arrived.open()
            await gate.wait()
            return .json(#"{"items": [1]}"#)
        }
        let pager = Pager(list.pages(.offset(from: 0)))
        let caller = Task { try await pager.loadNext() }
        await arrived.wait()
        caller.cancel()
        gate.open()
        #expect(try await caller.value == [1])
        #expect(pager.items == [1])
    }
}

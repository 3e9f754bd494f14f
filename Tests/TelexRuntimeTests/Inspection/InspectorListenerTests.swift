import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The listener of an inspector")
struct InspectorListenerTests {
    private static func event(_ number: Int = 1, _ kind: APIEvent.Kind = .started) -> APIEvent {
        APIEvent(
            date: .init(timeIntervalSince1970: 1), elapsed: .milliseconds(5), api: "Tiny",
            method: "users.get", operation: OperationID(number: UInt64(number)), attempt: 1,
            owner: OperationOwner("screen"), tags: ["b", "a"], queue: "main", kind: kind)
    }

    /// The values of the lines of a request.
    private static func lines(_ request: SentRequest) throws -> [JSONValue] {
        try request.text.split(separator: "\n").map { line in
            let result = JSONReader.read(Array(line.utf8)) { json -> JSONValue? in json.value() }
            return try #require(result.value, "\(line)")
        }
    }

    @Test("the listener of an inspector sends a call as lines of JSON")
    func lines() async throws {
        let inspector = SpiedInspector()
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in .json(#"{"response": []}"#) },
            credentials: MemoryCredentialStore(Credential(token: secret))
        ) {
            $0.settings.clock = .stopped
            $0.listeners = [inspector.listener]
        }
        _ = try await manager.operation(UsersRequests.get(ids: ["1"])).value
        let text = await inspector.text
        #expect(!text.contains(secret))
        let head = try #require(inspector.requests.first?.head)
        #expect(head.path == "/lines" && head.method == .post && head.authority == "127.0.0.1:4020")
        #expect(head.headerFields[.contentType] == "application/x-ndjson")
        let all = try inspector.requests.map(Self.lines)
        #expect(all.allSatisfy { $0.first?["telex-inspector"] == 1 && $0.first?["app"] == "Spied" })
        let events = all.flatMap { $0.dropFirst() }
        #expect(
            events.compactMap { $0["event"]?.asString } == [
                "started", "sending", "received", "succeeded",
            ])
        #expect(events.allSatisfy { $0["api"] == "Tiny" && $0["method"] == "users.get" })
        #expect(events[2]["exchange"]?["response"]?["content"]?["text"] != nil)
    }

    @Test("the listener of an inspector tells the queue, the owner and the tags of a call")
    func facts() async throws {
        let inspector = SpiedInspector()
        inspector.listener.handle(Self.event(7, .retrying(after: .seconds(2), because: "503")))
        await inspector.listener.flush()
        let request = try #require(inspector.requests.first)
        let line = try Self.lines(request).last
        #expect(
            line == [
                "event": "retrying", "because": "503", "delay": 2000, "date": 1000, "elapsed": 5,
                "api": "Tiny", "method": "users.get", "call": "#7", "attempt": 1,
                "owner": "screen", "queue": "main", "tags": ["a", "b"], "shared": false,
            ])
    }

    @Test("the listener of an inspector keeps the newest events, and counts those it drops")
    func bounds() async throws {
        let gate = Gate()
        let inspector = SpiedInspector {
            await gate.wait()
            return 204
        }
        inspector.listener.handle(Self.event())
        // The first one is on its way.
        await until { inspector.requests.count == 1 }
        for number in 2...12_000 { inspector.listener.handle(Self.event(number)) }
        #expect(inspector.listener.dropped == 1999)
        gate.open()
        let text = await inspector.text
        #expect(text.contains("\"dropped\":1999"))
        #expect(text.contains("\"#12000\"") && text.contains("\"#2001\""))
        #expect(!text.contains("\"#2000\""))
    }

    @Test("the listener of an inspector sends lines again after a pause, with the same number")
    func again() async throws {
        let clock = VirtualClock()
        let count = Lock(0)
        let inspector = SpiedInspector(clock: clock.runtimeClock) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? nil : number == 2 ? 503 : 204
        }
        inspector.listener.handle(Self.event(1))
        await clock.waitForSleepers(1)
        // A program that ends does not wait for an inspector that is not there.
        await inspector.listener.flush()
        inspector.listener.handle(Self.event(2))
        clock.advance(by: .seconds(1))
        await until { inspector.requests.count == 2 }
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(2))
        await until { inspector.requests.count == 4 }
        #expect(inspector.requests[0].text == inspector.requests[2].text)
        #expect(inspector.requests[3].text.contains("\"number\":2"))
        #expect(inspector.listener.dropped == 0)
    }

    @Test("the listener of an inspector waits no longer than 15 seconds between two attempts")
    func pauses() async {
        let clock = VirtualClock()
        let inspector = SpiedInspector(clock: clock.runtimeClock) { nil }
        inspector.listener.handle(Self.event())
        for seconds in [1, 2, 4, 8, 15, 15] {
            await clock.waitForSleepers(1)
            let count = inspector.requests.count
            clock.advance(by: .seconds(seconds))
            await until { inspector.requests.count == count + 1 }
        }
        #expect(inspector.requests.count == 7)
    }

    @Test(
        "the listener of an inspector that refuses it says so once, and sends nothing more",
        arguments: [(401, "pairing code"), (404, "404"), (400, "400")])
    func refused(status: Int, word: String) async {
        let inspector = SpiedInspector(pairingCode: "AAAA-AAAA") { status }
        inspector.listener.handle(Self.event())
        await inspector.listener.flush()
        for number in 2..<5 { inspector.listener.handle(Self.event(number)) }
        await inspector.listener.flush()
        #expect(inspector.requests.count == 1)
        #expect(inspector.faults.text.contains(word))
        #expect(inspector.faults.text.split(separator: "\n").count == 1)
    }

    @Test("the listener of an inspector sends nothing to another machine without a pairing code")
    func machines() async throws {
        let without = SpiedInspector(address: "http://192.168.1.5:4020")
        without.listener.handle(Self.event())
        await without.listener.flush()
        #expect(without.requests.isEmpty)
        #expect(without.faults.text.contains("needs a pairing code"))
        let with = SpiedInspector(address: "http://192.168.1.5:4020", pairingCode: "K7QF-3MWD")
        with.listener.handle(Self.event())
        await with.listener.flush()
        let field = try #require(HTTPField.Name("X-Telex-Code"))
        #expect(with.requests.first?.head.headerFields[field] == "K7QF-3MWD")
        let wrong = SpiedInspector(address: "the Mac")
        wrong.listener.handle(Self.event())
        #expect(wrong.faults.text.contains("`the Mac` is no http address"))
    }

    @Test("the listener of an inspector drops a request that is too large for it, and goes on")
    func tooLarge() async throws {
        let inspector = SpiedInspector { 413 }
        inspector.listener.handle(Self.event(1))
        await inspector.listener.flush()
        inspector.listener.handle(Self.event(2))
        await inspector.listener.flush()
        #expect(inspector.requests.count == 2)
        #expect(inspector.faults.text.isEmpty)
        // A turn without lines is no request.
        let numbers = try inspector.requests.map { try Self.lines($0).first?["number"] }
        #expect(numbers == [1, 2])
    }

    @Test("the listener of an inspector does not hold up calls while the inspector is stuck")
    func stuck() async throws {
        let gate = Gate()
        let inspector = SpiedInspector {
            await gate.wait()
            return nil
        }
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in .json(#"{"response": []}"#) },
            credentials: MemoryCredentialStore(Credential(token: secret))
        ) {
            $0.settings.clock = .stopped
            $0.listeners = [inspector.listener]
        }
        for _ in 0..<50 { _ = try await manager.operation(UsersRequests.get(ids: ["1"])).value }
        #expect(inspector.requests.count <= 1)
        gate.open()
    }
}

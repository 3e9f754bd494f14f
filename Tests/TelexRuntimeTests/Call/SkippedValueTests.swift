import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// Reads numbers as `type: [int], invalid: [skip, empty]` does.
@Sendable
private func numbers(_ json: inout JSONReader) -> [Int]? {
    var numbers: [Int]?
    json.list(&numbers, invalid: [.skip, .empty], Int.read)
    return numbers
}

@Suite("What was left out of a reply")
struct SkippedValueTests {
    private let page = TransportReply.json(#"{"response":[1,"\#(secret)",null,2]}"#)

    @Test("a response tells what was left out, without the token that the server repeated")
    func response() async throws {
        let (manager, _) = tiny { [page] _ in page }
        let request = RequestBuilder(TinyAPI.APIMethod.usersGet).finish(numbers)
        let response = try await manager.operation(request).response
        #expect(response.value == [1, 2])
        #expect(response.skipped.count == 2)
        #expect(response.skipped.violations.map(\.path) == ["response[1]", "response[2]"])
        #expect(!"\(response.skipped)".contains(secret))
    }

    @Test("what was left out of a reply is told to each call that shares the request")
    func shared() async throws {
        let gate = Gate()
        let client = TestClient { [page] _ in
            await gate.wait()
            return page
        }
        let calls = (0..<2).map { _ in
            client.manager.operation(
                RequestBuilder(TinyAPI.APIMethod.shared).finish { json -> [User]? in
                    var users: [User]?
                    json.list(&users, invalid: .skip, User.read)
                    return users
                })
        }
        for call in calls { call.start() }
        await client.subscribers(2)
        gate.open()
        for call in calls { #expect(try await call.response.skipped.count == 4) }
        #expect(client.transport.requests.count == 1)
    }

    @Test("what was left out of a reply does not count for rules of the list")
    func rules() async throws {
        let (manager, _) = tiny { _ in .json(#"{"response":["x",1]}"#) }
        let request = RequestBuilder(TinyAPI.APIMethod.usersGet).finish { json -> [Int]? in
            guard let numbers = numbers(&json) else { return nil }
            json.minItems(numbers, 2)
            return numbers
        }
        let error = await failure(manager.operation(request))
        #expect(error?.phase == .validate)
        #expect(error?.violations.map(\.rule) == ["min-items"])
    }

    @Test("what was left out of a reply is added up over the elements of a stream")
    func stream() async throws {
        let (manager, _) = tiny { _ in .bytes(Array("[1,\"x\"]\nnull\n[2]\n".utf8)) }
        let stream: StreamOperation<[Int]> = manager.operation(
            RequestBuilder(TinyAPI.APIMethod.lines).finishStream(.jsonLines, numbers))
        var values: [[Int]] = []
        for try await value in stream.elements { values.append(value) }
        #expect(values == [[1], [], [2]])
        #expect(try await stream.response.skipped.count == 2)
    }

    @Test("an invalid item of an argument is a violation: an argument is sent whole or not at all")
    func argument() {
        var reader = PropertyReader(["ids": [1, "x"]], "ping")
        let ids: [Int]? = reader.optional("ids", numbers)
        #expect(ids == nil)
        let isFine = reader.finish()
        #expect(!isFine && reader.error.violations.map(\.path) == ["ids[1]"])
    }

    @Test("an item left out of a reply leaves the rest unknown, so its record shows no values")
    func record() {
        let request = RequestBuilder(TinyAPI.APIMethod.usersGet).finish(numbers)
        let limits = JSONLimits()
        let read = { (text: String) in
            request.content.sensitiveKeys(in: Reply(text), at: [], limits: limits)
        }
        #expect(read("[1]") == [])
        #expect(read("[1, {\"password\": \"x\"}]") == nil)
    }
}

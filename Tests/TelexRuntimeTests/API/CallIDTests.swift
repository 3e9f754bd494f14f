import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The id of a call")
struct CallIDTests {
    /// Returns a call that answers with what `reply` makes of the sent body.
    private func call(
        _ options: CallOptions = CallOptions(), failures: Int = 0, path: StaticString = "rpc",
        reply: @escaping @Sendable (JSONValue) -> String = { _ in #"{"id":1,"result":5}"# },
        rules: ReplyRules? = nil, _ fill: (inout RequestBuilder) -> Void
    ) -> (call: DataOperation<Int>, transport: InMemoryTransport) {
        let count = Counter()
        let (manager, transport) = tiny { request in
            if count.next() <= failures { return .bytes(status: .serviceUnavailable) }
            return .json(reply(request.json))
        }
        let endpoint = Endpoint(
            .put, path.description, auth: .none, reply: rules ?? ReplyRules(unwrap: ["result"]),
            operation: OperationRules(
                retry: RetryPolicy(on: [.status(503...503)], backoff: Backoff(initial: .zero))))
        var builder = RequestBuilder(RequestTemplate(method: "call", endpoint: endpoint))
        fill(&builder)
        return (manager.operation(builder.finish(), options: options), transport)
    }

    /// Fills a call of JSON-RPC.
    private func procedure(_ builder: inout RequestBuilder) {
        builder.jsonObject { $0.field("method", "a") }
        builder.callID("id", in: .json)
    }

    @Test("a reply with the id of another call refuses the call")
    func otherID() async throws {
        for id in [#""b""#, "7", "null", "[]"] {
            let (call, _) = call(
                reply: { _ in "{\"id\":\(id),\"result\":5}" }, rules: .jsonRPC, procedure)
            let error = await #expect(throws: APIError.self) { try await call.value }
            #expect(error?.reason == .refused && error?.violations.first?.path == "id")
        }
    }

    @Test("the id of a call is in the reply, too")
    func sameID() async throws {
        let (call, transport) = call(
            reply: { #"{"jsonrpc":"2.0","id":\#($0["id"] ?? .null),"result":5}"# },
            rules: .jsonRPC, procedure)
        #expect(try await call.value == 5)
        #expect(transport.requests[0].json["id"]?.asString?.count == 36)
    }

    @Test("a call's id is the same in all places and all attempts, and another one for each call")
    func places() async throws {
        var seen: Set<String> = []
        for _ in 0..<2 {
            let (call, transport) = call(failures: 1, path: "rooms/{a}") {
                $0.jsonObject { $0.field("method", "a") }
                $0.callID("a", in: .path)
                $0.callID("b", in: .query)
                $0.callID("C", in: .header)
                $0.callID("d", in: .json)
            }
            #expect(try await call.value == 5)
            #expect(transport.requests.count == 2)
            for request in transport.requests {
                let id = try #require(request.json["d"]?.asString)
                seen.insert(id)
                #expect(request.head.path?.contains("/rooms/\(id)?") == true)
                #expect(request.head.path?.contains("b=\(id)") == true)
                #expect(request.head.headerFields[try #require(HTTPField.Name("C"))] == id)
            }
        }
        #expect(seen.count == 2)
    }

    @Test("the id of a call may be an integer, which is exact in every language")
    func integer() async throws {
        let (call, transport) = call {
            $0.jsonObject { _ in }
            $0.callID("a", in: .query)
            $0.callID("b", in: .json, isInteger: true)
        }
        _ = try await call.value
        let id = try #require(transport.requests[0].json["b"]?.asInt)
        #expect((1...(1 << 53)).contains(id))
        #expect(transport.requests[0].head.path?.contains("a=\(id)") == true)
    }

    @Test("the id of a call is the app's own key, if it fits its places")
    func own() async throws {
        let (call, transport) = call(CallOptions(idempotencyKey: "order 17"), procedure)
        _ = try await call.value
        #expect(transport.requests[0].json["id"]?.asString == "order 17")
        let refused: [(String, RequestBuilder.CallIDPlace, Bool)] = [
            ("", .json, false), ("a\n", .header, false), ("07", .query, true), ("b", .json, true),
            ("..", .path, false), ("", .path, false),
        ]
        for (key, place, isInteger) in refused {
            let (call, transport) = self.call(
                CallOptions(idempotencyKey: key), path: "rooms/{C}"
            ) {
                if place != .path { $0.path("C", "c") }
                $0.callID("C", in: place, isInteger: isInteger)
            }
            let error = await #expect(throws: APIError.self) { try await call.value }
            #expect(error?.violations.first?.rule == "idempotency-key", "\(key)")
            #expect(transport.requests.isEmpty)
        }
    }

    @Test("the id of a call is not known to a description")
    func description() {
        var builder = RequestBuilder(
            RequestTemplate(method: "call", endpoint: Endpoint(.get, "a/{b}", auth: .none)))
        builder.callID("b", in: .path)
        builder.callID("c", in: .query)
        let request: APIRequest<Int> = builder.finish()
        #expect(request.description.contains("c=‹id of the call›"))
    }
}

extension SentRequest {
    /// The body; null if it is no JSON.
    fileprivate var json: JSONValue { JSONReader.value(at: [], in: body) ?? .null }
}

import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing

@Suite("Every transport")
struct TransportConformanceTests {
    @Test("a GET returns status, header fields and body", arguments: TransportKind.allCases)
    func get(_ kind: TransportKind) async throws {
        let fixture = try TransportFixture(kind) { seen in
            let type = HTTPField.Name("X-Method")!
            return .bytes(Array(seen.target.utf8), status: 203, fields: [type: seen.method])
        }
        defer { fixture.stop() }
        let (head, body) = try await fixture.exchange(fixture.request(.get, "/a%20b?c=d&e=%2F"))
        #expect(head.status.code == 203)
        #expect(head.headerFields[HTTPField.Name("x-method")!] == "GET")
        #expect(body == "/a%20b?c=d&e=%2F")
    }

    @Test(
        "the bytes of a body arrive, with any method that has one",
        arguments: TransportKind.allCases, [HTTPRequest.Method.post, .put, .patch, .delete])
    func body(_ kind: TransportKind, _ method: HTTPRequest.Method) async throws {
        let fixture = try TransportFixture(kind) { .bytes($0.body) }
        defer { fixture.stop() }
        let request = fixture.request(
            method, fields: [.contentType: "text/plain"], body: .bytes(Array("héllo".utf8)))
        #expect(try await fixture.exchange(request).body == "héllo")
    }

    @Test("an empty body and no body arrive empty", arguments: TransportKind.allCases)
    func emptyBody(_ kind: TransportKind) async throws {
        let fixture = try TransportFixture(kind) {
            .bytes(Array("\($0.method) \($0.body.count)".utf8))
        }
        defer { fixture.stop() }
        #expect(
            try await fixture.exchange(fixture.request(.post, body: .bytes([]))).body == "POST 0")
        #expect(try await fixture.exchange(fixture.request(.post)).body == "POST 0")
    }

    @Test("header fields of a request arrive unchanged", arguments: TransportKind.allCases)
    func fields(_ kind: TransportKind) async throws {
        let fields: HTTPFields = [
            .authorization: "Bearer a.b-c=", .cookie: "a=b; c=d", .userAgent: "Telex/1",
            HTTPField.Name("X-Long")!: String(repeating: "x", count: 4000),
            HTTPField.Name("X-Odd")!: "a,b; \"c\" \\ ü",
            HTTPField.Name("X-Empty")!: "",
        ]
        let fixture = try TransportFixture(kind) { seen in
            let same = fields.allSatisfy { seen.fields[$0.name] == $0.value }
            return .bytes(Array((same ? "same" : "\(seen.fields)").utf8))
        }
        defer { fixture.stop() }
        #expect(try await fixture.exchange(fixture.request(fields: fields)).body == "same")
    }

    @Test("a redirect is returned and not followed", arguments: TransportKind.allCases)
    func redirect(_ kind: TransportKind) async throws {
        let fixture = try TransportFixture(kind) { seen in
            seen.target == "/"
                ? .bytes(Array("moved".utf8), status: 302, fields: [.location: "/there"])
                : .bytes(Array("followed".utf8))
        }
        defer { fixture.stop() }
        let (head, body) = try await fixture.exchange(fixture.request())
        #expect(head.status.code == 302)
        #expect(head.headerFields[.location] == "/there")
        #expect(body != "followed")
    }

    @Test(
        "a 401 with any challenge is an ordinary reply", arguments: TransportKind.allCases,
        ["Basic realm=\"x\"", "Bearer", "Digest realm=\"x\", nonce=\"y\"", "Negotiate"])
    func unauthorized(_ kind: TransportKind, _ challenge: String) async throws {
        let fixture = try TransportFixture(kind) { _ in
            .bytes(Array("no".utf8), status: 401, fields: [.wwwAuthenticate: challenge])
        }
        defer { fixture.stop() }
        let (head, _) = try await fixture.exchange(fixture.request(.post, body: .bytes([1])))
        #expect(head.status.code == 401)
        #expect(head.headerFields[.wwwAuthenticate] == challenge)
    }

    @Test("cookies that are set are not sent back", arguments: TransportKind.allCases)
    func cookies(_ kind: TransportKind) async throws {
        let fixture = try TransportFixture(kind) { seen in
            .bytes(Array("\(seen.fields[.cookie] ?? "-")".utf8), fields: [.setCookie: "a=b"])
        }
        defer { fixture.stop() }
        let first = try await fixture.exchange(fixture.request())
        #expect(first.head.headerFields[.setCookie] == "a=b")
        #expect(try await fixture.exchange(fixture.request()).body == "-")
    }

    @Test("a 204 has an empty body", arguments: TransportKind.allCases)
    func noContent(_ kind: TransportKind) async throws {
        let fixture = try TransportFixture(kind) { _ in .bytes(status: 204) }
        defer { fixture.stop() }
        let (head, body) = try await fixture.exchange(fixture.request(.delete))
        #expect(head.status == .noContent)
        #expect(body.isEmpty)
    }

    @Test("a body that ends early throws after what arrived", arguments: TransportKind.allCases)
    func truncated(_ kind: TransportKind) async throws {
        let fixture = try TransportFixture(kind) { _ in
            .truncated(Array("1234".utf8), declaring: 10)
        }
        defer { fixture.stop() }
        let reply = try await fixture.transport.send(fixture.request())
        #expect(reply.head.status == .ok)
        #expect(reply.body.length == 10)
        var arrived: [UInt8] = []
        let kind = await TransportError.kind {
            for try await chunk in reply.body { arrived += chunk }
        }
        #expect(kind == .truncated(received: 4, expected: 10))
        #expect(arrived == Array("1234".utf8))
    }

    @Test("a connection closed before the head is lost", arguments: TransportKind.allCases)
    func closed(_ kind: TransportKind) async throws {
        let fixture = try TransportFixture(kind) { _ in .closed }
        defer { fixture.stop() }
        let kind = await TransportError.kind {
            _ = try await fixture.transport.send(fixture.request())
        }
        #expect(kind == .connectionLost)
    }

    @Test(
        "a reply above the limit is too large, but has a head",
        arguments: TransportKind.allCases)
    func tooLarge(_ kind: TransportKind) async throws {
        let fixture = try TransportFixture(kind) { _ in
            .bytes(Array(repeating: 1, count: 1000), status: 500)
        }
        defer { fixture.stop() }
        var request = fixture.request()
        request.maximumReplyBytes = 999
        let reply = try await fixture.transport.send(request)
        #expect(reply.head.status.code == 500)
        let kind = await TransportError.kind { _ = try await reply.body.collect(upTo: .max) }
        #expect(kind == .tooLarge(limit: 999))
        request.maximumReplyBytes = 1000
        #expect(try await fixture.exchange(request).body.utf8.count == 1000)
    }

    @Test("cancelling while no head comes ends at once", arguments: TransportKind.allCases)
    func cancelWithoutHead(_ kind: TransportKind) async throws {
        let (arrived, never) = (Gate(), Gate())
        let fixture = try TransportFixture(kind) { _ in
            arrived.open()
            return .held(never)
        }
        defer { fixture.stop() }
        let task = Task {
            await TransportError.kind { _ = try await fixture.transport.send(fixture.request()) }
        }
        await arrived.wait()
        // No reply ever comes, so that only the cancellation ends the request.
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test("cancelling while the body stalls ends at once", arguments: TransportKind.allCases)
    func cancelInBody(_ kind: TransportKind) async throws {
        let (began, never) = (Gate(), Gate())
        let fixture = try TransportFixture(kind) { _ in
            .stalled([1, 2], declaring: 10, until: never)
        }
        defer { fixture.stop() }
        let task = Task {
            await TransportError.kind {
                let reply = try await fixture.transport.send(fixture.request())
                for try await _ in reply.body { began.open() }
            }
        }
        await began.wait()
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test("a task that is cancelled beforehand sends nothing", arguments: TransportKind.allCases)
    func cancelledBefore(_ kind: TransportKind) async throws {
        let asked = Gate()
        let fixture = try TransportFixture(kind) { _ in
            asked.open()
            return .bytes()
        }
        defer { fixture.stop() }
        let mayGo = Gate()
        let task = Task {
            await mayGo.wait()
            return await TransportError.kind {
                _ = try await fixture.transport.send(fixture.request())
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(!asked.isOpen)
    }

    @Test("200 concurrent requests get their own replies", arguments: TransportKind.allCases)
    func concurrent(_ kind: TransportKind) async throws {
        let fixture = try TransportFixture(kind) { .bytes(Array($0.target.utf8)) }
        defer { fixture.stop() }
        let answers = try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    try await fixture.exchange(fixture.request(.get, "/\(number)")).body
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(answers == Set((0..<200).map { "/\($0)" }))
    }
}

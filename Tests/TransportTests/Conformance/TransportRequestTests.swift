import Foundation
import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

@Suite("Requests over every transport")
struct TransportRequestTests {
    @Test("a file is sent as the body", arguments: TransportKind.allCases)
    func file(_ kind: TransportKind) async throws {
        try await withFile(size: 3_000_000) { path, bytes in
            let fixture = try TransportFixture(kind) { .bytes(Array("\($0.body == bytes)".utf8)) }
            defer { fixture.stop() }
            let sent = Lock(0)
            var request = fixture.request(.post, body: .file(path: path, length: bytes.count))
            request.onBodySent = { count in sent.withLock { $0 = count } }
            #expect(try await fixture.exchange(request).body == "true")
            #expect(sent.withLock { $0 } == bytes.count)
        }
    }

    @Test("parts are sent one after the other", arguments: TransportKind.allCases)
    func parts(_ kind: TransportKind) async throws {
        try await withFile(size: 600_000) { path, bytes in
            let whole = [1, 2] + bytes + [3]
            let body = RequestBody.parts([
                .bytes([1, 2]), .file(path: path, length: bytes.count), .bytes([3]),
            ])
            #expect(body.length == whole.count)
            let fixture = try TransportFixture(kind) { seen in
                let length = seen.fields[.contentLength].map { $0 == "\(whole.count)" } ?? true
                return .bytes(Array("\(seen.body == whole && length)".utf8))
            }
            defer { fixture.stop() }
            #expect(try await fixture.exchange(fixture.request(.post, body: body)).body == "true")
        }
    }

    @Test("a stream is sent once, chunk by chunk", arguments: TransportKind.allCases)
    func stream(_ kind: TransportKind) async throws {
        let rest = Lock<ArraySlice<[UInt8]>>([[1], [2, 3], [4]])
        let body = RequestBody.stream(length: nil) { rest.withLock { $0.popFirst() } }
        #expect(!body.isReplayable)
        let fixture = try TransportFixture(kind) { .bytes(Array("\($0.body)".utf8)) }
        defer { fixture.stop() }
        #expect(
            try await fixture.exchange(fixture.request(.put, body: body)).body == "[1, 2, 3, 4]")
    }

    @Test("a stream is a part among others", arguments: TransportKind.allCases)
    func streamAmongParts(_ kind: TransportKind) async throws {
        let rest = Lock<ArraySlice<[UInt8]>>([[2], [3, 4]])
        let body = RequestBody.parts([
            .bytes([1]), .stream(length: 3) { rest.withLock { $0.popFirst() } }, .bytes([5]),
        ])
        #expect(body.length == 5 && !body.isReplayable)
        let fixture = try TransportFixture(kind) { .bytes(Array("\($0.body)".utf8)) }
        defer { fixture.stop() }
        #expect(
            try await fixture.exchange(fixture.request(.put, body: body)).body == "[1, 2, 3, 4, 5]")
    }

    @Test(
        "a file that is missing or has another length is refused", arguments: TransportKind.allCases
    )
    func wrongFile(_ kind: TransportKind) async throws {
        let fixture = try TransportFixture(kind) { _ in .bytes() }
        defer { fixture.stop() }
        try await withFile(size: 10) { path, _ in
            for body in [
                RequestBody.file(path: path, length: 11), .file(path: path + "x", length: 10),
                .parts([.file(path: path, length: 9)]), .file(path: "/", length: 0),
            ] {
                let kind = await TransportError.kind {
                    _ = try await fixture.transport.send(fixture.request(.post, body: body))
                }
                #expect(kind == .invalidRequest)
            }
        }
    }

    @Test(
        "a header field with a line break is an error",
        arguments: ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b", " a", "a\u{1}"])
    func lineBreak(_ value: String) {
        #expect(throws: TransportError.self) { try HTTPField.checked("X-A", value) }
        #expect(throws: TransportError.self) { try HTTPField.checked("X\(value)", "a") }
    }

    @Test("a header field with valid text is unchanged")
    func goodField() throws {
        let field = try HTTPField.checked("X-A", "a\tü")
        #expect(field.name.rawName == "X-A")
        #expect(field.value == "a\tü")
    }

    @Test("a request that cannot be sent as it is throws", arguments: TransportKind.allCases)
    func invalid(_ kind: TransportKind) async throws {
        let fixture = try TransportFixture(kind) { _ in .bytes() }
        defer { fixture.stop() }
        let changes: [@Sendable (inout HTTPRequest) -> Void] = [
            { $0.scheme = "ftp" }, { $0.scheme = nil },
            { $0.authority = nil }, { $0.authority = "" }, { $0.authority = "me@host" },
            { $0.authority = "host/path" }, { $0.authority = "ho st" },
            { $0.path = nil }, { $0.path = "a" }, { $0.path = "/a b" }, { $0.path = "/ü" },
            { $0.path = "/a\r\nX: y" }, { $0.path = "/100%" }, { $0.path = "/a#b" },
            { $0.path = "/a/../b" }, { $0.path = "/." }, { $0.path = "/a|b" },
            { $0.path = "/a\"b" }, { $0.path = "/a[1]" }, { $0.path = "/a?x[]=1" },
            { $0.path = "/a\\b" }, { $0.path = "/{a}" },
            { $0.headerFields[.contentLength] = "3" },
            { $0.headerFields[HTTPField.Name("Host")!] = "other" },
            { $0.headerFields.append(HTTPField(name: .accept, lenientValue: [0x61, 1])) },
        ]
        for change in changes {
            var request = fixture.request()
            change(&request.head)
            let sent = request
            let kind = await TransportError.kind { _ = try await fixture.transport.send(sent) }
            #expect(kind == .invalidRequest, "\(request.head)")
        }
    }

    private func withFile(
        size: Int, _ body: (_ path: String, _ bytes: [UInt8]) async throws -> Void
    ) async throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-test-\(UUID().uuidString)")
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(url.path, bytes)
    }
}

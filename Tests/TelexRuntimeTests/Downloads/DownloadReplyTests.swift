import Foundation
import HTTPTypes
import TelexTesting
import TelexTransport
import Testing

@testable import TelexRuntime

@Suite("The reply of a download")
struct DownloadReplyTests {
    private let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    private let credential = Credential(token: secret, values: ["user_id": "7"])

    private func manager(
        _ script: @escaping InMemoryTransport.Script
    ) -> APIManager<TinyAPI> {
        APIManager<TinyAPI>(
            transport: InMemoryTransport(script), credentials: MemoryCredentialStore(credential)
        ) { $0.settings.clock = .stopped }
    }

    /// Downloads with options that the tiny API does not have.
    private func request(
        _ endpoint: Endpoint, to path: String, _ fill: (inout RequestBuilder) -> Void = { _ in }
    ) -> APIRequest<DownloadedFile> {
        var builder = RequestBuilder(RequestTemplate(method: "archive", endpoint: endpoint))
        fill(&builder)
        return builder.finishDownload(to: path)
    }

    @Test("the reply of a download may be an error under a success status: no file is touched")
    func refusedWithin200() async throws {
        try await withFile { path in
            try DiskFile.replace(path, with: [1, 2, 3])
            try leavePart([4, 5], at: path)
            let types = [
                "application/json; charset=utf-8", "application/problem+json", "text/html",
                "application/octet-stream", nil,
            ]
            for (type, size) in types.flatMap({ type in (1...4).map { (type, $0) } }) {
                for before in ["\n ", "\u{FEFF}", "\u{FEFF} \n"] {
                    let manager = manager { _ in
                        var fields: HTTPFields = [:]
                        fields[.contentType] = type
                        let text = before + #"{"error":{"error_code":15,"error_msg":"no"}}"#
                        return .chunks(Array(text.utf8).chunks(of: size), fields: fields)
                    }
                    let error = await failure(
                        manager.operation(EngineRequests.download(id: 1, to: path)))
                    #expect(error?.reason == .refused && error?.message == "no")
                    #expect(try DiskFile.read(path) == [1, 2, 3])
                    #expect(try DiskFile.read("\(path).part") == [4, 5])
                }
            }
        }
    }

    @Test(
        "the reply of a download may begin like a byte order mark without being one",
        arguments: [[0xEF], [0xEF, 0xBB], [0xEF, 0x7B, 0x7D], [0xEF, 0xBB, 0x7B], [0x20, 0xEF]])
    func nearlyMarked(_ bytes: [UInt8]) async throws {
        try await withFile { path in
            let manager = manager { _ in .chunks(bytes.chunks(of: 1)) }
            _ = try await manager.operation(EngineRequests.download(id: 1, to: path)).value
            #expect(try DiskFile.read(path) == bytes)
        }
    }

    @Test("status 416 to a request for a whole file states why, as any error reply does")
    func nothingThere() async throws {
        try await withFile { path in
            let text = #"{"error":{"error_code":14,"error_msg":"no"}}"#
            let refused = manager { _ in .json(text, status: .rangeNotSatisfiable) }
            let error = await failure(refused.operation(EngineRequests.download(id: 1, to: path)))
            #expect(error?.reason == .status(416) && error?.status == 416)
            #expect(error?.code == "14" && error?.body == Array(text.utf8))
            let expired = APIManager<TinyAPI>(
                transport: InMemoryTransport { [bytes] request in
                    request.head.path?.contains("access_token=new") == true
                        ? .bytes(bytes)
                        : .json(#"{"error":{"error_code":5}}"#, status: .rangeNotSatisfiable)
                },
                credentials: MemoryCredentialStore(Credential(token: "old"))
            ) {
                $0.refresher = .app { _ in Credential(token: "new") }
                $0.settings.clock = .stopped
            }
            _ = try await expired.operation(EngineRequests.download(id: 1, to: path)).value
            #expect(try DiskFile.read(path) == bytes)
        }
    }

    @Test("a download's reply that is no range of a file is reported by its status and request id")
    func named() async throws {
        try await withFile { path in
            let manager = manager { _ in .bytes(status: .noContent, fields: .requestID("q-1")) }
            let error = await failure(manager.operation(EngineRequests.download(id: 1, to: path)))
            let problem = DownloadError(path, reason: .unexpectedStatus(204))
            #expect(error?.reason == .download(problem))
            #expect(error?.status == 204 && error?.requestID == "q-1")
        }
    }

    @Test("the reply of a download may be an expired token there: a new one gets the file")
    func expiredWithin200() async throws {
        try await withFile { path in
            let bytes = bytes
            let manager = APIManager<TinyAPI>(
                transport: InMemoryTransport { request in
                    request.head.path?.contains("access_token=new") == true
                        ? .bytes(bytes)
                        : .json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)
                },
                credentials: MemoryCredentialStore(Credential(token: "old"))
            ) {
                $0.refresher = .app { _ in Credential(token: "new") }
                $0.settings.clock = .stopped
            }
            _ = try await manager.operation(EngineRequests.download(id: 1, to: path)).value
            #expect(try DiskFile.read(path) == bytes)
        }
    }

    @Test("a download's reply may be a JSON document, shorter or longer than the in-memory limit")
    func documents() async throws {
        try await withFile { path in
            for count in [1, 100, 1_000] {
                let items = Array(repeating: #"{"error":1}"#, count: count)
                let text = "[\(items.joined(separator: ","))]"
                let pieces = Array(text.utf8).chunks(of: 1_000)
                for length in [text.utf8.count, nil] {
                    let manager = manager { _ in
                        .chunks(pieces, length: length, fields: [.contentType: "application/json"])
                    }
                    _ = try await manager.operation(EngineRequests.download(id: 1, to: path)).value
                    #expect(try DiskFile.read(path) == Array(text.utf8))
                }
            }
        }
    }

    @Test("a download's reply without a type is judged if it can be an object within the limit")
    func undeclared() async throws {
        try await withFile { path in
            let padding = String(repeating: " ", count: 5_000)
            let texts = [
                #"[{"error":1}]"#, #"{"error":"#, "", " ", padding,
                "{\"a\":\"\(padding)\",\"error\":1}", "\(padding){\"error\":1}",
                "\u{FEFF}[{\"error\":1}]", "\u{FEFF}", "\u{FEFF}\(padding){\"error\":1}",
                "\u{FEFF}\u{FEFF}{\"error\":1}", " \u{FEFF}{\"error\":1}",
            ]
            for text in texts {
                let bytes = Array(text.utf8)
                for length in [bytes.count, nil] {
                    let manager = manager { _ in
                        .chunks(bytes.chunks(of: 1_000), length: length)
                    }
                    _ = try await manager.operation(EngineRequests.download(id: 1, to: path)).value
                    #expect(try DiskFile.read(path) == bytes)
                }
            }
        }
    }

    @Test("the reply of a download may be a range also where only 200 is a success")
    func partOf200() async throws {
        try await withFile { path in
            let server = FileOnServer(bytes, entityTag: "\"1\"")
            server.cutNextReply(after: 50_000)
            let manager = APIManager<TinyAPI>(
                transport: InMemoryTransport(serving: server.answer),
                credentials: MemoryCredentialStore(credential)
            ) { $0.settings.clock = .stopped }
            let endpoint = Endpoint(
                .get, "big/1", reply: ReplyRules(status: [200...200]),
                operation: OperationRules(kind: .download))
            let retry = RetryPolicy(attempts: 2, backoff: Backoff(initial: .zero))
            let download = manager.operation(
                request(endpoint, to: path), options: CallOptions(retry: retry))
            _ = try await download.value
            #expect(try DiskFile.read(path) == bytes)
            #expect(server.bodyBytesSent == bytes.count)
        }
    }

    @Test("the reply of a download is that of a path which the credential completes")
    func pathOfCredential() async throws {
        try await withFile { path in
            let manager = manager { request in
                request.head.path?.hasPrefix("/method/users/7/archive?") == true
                    ? .bytes([1]) : .bytes(status: .notFound)
            }
            let endpoint = Endpoint(
                .get, "users/{id}/archive", operation: OperationRules(kind: .download))
            let download = manager.operation(
                request(endpoint, to: path) { builder in
                    builder.path("id", Int?.none, orCredential: "user_id")
                })
            let file = try await download.value
            #expect(file.bytes == 1)
        }
    }

    @Test("the reply of a download reports no new byte if it states that none is left")
    func nothingLeft() async throws {
        try await withFile { path in
            let bytes = bytes
            let manager = manager { request in
                guard request.head.headerFields[.range] == nil else {
                    return .bytes(
                        status: .rangeNotSatisfiable,
                        fields: [
                            .contentRange: "bytes */\(bytes.count)", .contentType: "text/html",
                        ])
                }
                return .chunks(
                    [bytes], then: .truncated(received: bytes.count, expected: nil),
                    fields: [.contentType: "image/png", .eTag: "\"1\""])
            }
            let retry = RetryPolicy(attempts: 2, backoff: Backoff(initial: .zero))
            let file = try await manager.operation(
                EngineRequests.download(id: 1, to: path), options: CallOptions(retry: retry)
            ).value
            #expect(file.bytes == bytes.count && file.contentType == "image/png")
            #expect(try DiskFile.read(path) == bytes)
        }
    }

    @Test("a download goes to a file with the longest possible name, and none with a longer one")
    func longNames() async throws {
        try await withFile { path in
            let folder = URL(filePath: path).deletingLastPathComponent().path()
            for length in [245, 246, 250] {
                let name = String(repeating: "a", count: length)
                let manager = manager { [bytes] _ in .bytes(bytes, fields: [.eTag: "\"1\""]) }
                let download = manager.operation(
                    EngineRequests.download(id: 1, to: "\(folder)/\(name)"))
                if length == 245 {
                    let file = try await download.value
                    #expect(file.bytes == bytes.count)
                } else {
                    let error = await failure(download)
                    #expect(error?.description.contains("use a shorter one") == true)
                }
            }
            let names = try names(in: folder)
            #expect(names.map(\.count) == [245])
        }
    }
}

@Suite("The reply of a stream")
struct StreamReplyTests {
    @Test("the reply of a stream may be an error under a success status, in place of events")
    func refusedWithin200() async throws {
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in
                .json(#"{"error":{"error_code":15,"error_msg":"no"}}"#)
            }
        ) { $0.settings.clock = .stopped }
        let error = await failure(manager.operation(EngineRequests.events()))
        #expect(error?.reason == .refused && error?.message == "no")
    }

    @Test("the reply of a stream is no empty list of events if its media type differs")
    func otherType() async throws {
        for (type, text) in [
            ("text/html; charset=utf-8", "<html>Log in</html>"), ("application/json", "{}"),
            ("text/plain", "data: 1\n\n"),
        ] {
            let sent = Counter()
            let manager = APIManager<TinyAPI>(
                transport: InMemoryTransport { _ in
                    _ = sent.next()
                    return .bytes(Array(text.utf8), fields: [.contentType: type])
                }
            ) { $0.settings.clock = .stopped }
            let operation = manager.operation(
                EngineRequests.events(),
                options: CallOptions(retry: RetryPolicy(backoff: Backoff(initial: .zero))))
            let error = await failure(operation)
            #expect(error?.reason == .unexpectedReply && error?.status == 200)
            #expect(error?.violations.first?.path == "Content-Type")
            #expect(sent.value == 1)
        }
    }

    @Test("the reply of a stream may write the media type of events in other letter case")
    func events() async throws {
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in
                .bytes(
                    Array("data: 1\n\n".utf8),
                    fields: [.contentType: "Text/Event-Stream ; charset=utf-8"])
            }
        ) { $0.settings.clock = .stopped }
        #expect(try await manager.operation(EngineRequests.events()).value.count == 1)
    }

    @Test("the reply of a stream takes time in proportion to its bytes, however they are split")
    func linear() throws {
        for format in [StreamFormat.serverSentEvents, .jsonLines] {
            var decoder = StreamDecoder(format, limit: 1_000_000, lastEventID: "")
            #expect(try decoder.feed(Array("data: ".utf8)).isEmpty)
            for _ in 0..<100_000 { #expect(try decoder.feed([0x61]).isEmpty) }
            #expect(try decoder.feed([0x0A, 0x0A]).first.map { $0.bytes.count >= 100_000 } == true)
        }
    }
}

extension [UInt8] {
    /// The same bytes in chunks.
    func chunks(of size: Int) -> [[UInt8]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}

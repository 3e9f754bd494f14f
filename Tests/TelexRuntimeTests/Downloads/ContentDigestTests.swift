import Foundation
import HTTPTypes
import TelexTesting
import TelexTransport
import Testing

@testable import TelexDownloads
@testable import TelexRuntime

@Suite("The digest of a download")
struct ContentDigestTests {
    private let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }

    /// The digest of bytes, as a server sends it.
    private func field(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return "sha-256=:\(Data(hash.value).base64EncodedString()):"
    }

    /// Downloads a document, in two attempts if the first one is dropped.
    ///
    /// - Returns: The reason why it cannot be finished; nil if it is.
    private func reason(
        _ fields: HTTPFields, dropAfter limit: Int = .max
    ) throws -> DownloadError.Reason? {
        let document = ServedDocument(bytes: bytes, fields: fields)
        return try withFolder { folder in
            let path = "\(folder)/file"
            var file = try PartialFile(destination: path, source: source())
            try file.attempt(document, dropAfter: limit)
            if limit < bytes.count { try file.attempt(document) }
            do throws(DownloadError) { try file.finish() } catch {
                #expect(file.offset == 0)
                #expect(try names(in: folder).contains("file") == false)
                return error.reason
            }
            #expect(try DiskFile.read(path) == bytes)
            return nil
        }
    }

    @Test(
        "the digest of a download is that of its bytes, in one part or in two",
        arguments: [400, Int.max])
    func right(_ limit: Int) throws {
        #expect(try reason([.reprDigest: field(bytes)], dropAfter: limit) == nil)
        #expect(
            try reason([.reprDigest: "sha-512=:AAAA:, \(field(bytes))"], dropAfter: limit) == nil)
    }

    @Test(
        "the digest of a download is not that of its bytes, which are dropped then",
        arguments: [400, Int.max])
    func wrong(_ limit: Int) throws {
        #expect(try reason([.reprDigest: field([1])], dropAfter: limit) == .wrongDigest)
    }

    @Test("the digest of a download may be that of the only reply, but not of a part")
    func content() throws {
        #expect(try reason([.contentDigest: field(bytes)]) == nil)
        #expect(try reason([.contentDigest: field([1])]) == .wrongDigest)
        // The field of the second reply is about the part that it brings.
        #expect(try reason([.contentDigest: field(bytes)], dropAfter: 400) == nil)
    }

    @Test(
        "the digest of a download is ignored if it is not a SHA-256",
        arguments: [
            "", "sha-256", "sha-256=", "sha-256=::", "sha-256=:AAAA:", "sha-256=\"AAAA\"",
            "sha-512=:AAAA:", "md5=:AAAA:", "sha-256=:\u{FF}:", ":::", ",,,",
        ])
    func ignored(_ text: String) throws {
        #expect(try reason([.reprDigest: text]) == nil)
    }

    @Test("the digest of a download says nothing about bytes that the transport has decoded")
    func encoded() throws {
        let fields: HTTPFields = [.contentEncoding: "gzip", .reprDigest: field([1])]
        #expect(try reason(fields) == nil)
    }

    @Test("the digest of a download is remembered after the process was killed")
    func remembered() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            let first = ServedDocument(bytes: bytes, fields: [.reprDigest: field([1])])
            do {
                var file = try PartialFile(destination: path, source: source())
                try file.attempt(first, dropAfter: 400)
            }
            var file = try PartialFile(destination: path, source: source())
            try file.attempt(ServedDocument(bytes: bytes))
            #expect(throws: DownloadError(path, reason: .wrongDigest)) { try file.finish() }
        }
    }

    @Test("a download's digest detects a file changed behind the download, which begins anew")
    func changed() async throws {
        let digest = field(bytes)
        let server = FileOnServer(bytes, entityTag: "\"1\"")
        server.cutNextReply(after: 400)
        let transport = InMemoryTransport(serving: { request in
            var reply = server.answer(request)
            guard case .head(var head)? = reply.steps.first else { return reply }
            head.headerFields[.reprDigest] = digest
            reply.steps[0] = .head(head)
            return reply
        })
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
        ) { $0.settings.clock = .stopped }
        try await withFile { path in
            func download(attempts: Int) async throws {
                let retry = RetryPolicy(attempts: attempts, backoff: Backoff(initial: .zero))
                _ = try await manager.operation(
                    EngineRequests.download(id: 1, to: path), options: CallOptions(retry: retry)
                ).value
            }
            await #expect(throws: APIError.self) { try await download(attempts: 1) }
            try Data(repeating: 0, count: 400).write(to: URL(filePath: "\(path).part"))
            try await download(attempts: 2)
            #expect(try DiskFile.read(path) == bytes)
            let ranges = transport.requests.map { $0.head.headerFields[.range] }
            #expect(ranges == [nil, "bytes=400-", nil])
        }
    }
}

import Foundation
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

/// A change of a file while it is sent.
private enum Change: CaseIterable, CustomTestStringConvertible {
    case shorter, longer, rewritten, replaced

    var testDescription: String { "\(self)" }

    func make(at path: String) throws {
        let url = URL(filePath: path)
        if self == .replaced { return try Data([1, 2, 3]).write(to: url, options: .atomic) }
        let file = try FileHandle(forUpdating: url)
        switch self {
        case .shorter: try file.truncate(atOffset: 1_000)
        case .longer:
            try file.seekToEnd()
            try file.write(contentsOf: Data(repeating: 9, count: 5_000_000))
        default: try file.write(contentsOf: Data([2]))
        }
        try file.close()
    }
}

@Suite("An upload whose file changes while it is sent")
struct ChangingFileUploadTests {
    private static let length = 33_554_432

    /// A file that was last written long ago.
    private func withOldFile(_ body: (String) async throws -> Void) async throws {
        let path = NSTemporaryDirectory() + "telex-test-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: 7, count: Self.length).write(to: URL(filePath: path))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: path)
        try await body(path)
    }

    private func request(
        _ server: LoopbackServer, _ body: RequestBody, _ onBodySent: @escaping @Sendable () -> Void
    ) -> TransportRequest {
        TransportRequest(
            head: .init(method: .put, scheme: "http", authority: server.authority, path: "/"),
            body: body, timeout: .noTimeout, onBodySent: { _ in onBodySent() })
    }

    /// The error of an upload whose file changes after its first bytes were sent.
    private func error(
        _ kind: TransportKind, _ change: Change, _ body: (String) -> RequestBody, _ path: String
    ) async throws -> TransportError? {
        let server = try LoopbackServer { .text("\($0.body.count)") }
        defer { server.stop() }
        let outcome = Lock<Result<Void, any Error>?>(nil)
        let request = request(server, body(path)) {
            outcome.withLock { outcome in
                if outcome == nil { outcome = Result { try change.make(at: path) } }
            }
        }
        defer { #expect(throws: Never.self) { try outcome.withLock { $0 }?.get() } }
        do {
            _ = try await kind.makeTransport().send(request).body.collect(upTo: 99)
            return nil
        } catch { return error }
    }

    @Test(
        "a file changing while sent fails its upload with its path and advice, for any reply",
        arguments: TransportKind.onSockets, Change.allCases)
    fileprivate func changed(_ kind: TransportKind, _ change: Change) async throws {
        // A transport with an open file sends it whole, although its path names another file.
        if change == .replaced && kind != .urlSession { return }
        try await withOldFile { path in
            let error = try await error(
                kind, change, { .file(path: $0, length: Self.length) }, path)
            #expect(error?.kind == .invalidRequest)
            #expect(error?.message.contains(path) == true)
            #expect(error?.message.contains("upload a copy") == true)
        }
    }

    @Test(
        "an upload is sent whole if its file stays what it was", arguments: TransportKind.onSockets)
    func same(_ kind: TransportKind) async throws {
        try await withOldFile { path in
            let server = try LoopbackServer { .text("\($0.body.count)") }
            defer { server.stop() }
            let request = request(server, .file(path: path, length: Self.length)) {}
            let reply = try await kind.makeTransport().send(request)
            #expect(try await reply.body.collect(upTo: 99) == Array("\(Self.length)".utf8))
        }
    }

    @Test(
        "an upload succeeds if its file changes after the reply has begun",
        arguments: TransportKind.onSockets)
    func later(_ kind: TransportKind) async throws {
        try await withOldFile { path in
            let gate = Gate()
            let server = try LoopbackServer { _ in
                LoopbackReply(
                    LoopbackReply.stalled([1], declaring: 2).steps.dropLast()
                        + [.wait(gate), .send([2])])
            }
            defer { server.stop() }
            let request = request(server, .file(path: path, length: Self.length)) {}
            let reply = try await kind.makeTransport().send(request)
            try Change.longer.make(at: path)
            gate.open()
            #expect(try await reply.body.collect(upTo: 2) == [1, 2])
        }
    }
}

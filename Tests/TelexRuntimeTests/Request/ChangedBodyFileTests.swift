import Foundation
import Testing

@testable import TelexRuntime

/// A change to a file while it is sent.
private enum Change: CaseIterable, CustomTestStringConvertible {
    case shorter, empty, longer, rewritten

    var testDescription: String { "\(self)" }

    func make(at path: String) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        switch self {
        case .shorter: try file.truncate(atOffset: 400_000)
        case .empty: try file.truncate(atOffset: 0)
        case .longer:
            try file.seekToEnd()
            try file.write(contentsOf: Data([1]))
        case .rewritten: try file.write(contentsOf: Data([2]))
        }
        try file.close()
    }

    /// A part of the error's text.
    var words: String {
        switch self {
        case .shorter: "of the 1000000 bytes promised"
        case .empty: "of the 1000000 bytes promised"
        case .longer: "more than the 1000000 bytes promised"
        case .rewritten: "it was written to"
        }
    }
}

@Suite("A file that is read for a body")
struct ChangedBodyFileTests {
    private static let length = 1_000_000

    /// A file in a folder of its own, last written long ago.
    private func withOldFile(_ body: (String) async throws -> Void) async throws {
        try await withFile { path in
            try Data(repeating: 7, count: Self.length).write(to: URL(filePath: path))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
                ofItemAtPath: path)
            try await body(path)
        }
    }

    /// Reads the body; `then` is called when its first chunk has arrived.
    private func read(
        _ body: RequestBody, then work: () throws -> Void = {}
    ) async throws -> (bytes: Int, error: TransportError?) {
        var (count, failed) = (0, false)
        do throws(TransportError) {
            try await body.read { chunk in
                if count == 0 { do { try work() } catch { failed = true } }
                count += chunk.count
            }
        } catch {
            try #require(!failed)
            return (count, error)
        }
        try #require(!failed)
        return (count, nil)
    }

    private func bodies(_ path: String) -> [RequestBody] {
        let length = Self.length
        return [
            .file(path: path, length: length),
            .parts([.file(path: path, length: length), .bytes([1])]),
        ]
    }

    @Test(
        "a body's file is refused if it changes while it is read, before the body is complete",
        arguments: Change.allCases)
    fileprivate func changed(_ change: Change) async throws {
        for index in 0..<2 {
            try await withOldFile { path in
                let (count, error) = try await read(bodies(path)[index]) {
                    try change.make(at: path)
                }
                #expect(error?.kind == .invalidRequest)
                #expect(count < Self.length)
                let text = try #require(error?.message)
                #expect(text.contains(path) && text.contains(change.words))
                #expect(text.contains("upload a copy"))
            }
        }
    }

    @Test("a file that is read for a body is read completely if it stays unchanged")
    func same() async throws {
        try await withOldFile { path in
            let (whole, alone) = try await read(bodies(path)[0])
            #expect(whole == Self.length && alone == nil)
            let (all, among) = try await read(bodies(path)[1])
            #expect(all == Self.length + 1 && among == nil)
        }
    }

    @Test("a file that is read for a body is refused if it was replaced or removed")
    func replaced() async throws {
        try await withOldFile { path in
            let promised = try FileSnapshot(path: path, length: Self.length)
            try promised.check()
            try DiskFile.replace(path, with: [UInt8](repeating: 7, count: Self.length))
            let error = #expect(throws: TransportError.self) { try promised.check() }
            #expect(error?.message.contains("it was replaced by another file") == true)
            try FileManager.default.removeItem(atPath: path)
            let gone = #expect(throws: TransportError.self) { try promised.check() }
            #expect(gone?.message.contains("it is gone") == true)
        }
    }
}

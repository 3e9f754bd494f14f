import Foundation
import TelexRuntime
import TelexTesting
import Testing

@testable import TelexURLSession

@Suite("A body that is spooled to disk before it is sent")
struct SpoolTests {
    @Test("a body that is spooled to disk fails permanently if it cannot be written, with advice")
    func noRoom() async {
        let body = RequestBody.stream(length: 1) { () async throws(TransportError) in [1] }
        let nowhere = URL(fileURLWithPath: "/nowhere/at/all/body")
        let error = await #expect(throws: TransportError.self) {
            _ = try await Upload(body, timeout: .noTimeout) { () throws(TransportError) in nowhere
            }
        }
        #expect(error?.kind == .invalidRequest)
        #expect(error?.message.contains("make room") == true)
    }

    @Test("a spooled body is not awaited after a time-out if its stream ignores cancellation")
    func deaf() async {
        let gate = Gate()
        defer { gate.open() }
        let body = RequestBody.stream(length: 1) { () async throws(TransportError) in
            await Task { await gate.wait() }.value
            return [1]
        }
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-test-\(UUID().uuidString)")
        let error = await #expect(throws: TransportError.self) {
            _ = try await Upload(body, timeout: .milliseconds(80)) { () throws(TransportError) in
                file
            }
        }
        #expect(error?.kind == .timedOut)
        #expect(!gate.isOpen)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("a spooled body is on disk when the upload begins, and remains")
    func remains() async throws {
        let body = RequestBody.parts([.bytes([1]), .bytes([2, 3])])
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-test-\(UUID().uuidString)")
        let upload = try await Upload(body, timeout: .noTimeout) { () throws(TransportError) in
            file
        }
        #expect(try Data(contentsOf: file) == Data([1, 2, 3]))
        upload.removeTemporaryFile()
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}

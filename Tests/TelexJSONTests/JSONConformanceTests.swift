import Foundation
import TelexJSON
import Testing

/// The test suite of "Parsing JSON is a minefield" (Nicolas Seriot), read from its folder.
@Suite struct JSONConformanceTests {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/data/json-test-suite/test_parsing")

    static let files: [URL] =
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
        ?? []

    @Test(
        "the reader accepts and refuses the files of the suite, and never traps",
        .enabled(if: !files.isEmpty))
    func suite() throws {
        for file in Self.files.sorted(by: { $0.path() < $1.path() }) {
            let bytes = [UInt8](try Data(contentsOf: file))
            let skipped: JSONResult<Void> = JSONReader.read(bytes) { $0.nothing() }
            let kept: JSONResult<JSONValue> = JSONReader.read(bytes) { $0.value() }
            let name = file.lastPathComponent
            let isAccepted = skipped.syntaxError == nil
            #expect(isAccepted == (kept.syntaxError == nil), "\(name): reading and skipping differ")
            #expect(kept.syntaxError?.offset == skipped.syntaxError?.offset, "\(name)")
            if name.hasPrefix("y_") {
                #expect(isAccepted, "\(name): \(skipped.report)")
                #expect(kept.value != nil, "\(name)")
            }
            if name.hasPrefix("n_") { #expect(!isAccepted, "\(name) must be refused") }
        }
    }

    @Test("every accepted file of the suite survives a round trip")
    func roundTrip() throws {
        for file in Self.files {
            let bytes = [UInt8](try Data(contentsOf: file))
            guard let value = JSONReader.value(at: [], in: bytes) else { continue }
            let again = JSONReader.value(at: [], in: Array(value.description.utf8))
            #expect(again == value, "\(file.lastPathComponent)")
        }
    }
}

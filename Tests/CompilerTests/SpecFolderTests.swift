import Foundation
import Testing

@Suite("The specs of this repository")
struct SpecFolderTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("specs")

    /// The YAML files of each folder of specs, by the folder's name.
    private static func folders() throws -> [String: [(path: String, bytes: [UInt8])]] {
        var folders: [String: [(path: String, bytes: [UInt8])]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: root.path)
        where path.hasSuffix(".yaml") {
            let parts = path.split(separator: "/", maxSplits: 1)
            let data = try Data(contentsOf: root.appendingPathComponent(path))
            folders[String(parts[0]), default: []].append((String(parts[1]), Array(data)))
        }
        return folders
    }

    @Test("each compiles without a word")
    func silence() throws {
        for (name, files) in try Self.folders() {
            let analysis = Analysis(bytes: files)
            #expect(analysis.rendered.isEmpty, "\(name)")
            #expect(analysis.api != nil, "\(name)")
        }
    }
}

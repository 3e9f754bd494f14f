import Foundation
import SpecImport

/// The schema of the VK API, where it is beside the package.
enum VKFiles {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/data/vk-api-schema")

    static let areThere = FileManager.default.fileExists(atPath: folder.path)

    /// The files, by path in the folder of the schema.
    static func read() throws -> [(path: String, bytes: [UInt8])] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter(DescriptionImport.isPartOfVK).sorted().map { name in
                let url = folder.appendingPathComponent(name)
                return (path: name, bytes: Array(try Data(contentsOf: url)))
            }
    }
}

import Foundation

/// A temporary folder that is removed when it is released.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-real-\(UUID().uuidString)").resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func place(_ name: String) -> String { "\(path)/\(name)" }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: place(name), withIntermediateDirectories: true)
    }

    func write(_ name: String, _ data: Data) throws {
        try data.write(to: URL(fileURLWithPath: place(name)), options: .atomic)
    }

    func read(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: place(name)))
    }

    /// The size of a file in bytes; 0 if there is none.
    func size(_ name: String) -> Int {
        let facts = try? FileManager.default.attributesOfItem(atPath: place(name))
        return facts?[.size] as? Int ?? 0
    }

    func names(_ name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place(name)).sorted()
    }
}

extension Data {
    /// Pseudo-random bytes that depend only on the seed. No two parts are alike, so that a part in
    /// the wrong place is detected.
    static func seeded(_ seed: UInt64, count: Int) -> Data {
        var state = seed
        var words = [UInt64](repeating: 0, count: (count + 7) / 8)
        for index in words.indices {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            words[index] = state
        }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }
}

import Foundation
import ProcessSupport
import Testing

/// The targets of this package, as its manifest declares them.
struct PackageGraph {
    private struct Manifest: Decodable {
        struct Target: Decodable {
            var name: String
            var type: String
            var dependencies: [[String: [Item?]]]
        }

        struct Product: Decodable {
            var targets: [String]
            var type: [String: [String]?]
        }

        /// A name; other values stand for conditions.
        struct Item: Decodable {
            var name: String?

            init(from decoder: any Decoder) {
                name = try? decoder.singleValueContainer().decode(String.self)
            }
        }

        var targets: [Target]
        var products: [Product]
    }

    /// What each target depends on: targets, and products of other packages.
    private let dependencies: [String: [String]]
    /// The test targets.
    let tests: [String]
    /// The targets of library products.
    let libraries: [String]

    /// Reads the manifest in a folder, whatever part of it these tests were built from.
    init(_ folder: URL) async throws {
        let scratch = try Sandbox()
        let run = try await Run.program(
            "/usr/bin/env",
            [
                "-u", "TELEX_TESTS", "swift", "package", "--scratch-path", scratch.url.path,
                "dump-package",
            ], in: folder)
        try #require(run.status == 0, "\(run.errors)")
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(run.output.utf8))
        dependencies = Dictionary(
            uniqueKeysWithValues: manifest.targets.map { target in
                (target.name, target.dependencies.flatMap(\.values).compactMap { $0.first??.name })
            })
        tests = manifest.targets.filter { $0.type == "test" }.map(\.name)
        libraries = manifest.products.filter { $0.type["library"] != nil }.flatMap(\.targets)
    }

    /// These targets, and all that they are built from.
    func all(for targets: [String]) -> Set<String> {
        var (found, next) = (Set<String>(), targets)
        while let name = next.popLast() {
            if found.insert(name).inserted { next += dependencies[name] ?? [] }
        }
        return found
    }
}

import Foundation
import Testing

/// The output is given to Swift's compiler and to its formatter.
@Suite("Output compiles", .serialized)
struct CompiledOutputTests {
    enum Case: String, CaseIterable {
        case hostile, everything, shapes, bare

        var spec: TestSpec {
            switch self {
            case .hostile: HostileSpec.spec
            case .everything: EverythingSpec.spec
            case .shapes: ShapesSpec.spec
            case .bare:
                // No methods, no models, no credential, no errors.
                TestSpec(files: [
                    "api.yaml": "telex: 1\napi: Bare\nservers: { a: https://example.com/ }\n",
                    "none.yaml": "doc: Nothing.\n",
                ])
            }
        }
    }

    private static let hasModules = Tool.modules != nil

    @Test(
        "What a spec can say, however hostile, compiles without a warning",
        .enabled(if: hasModules),
        arguments: [Case.hostile, .shapes, .bare])
    func compiles(_ item: Case) async throws {
        let report = try await Tool.typecheck(item.spec.emitted())
        #expect(report.isSuccess, "\(report.text)")
    }

    @Test(
        "The output compiles in a module that belongs to the main actor", .enabled(if: hasModules),
        arguments: [Case.everything, .shapes, .bare])
    func compilesOnMainActor(_ item: Case) async throws {
        let report = try await Tool.typecheck(
            item.spec.emitted(), ["-default-isolation", "MainActor"])
        #expect(report.isSuccess, "\(report.text)")
    }

    @Test(
        "The formatter finds nothing", .enabled("a formatter", Tool.hasFormatter),
        arguments: Case.allCases)
    func isFormatted(_ item: Case) async throws {
        let report = try await Tool.lint(item.spec.emitted())
        #expect(report.isSuccess, "\(report.text)")
    }

    @Test(
        "The formatter finds nothing in the clients of this repository",
        .enabled("a formatter", Tool.hasFormatter))
    func clientsAreFormatted() async throws {
        let folder = Tool.root.appendingPathComponent("Generated")
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where name.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            let report = try await Tool.lint(["Client.swift": text])
            #expect(report.isSuccess, "\(name): \(report.text)")
        }
    }
}

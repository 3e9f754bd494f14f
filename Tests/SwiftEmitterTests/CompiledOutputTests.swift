import Foundation
import ProcessSupport
import TestSupport
import Testing

/// Checks the output with the Swift compiler and formatter.
@Suite("Output compiles")
struct CompiledOutputTests {
    enum Case: String, CaseIterable {
        case hostile, everything, shapes, sharing, bare, inward, extreme, unions, rules
        case plainHostile, plainEverything, plainShapes

        var spec: TestSpec {
            switch self {
            case .hostile: HostileSpec.spec
            case .everything: EverythingSpec.spec
            case .shapes: ShapesSpec.spec
            case .sharing: SharingSpec.spec
            case .extreme: ExtremeSpec.spec
            case .unions: UnionsSpec.spec
            case .rules: RulesSpec.spec
            case .plainHostile: HostileSpec.spec.plain
            case .plainEverything: EverythingSpec.spec.plain
            case .plainShapes: ShapesSpec.spec.plain
            case .bare:
                // No methods, no models, no credential, no errors.
                TestSpec(files: [
                    "api.yaml": "telex: 1\napi: Bare\nservers: { a: https://example.com/ }\n",
                    "none.yaml": "doc: Nothing.\n",
                ])
            case .inward:
                // Foundation types without an argument, and an unused model.
                TestSpec(files: [
                    "api.yaml": """
                    telex: 1
                    api: Inward
                    servers: { a: https://example.com/ }
                    parameters: { day: { type: Date, as: yyyy-MM-dd, const: 2020-01-02 } }

                    """,
                    "days.yaml": """
                    methods:
                      get:
                        get: days
                        query: { since: { type: Date, as: yyyy-MM-dd, const: 2020-01-02 } }

                    """,
                    "plain.yaml": "models: { Point: { x: int, y: int } }\n",
                    "dates.yaml": """
                    models: { Day: { on: { type: Date, as: date, const: 2020-01-02 } } }

                    """,
                    "json.yaml": "models: { Shape: { any: json, name: string? | null } }\n",
                    "secret.yaml": """
                    models:
                      Key: { value: { type: string, sensitive: true } }

                    """,
                    "told.yaml": """
                    models:
                      Told: { description: { type: string, sensitive: true } }

                    """,
                ])
            }
        }
    }

    private static let hasModules = SwiftToolchain.modules != nil

    @Test(
        "The output of every spec, however hostile, compiles without a warning",
        .serialized, .enabled(if: hasModules),
        arguments: [
            Case.hostile, .plainHostile, .shapes, .sharing, .bare, .inward, .extreme, .unions,
        ])
    func compiles(_ item: Case) async throws {
        let report = try await SwiftToolchain.typecheck(item.spec.emitted())
        #expect(report.isSuccess, "\(report.text)")
    }

    @Test(
        "The output compiles in a module that belongs to the main actor", .serialized,
        .enabled(if: hasModules), arguments: [Case.everything, .plainShapes, .bare])
    func compilesOnMainActor(_ item: Case) async throws {
        let report = try await SwiftToolchain.typecheck(
            item.spec.emitted(), ["-default-isolation", "MainActor"])
        #expect(report.isSuccess, "\(report.text)")
    }

    private static let catalogue = SwiftToolchain.root.appending(
        path: "Sources/TelexCompiler/TelexCompiler.docc")

    @Test(
        "The specs on a page become Swift that compiles", .serialized, .enabled(if: hasModules),
        arguments: SpecPage.names(in: catalogue))
    func page(name: String) async throws {
        let page = try SpecPage(Self.catalogue.appending(path: "\(name).md"))
        for (folder, files) in page.folders {
            let report = try await SwiftToolchain.typecheck(TestSpec(files: files).emitted())
            #expect(report.isSuccess, "folder \(folder): \(report.text)")
        }
    }

    @Test(
        "The output compiles without a warning with every upcoming feature of Swift",
        .serialized, .enabled(if: hasModules),
        arguments: [Case.everything, .plainEverything, .bare, .inward, .unions, .rules])
    func compilesWithUpcomingFeatures(_ item: Case) async throws {
        let report = try await SwiftToolchain.typecheck(
            item.spec.emitted(), SwiftToolchain.upcomingFeatures)
        #expect(report.isSuccess, "\(report.text)")
    }

    @Test("An app needs one import to use values", .enabled(if: hasModules))
    func oneImport() async throws {
        let app = """
            import TelexRuntime

            let nothing: Nullable<Int> = .null
            let facts: JSONValue = ["a": 1]

            func places(of error: APIError, _ cursor: Nullable<String>?) -> [String] {
                error.violations.map(\\.path) + [cursor?.optional].compactMap(\\.self)
            }

            """
        let report = try await SwiftToolchain.typecheck(
            ["App.swift": app], SwiftToolchain.upcomingFeatures)
        #expect(report.isSuccess, "\(report.text)")
    }

    @Test(
        "The output compiles without a warning in the language mode of Swift 5",
        .serialized, .enabled(if: hasModules), arguments: [Case.shapes, .unions])
    func compilesInSwift5(_ item: Case) async throws {
        let report = try await SwiftToolchain.typecheck(
            item.spec.emitted(), ["-swift-version", "5"])
        #expect(report.isSuccess, "\(report.text)")
    }

    @Test(
        "the formatter reports nothing in the output", .serialized,
        .enabled("a formatter", SwiftToolchain.hasFormatter),
        arguments: Case.allCases)
    func isFormatted(_ item: Case) async throws {
        let report = try await SwiftToolchain.lint(item.spec.emitted())
        #expect(report.isSuccess, "\(report.text)")
    }
}

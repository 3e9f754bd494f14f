import Foundation
import ProcessSupport
import SpecIR
import Testing

/// A group whose spec file is large becomes several Swift files.
@Suite("A large group")
struct SplitGroupTests {
    private static let modelCount = 480

    /// A spec of models of all kinds, so that files differ in what they import.
    private static let spec = TestSpec(files: [
        "api.yaml": """
        telex: 1
        api: Large
        servers: { main: https://a.example/ }
        generate: [fakes, requests]

        """,
        "things.yaml": """
        methods:
          list: { get: things, returns: [Thing4] }
          add: { post: things, json: { thing: Thing0, on: Date }, returns: Thing5 }
        models:

        """ + (0..<modelCount).map(model).joined(),
    ])

    private static func model(_ index: Int) -> String {
        let kinds = [
            #"{ code: { type: string, pattern: "^[a-z]+$" } }"#, "{ x: int, y: int }",
            "{ on: Date }", "{ enum: [first, second, third] }", "{ any: json, next: Thing0? }",
            "{ key: { type: string, sensitive: true } }",
        ]
        // From the last kind on, models are unused, and need no import.
        return
            "  Thing\(index): \(kinds[index % kinds.count]) # \(String(repeating: "-", count: 60))\n"
    }

    private static func names(_ files: [String: String]) -> [String] {
        files.keys.filter { $0.hasPrefix("Things") }.sorted()
    }

    @Test(
        "a large group becomes a file per 24 KiB, and all compile with every upcoming feature",
        .enabled(if: SwiftToolchain.modules != nil, "needs compiled modules"))
    func compiles() async throws {
        let files = try Self.spec.emitted()
        #expect(Self.names(files) == ["Things+2.swift", "Things+3.swift", "Things.swift"])
        let declared = Self.names(files).map { name in
            files[name]?.matches(of: #/(?m)^nonisolated public (?:struct|enum) Thing\d+\b/#).count
                ?? 0
        }
        #expect(declared.reduce(0, +) == Self.modelCount)
        #expect(declared.allSatisfy { $0 > Self.modelCount / 4 }, "\(declared)")
        let report = try await SwiftToolchain.typecheck(
            files, SwiftToolchain.upcomingFeatures + ["-default-isolation", "MainActor"])
        #expect(report.isSuccess, "\(report.text)")
    }

    @Test("a large group has the number of files that a build tool has declared")
    func declared() {
        for count in [1, 2, 7, 400] {
            let files = Self.spec.compiled(parts: ["things.yaml": count]).files
            #expect(files.filter { $0.name.hasPrefix("Things") }.count == count)
            #expect(files.map(\.text).joined().contains("struct Thing0:"))
        }
    }

    @Test("a large group and another group cannot generate the same file")
    func collision() {
        var spec = Self.spec
        spec.files["things/2.yaml"] = "models: {}\n"
        #expect(
            Self.errors(of: spec)
                == ["`things.yaml` and `things/2.yaml` would both generate `Things+2.swift`"])
        spec.files["things.yaml"] = "models: {}\n"
        #expect(Self.errors(of: spec) == [])
    }

    private static func errors(of spec: TestSpec) -> [String] {
        spec.compiled().diagnostics.all.filter { $0.code.severity == .error }.map(\.message)
    }
}

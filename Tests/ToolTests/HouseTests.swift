import Foundation
import ProcessSupport
import Testing

/// Checks the package itself.
@Suite("The package")
struct HouseTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test(
        "the package has generated code that is up to date",
        arguments: [
            ("vk", "Generated/VKClient"), ("instagram", "Generated/InstagramClient"),
            ("backend", "Generated/BackendClient"), ("gallery", "Generated/GalleryClient"),
            ("notion", "Generated/NotionClient"), ("tracker", "Generated/TrackerClient"),
            ("kinto", "Generated/KintoClient"), ("registry", "Generated/RegistryClient"),
            ("kinto-store", "Generated/KintoStoreClient"),
            ("aria2", "Generated/Aria2Client"), ("transmission", "Generated/TransmissionClient"),
            ("bookshelf", "Generated/BookshelfClient"), ("etcd", "Generated/EtcdClient"),
            ("documents", "Generated/DocumentsClient"),
            ("drawings", "Tests/ClientTests/Goldens/Unions"),
        ])
    func generated(spec: String, output: String) async throws {
        let tool = try #require(TelexTool.path)
        let run = try await Run.program(
            tool, ["generate", "specs/\(spec)", "--output", output, "--check"],
            in: Self.root)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("the package is formatted by its .swift-format")
    func format() async throws {
        let run = try await Run.program(
            "/usr/bin/env",
            [
                "swift", "format", "lint", "--strict", "--parallel", "--recursive",
                "Package.swift", "Sources", "Tests", "Generated",
            ], in: Self.root)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("the package has a README whose spec and call compile")
    func readme() async throws {
        let readme = try Self.text("README.md")
        let blocks = readme.components(separatedBy: "```yaml\n# file: users.yaml\n")
        let users = try #require(blocks.dropFirst().first?.components(separatedBy: "```").first)
        let sandbox = try Sandbox()
        try sandbox.write(
            "spec/api.yaml", "telex: 1\napi: VK\nservers: { a: https://a.example/ }\n")
        try sandbox.write("spec/users.yaml", users)
        let run = try await TelexTool.run("check", "spec", "--strict", in: sandbox)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("the package has no target that is in an app and in the tool of the build plugin")
    func archives() async throws {
        let graph = try await PackageGraph(Self.root)
        let (app, tool) = (
            graph.all(for: graph.libraries), graph.all(for: ["TelexBuildPlugin"])
        )
        #expect(app.contains("TelexJSON") && tool.contains("TelexCompiler"))
        #expect(app.intersection(tool) == [])
    }

    @Test("the package has tests of each library that need neither processes nor the compiler")
    func simulators() async throws {
        let graph = try await PackageGraph(Self.root)
        let needy = graph.tests.filter {
            !graph.all(for: [$0]).isDisjoint(with: ["Subprocess", "CLibYAML", "telex"])
        }
        #expect(
            needy == [
                "ClientTests", "SpecMockTests", "SpecCallTests", "RuntimeProcessTests",
                "RealServerTests", "TelexInspectorTests", "SpecSyntaxTests", "SpecImportTests",
                "SpecExportTests", "SpecLanguageServerTests", "SpecComparisonTests",
                "SpecDriftTests", "CompilerTests", "SwiftEmitterTests", "ToolTests",
            ])
    }

    @Test("the package has a check of memory that knows all that TelexJSON is built from")
    func memory() async throws {
        let script = try Self.text(".ci/memory")
        for target in try await PackageGraph(Self.root).all(for: ["TelexJSONTests"]) {
            let folders = ["Sources/\(target)", "Tests/\(target)"]
            #expect(folders.contains { script.contains($0) }, "\(target)")
            #expect(script.contains("name: \"\(target)\""), "\(target)")
        }
    }

    /// The files that `.ci/races` and `.ci/memory` add to the package, and that no build compiles.
    @Test(
        "the package has checks under the sanitizers whose own files compile",
        arguments: ["Lock", "DeliberateRaceTests", "DeliberateFaultTests"])
    func sanitizers(file: String) async throws {
        var files = ["\(file).swift": try Self.text(".ci/\(file).swift")]
        if file == "Lock" {
            files["Use.swift"] = """
                struct Failure: Error {}

                let counts = Lock<[String: Int]>([:])

                func count(_ name: String) throws(Failure) -> Int {
                    try counts.withLock { counts throws(Failure) in
                        guard let count = counts[name] else { throw Failure() }
                        counts[name] = count + 1
                        return count
                    }
                }
                """
        }
        let report = try await SwiftToolchain.typecheck(files, ["-package-name", "telex"])
        #expect(report.isSuccess, "\(report.text)")
    }

    /// What came with Swift 6.3, while this package is for 6.2, too.
    private static let tooNew = [
        #"\bTest\.cancel\("#, #"\bTest\.Case\.cancel\("#, #"Issue\.record\([^)]*severity:"#,
        #"\bweak let [^)]*[:=]"#, #"(?m)^\s*@c[ (]"#, #"@specialized\b"#,
    ]

    @Test(
        "the package uses nothing that came after the oldest Swift it is for",
        arguments: ["Sources", "Tests"])
    func language(folder: String) throws {
        let files = try #require(
            FileManager.default.enumerator(
                at: Self.root.appendingPathComponent(folder), includingPropertiesForKeys: nil))
        for case let file as URL in files
        where file.pathExtension == "swift" && file.lastPathComponent != "HouseTests.swift" {
            let code = try String(contentsOf: file, encoding: .utf8)
            for pattern in Self.tooNew {
                let found = code.range(of: pattern, options: .regularExpression)
                #expect(found == nil, "\(file.path): \(pattern)")
            }
        }
    }

    /// The API categories for which Apple requires a reason (developer.apple.com, "Describing use
    /// of required reason API"), and a pattern of their use.
    private static let askedFor = [
        "FileTimestamp": #"\b[fl]?stat\(|\.(modification|creation)Date\b|\bst_mtim"#,
        "DiskSpace": #"\bf?statv?fs\(|\bvolume\w*Capacity|\bsystem(Free)?Size\b"#,
        "SystemBootTime": #"\bsystemUptime\b|\bmach_absolute_time\b"#,
        "UserDefaults": #"\bUserDefaults\b"#, "ActiveKeyboards": #"\bactiveInputModes\b"#,
    ]

    @Test(
        "the package has privacy manifests that state exactly the used APIs",
        arguments: [
            "TelexJSON", "TelexValues", "TelexTransport", "TelexScheduling", "TelexDownloads",
            "TelexCache", "TelexCredentials", "TelexRequests", "TelexDiagnosis", "TelexInspection",
            "TelexRuntime", "TelexURLSession", "TelexFoundation", "TelexTemplater", "TelexOAuth",
            "TelexAsyncHTTPClient", "TelexObservability", "SecretNames",
        ])
    func privacy(target: String) throws {
        let folder = Self.root.appendingPathComponent("Sources/\(target)")
        var code = ""
        for case let file as URL in try #require(
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        where file.pathExtension == "swift" {
            code += try String(contentsOf: file, encoding: .utf8)
        }
        let used = Self.askedFor.filter {
            code.range(of: $0.value, options: .regularExpression) != nil
        }.map(\.key)
        let manifest = folder.appendingPathComponent("PrivacyInfo.xcprivacy")
        let stated = try Manifest(manifest).NSPrivacyAccessedAPITypes.map {
            #expect(!$0.NSPrivacyAccessedAPITypeReasons.isEmpty)
            return $0.NSPrivacyAccessedAPIType
        }
        #expect(Set(stated) == Set(used.map { "NSPrivacyAccessedAPICategory\($0)" }))
    }

    /// The content of a privacy manifest, with Apple's names; empty if there is no file.
    private struct Manifest: Decodable {
        struct Use: Decodable {
            var NSPrivacyAccessedAPIType: String
            var NSPrivacyAccessedAPITypeReasons: [String]
        }

        var NSPrivacyTracking = false
        var NSPrivacyAccessedAPITypes: [Use] = []

        init(_ file: URL) throws {
            guard FileManager.default.fileExists(atPath: file.path) else { return }
            self = try PropertyListDecoder().decode(Self.self, from: Data(contentsOf: file))
            #expect(!NSPrivacyTracking)
        }
    }
}

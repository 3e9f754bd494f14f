import Foundation
import TestSupport
import Testing

/// What has to hold for the package itself.
@Suite("The package")
struct HouseTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "holds generated code that is what the specs say",
        arguments: [
            ("vk", "VKClient"), ("instagram", "InstagramClient"), ("backend", "BackendClient"),
            ("gallery", "GalleryClient"),
        ])
    func generated(spec: String, client: String) async throws {
        let tool = try #require(TelexTool.path)
        let run = try await Run.program(
            tool, ["generate", "specs/\(spec)", "--output", "Generated/\(client)", "--check"],
            in: Self.root)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("is formatted as its .swift-format says")
    func format() async throws {
        let run = try await Run.program(
            "/usr/bin/env",
            [
                "swift", "format", "lint", "--strict", "--parallel", "--recursive",
                "Package.swift", "Sources", "Tests", "Generated",
            ], in: Self.root)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("says the same in its README as a folder of specs and a call that compile")
    func readme() async throws {
        let readme = try String(
            contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```yaml\n# file: users.yaml\n")
        let users = try #require(blocks.dropFirst().first?.components(separatedBy: "```").first)
        let sandbox = try Sandbox()
        try sandbox.write(
            "spec/api.yaml", "telex: 1\napi: VK\nservers: { a: https://a.example/ }\n")
        try sandbox.write("spec/users.yaml", users)
        let run = try await TelexTool.run("check", "spec", "--strict", in: sandbox)
        #expect(run.status == 0, "\(run.errors)")
    }

    /// What Apple asks a library to say why it uses (developer.apple.com, "Describing use of required
    /// reason API"), and how one can tell that it does.
    private static let askedFor = [
        "FileTimestamp": #"\b[fl]?stat\(|\.(modification|creation)Date\b|\bst_mtim"#,
        "DiskSpace": #"\bf?statv?fs\(|\bvolume\w*Capacity|\bsystem(Free)?Size\b"#,
        "SystemBootTime": #"\bsystemUptime\b|\bmach_absolute_time\b"#,
        "UserDefaults": #"\bUserDefaults\b"#, "ActiveKeyboards": #"\bactiveInputModes\b"#,
    ]

    @Test(
        "states in privacy manifests what Apple asks of libraries, and no more",
        arguments: [
            "TelexJSON", "TelexRuntime", "TelexURLSession", "TelexFoundation", "TelexOAuth",
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

    /// What a library states, under Apple's names; nothing if there is no file.
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

    @Test("has the files in which its documentation says that things are decided")
    func map() throws {
        let runtime = Self.root.appendingPathComponent("Sources/TelexRuntime")
        let page = try String(
            contentsOf: runtime.appendingPathComponent("TelexRuntime.docc/WhereItIsDecided.md"),
            encoding: .utf8)
        let paths = page.split(separator: "`").map(String.init).filter { $0.hasSuffix(".swift") }
        #expect(paths.count > 20)
        for path in paths {
            let file = runtime.appendingPathComponent(path).path
            #expect(FileManager.default.fileExists(atPath: file), "\(path)")
        }
    }
}

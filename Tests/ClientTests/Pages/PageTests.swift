import Testing

/// The code on the pages is the code of the tests beside this file, and their YAML that of the specs.
@Suite("The pages of TelexRuntime and TelexCompiler")
struct PageTests {
    private static let runtime = "Sources/TelexRuntime/TelexRuntime.docc"
    private static let compiler = "Sources/TelexCompiler/TelexCompiler.docc"

    private static func paths(_ catalogue: String) -> [String] {
        let names = try? Page.names("md", in: catalogue)
        return (names ?? []).map { "\(catalogue)/\($0)" }
    }

    private static let pages = paths(runtime) + paths(compiler)

    @Test("the pages of TelexRuntime and TelexCompiler are found, and most of them have code")
    func names() throws {
        for catalogue in [Self.runtime, Self.compiler] {
            let paths = Self.paths(catalogue)
            let withCode = try paths.filter { try !Page($0).blocks(of: "swift").isEmpty }
            #expect(withCode.count >= 6, "\(catalogue)")
        }
    }

    @Test(
        "the pages of TelexRuntime and TelexCompiler show no code that no test runs",
        arguments: pages)
    func code(_ path: String) throws {
        let tests = try Page.files("swift", in: "Tests/ClientTests/Pages")
        for block in try Page(path).blocks(of: "swift") where !Self.isManifest(block) {
            for piece in Page.pieces(block) {
                #expect(tests.contains { $0.hold(piece) }, "\(piece.joined(separator: "\n"))")
            }
        }
    }

    @Test(
        "the modules' pages show no manifest with products that this package does not have",
        arguments: pages)
    func manifests(_ path: String) throws {
        let manifest = try Page("Package.swift").text
        for block in try Page(path).blocks(of: "swift") where Self.isManifest(block) {
            let names = block.matches(of: /\.(?:product|plugin)\(name: "(\w+)", package: "telex"\)/)
            #expect(!names.isEmpty)
            for name in names {
                let found =
                    manifest.contains(".library(name: \"\(name.1)\"")
                    || manifest.contains(".plugin(name: \"\(name.1)\"")
                #expect(found, "\(name.1)")
            }
        }
    }

    /// A block is a whole spec, which the tests of the compiler check, or it comes from a spec of this
    /// package: from the one that its first line names, or from the gallery's.
    @Test(
        "the pages of TelexRuntime and TelexCompiler show no spec that is not compiled",
        arguments: pages)
    func specs(_ path: String) throws {
        for block in try Page(path).blocks(of: "yaml") where !block.hasPrefix("# file: ") {
            var code = block
            var specs = try Page.files("yaml", in: "specs/gallery")
            if block.hasPrefix("# from: ") {
                let end = block.firstIndex(of: "\n") ?? block.endIndex
                specs = [Page.lines(try Page(String(block[..<end].dropFirst(8))).text)]
                code = String(block[end...])
            }
            for piece in Page.pieces(code) {
                #expect(specs.contains { $0.hold(piece) }, "\(piece.joined(separator: "\n"))")
            }
        }
    }

    private static func isManifest(_ block: String) -> Bool {
        block.hasPrefix("// swift-tools-version")
    }
}

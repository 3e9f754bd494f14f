import Foundation
import SpecDiagnostics
import SpecIR
import TelexCompiler

/// The first part: compiles `specs/vk`, and a copy with an error.
enum CompilerDemo {
    static func run() throws {
        let folder = try read("specs/vk")
        DemoConsole.title("1. The compiler reads specs/vk")
        for file in folder.files {
            DemoConsole.say("\(file.shownPath)  \(file.bytes.count) bytes")
        }
        let start = ContinuousClock.now
        let compilation = TelexCompiler.compile(folder)
        let time = (ContinuousClock.now - start) / .milliseconds(1)
        guard !compilation.diagnostics.hasErrors else {
            throw DemoFailure(
                description: TerminalRenderer()
                    .render(compilation.diagnostics, in: compilation.sources))
        }
        DemoConsole.title("2. … and writes Swift, in \(Int(time.rounded())) ms")
        for file in compilation.files {
            DemoConsole.say("\(file.name)  \(file.text.split(separator: "\n").count) lines")
        }
        excerpt(compilation)
        mistake(folder)
    }

    /// Reads a folder of the package, from any current folder.
    private static func read(_ path: String) throws -> SpecFolder {
        let source = URL(fileURLWithPath: #filePath)
        let root = source.deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let files = FileManager.default
        let folder = [here, root].map { $0.appendingPathComponent(path) }
            .first { files.fileExists(atPath: $0.appendingPathComponent("api.yaml").path) }
        guard let folder else {
            throw DemoFailure(description: "no \(path) here: run the demo in the package's folder")
        }
        let names = try files.subpathsOfDirectory(atPath: folder.path).sorted()
        return SpecFolder(
            shownPath: path,
            files: try names.filter { OutputName.isInput($0) }.map { name in
                SpecFolder.File(
                    relativePath: name, shownPath: "\(path)/\(name)",
                    bytes: Array(try Data(contentsOf: folder.appendingPathComponent(name))))
            })
    }

    private static func excerpt(_ compilation: Compilation) {
        guard let users = compilation.files.first(where: { $0.name == "Users.swift" }) else {
            return
        }
        DemoConsole.title("   The request builder of users.get, as it was written")
        let lines = users.text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = lines.firstIndex { $0.contains("public enum UsersRequests") } ?? 0
        let end = lines[start...].firstIndex { $0 == "    }" } ?? start
        DemoConsole.say(lines[start...end].joined(separator: "\n"))
    }

    /// Misspells a type in a copy of the spec.
    private static func mistake(_ folder: SpecFolder) {
        var broken = folder
        for index in broken.files.indices where broken.files[index].relativePath == "wall.yaml" {
            let text = String(decoding: broken.files[index].bytes, as: UTF8.self)
            let changed = text.replacing("returns: WallPage", with: "returns: WalPage")
            broken.files[index].bytes = Array(changed.utf8)
        }
        let compilation = TelexCompiler.check(broken)
        DemoConsole.title("3. A copy of the spec with a mistake")
        DemoConsole.say(
            TerminalRenderer().render(compilation.diagnostics, in: compilation.sources)
                .trimmingCharacters(in: .newlines))
    }
}

import ArgumentParser
import Foundation
import SpecDiagnostics

/// `telex new`
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a commented spec folder to start from.",
        discussion: """
            The API is named after the folder, or MyAPI if that is not a type name. The spec \
            compiles; nothing is overwritten.

              telex new specs/shop
            """)

    @Argument(help: "The folder to create.")
    var folder: String

    @OptionGroup var reporting: ReportOptions

    func validate() throws { try requireFolder(folder, "The folder to create") }

    func run() throws {
        var report = Report()
        let url = URL(fileURLWithPath: folder)
        do {
            if FileManager.default.fileExists(atPath: folder) {
                try requireEmpty(url, &report)
            }
            if !report.bag.hasErrors { try write(StarterSpec(folder: url.lastPathComponent), url) }
        } catch {
            report.add(
                .unwritable, "cannot be written: \(error.localizedDescription)", at: folder)
        }
        try reporting.finish(report)
    }

    private func requireEmpty(_ url: URL, _ report: inout Report) throws {
        if FolderWalk.isFolder(url) {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            if names.allSatisfy({ $0.hasPrefix(".") }) { return }
            report.add(
                .notEmpty, "the folder is not empty", at: folder,
                help: "name a folder that does not exist yet")
        } else {
            report.add(
                .notEmpty, "a file of this name exists", at: folder,
                help: "name a folder that does not exist yet")
        }
    }

    private func write(_ spec: StarterSpec, _ url: URL) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in spec.files {
            try Data(text.utf8).write(
                to: url.appendingPathComponent(name), options: [.withoutOverwriting])
        }
    }
}

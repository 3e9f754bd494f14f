import ArgumentParser
import Foundation
import SpecDiagnostics
import SpecDrift

/// `telex new`
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a commented spec folder to start from.",
        discussion: """
            The API is named after the folder, or MyAPI if that is not a type name. The spec \
            compiles; nothing is overwritten. For editors, it comes with its JSON Schema.

            With --from, the spec has a method for each reply, which is named after its file, and the \
            types of the replies. Addresses are to be corrected.

            With --from-har, the spec is made from a recording (HAR 1.2): the server with most calls, \
            methods by verb and path with placeholders for what varies, their parameters, the types of \
            all replies, the log-in whose token later calls carry, and the form of errors. No value of \
            the recording is written.

              telex new specs/shop
              telex new specs/shop --from-har recording.har
              telex new specs/shop --from users.list.json users.get.json
            """)

    @Argument(help: "The folder to create.")
    var folder: String

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Replies in files, of which types are made.", valueName: "reply"))
    var from: [String] = []

    @Option(
        help: ArgumentHelp("A recording of calls, of which a spec is made.", valueName: "har-file"))
    var fromHar: String?

    @Flag(help: "With --from, propose formats, enumerations and bounds in comments.")
    var propose = false

    @OptionGroup var reporting: ReportOptions

    func validate() throws {
        try requireFolder(folder, "The folder to create")
        if fromHar != nil, !from.isEmpty {
            throw ValidationError("--from and --from-har exclude each other.")
        }
    }

    func run() throws {
        var report = Report()
        let url = URL(fileURLWithPath: folder)
        do {
            if FileManager.default.fileExists(atPath: folder) {
                try requireEmpty(url, &report)
            }
            let files = files(named: url.lastPathComponent, &report)
            if !report.bag.hasErrors {
                try write(EditorSchema.finished(files) + EditorSchema.files, url)
            }
        } catch {
            report.add(
                .unwritable, "cannot be written: \(error.localizedDescription)", at: folder)
        }
        try reporting.finish(report)
    }

    private func files(
        named name: String, _ report: inout Report
    ) -> [(name: String, text: String)] {
        let starter = StarterSpec(folder: name)
        if let fromHar { return recordedFiles(fromHar, api: starter.api, &report) }
        if from.isEmpty { return starter.files }
        let replies = from.compactMap { path in
            ReplyFile.read(path, into: &report).map { (path, $0.node) }
        }
        return InferredSpec(api: starter.api, of: replies, proposes: propose).files
    }

    private func recordedFiles(
        _ path: String, api: String, _ report: inout Report
    ) -> [(name: String, text: String)] {
        guard let bytes = ReplyFile.content(path, into: &report),
            HARFile.read(bytes, of: path, into: &report, { _ in }), !report.bag.hasErrors
        else { return [] }
        let spec = TrafficSpec(api) { visit in
            try? Recording.read(bytes) { entry in
                if case .success(let entry) = entry { visit(entry) }
            }
        }
        guard let spec else {
            report.add(
                .badReply, "the recording has no call of an API", at: path,
                help: "record requests with JSON, with their content")
            return []
        }
        for remark in spec.remarks { Console.printError(remark + "\n") }
        return spec.files
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

    private func write(_ files: [(name: String, text: String)], _ url: URL) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files {
            let place = url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            // A folder that counts as empty may have a schema.
            let isSchema = name.hasPrefix(EditorSchema.folder)
            try Data(text.utf8).write(to: place, options: isSchema ? [] : [.withoutOverwriting])
        }
    }
}

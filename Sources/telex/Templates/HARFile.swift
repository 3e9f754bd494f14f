import Foundation
import SpecDiagnostics
import SpecDrift
import SpecTemplateRules

/// A recording in a file.
enum HARFile {
    /// Reads a recording; a problem of it, or of an entry, is reported.
    ///
    /// - Returns: Whether the file is a recording.
    static func read(
        _ path: String, into report: inout Report, _ visit: (Recording.Entry) -> Void
    ) -> Bool {
        guard let bytes = ReplyFile.content(path, into: &report) else { return false }
        if Console.isTerminal { Console.printError("reading \(path)…\n") }
        return read(bytes, of: path, into: &report, visit)
    }

    /// Reads the bytes of a recording.
    static func read(
        _ bytes: [UInt8], of path: String, into report: inout Report,
        _ visit: (Recording.Entry) -> Void
    ) -> Bool {
        do throws(Recording.Problem) {
            try Recording.read(bytes) { entry in
                switch entry {
                case .success(let entry): visit(entry)
                case .failure(let problem): add(problem, of: path, bytes, into: &report)
                }
            }
            return true
        } catch {
            add(error, of: path, bytes, into: &report)
            return false
        }
    }

    private static func add(
        _ problem: Recording.Problem, of path: String, _ bytes: [UInt8], into report: inout Report
    ) {
        let place = problem.index.map { "\(path)#\($0)" } ?? path
        // A recording may be larger than what messages show a part of.
        guard problem.index == nil, bytes.count < 1 << 26 else {
            return report.add(.badReply, problem.message, at: place, help: problem.help)
        }
        let start = min(problem.offset, bytes.count)
        report.add(
            .badReply, problem.message, in: bytes, at: start..<min(start + 1, bytes.count),
            of: place, help: problem.help)
    }

    /// The entries that have a successful JSON reply; nil for no recording, which is reported.
    static func read(_ path: String, into report: inout Report) -> [Recording.Entry]? {
        var entries: [Recording.Entry] = []
        let isRead = read(path, into: &report) { entry in
            let hasReply = entry.reply.isJSON && entry.reply.text != nil
            if hasReply, (200...299).contains(entry.status) { entries.append(entry) }
        }
        return isRead ? entries : nil
    }

    /// The reply of an entry; nil for a content that is no JSON, which is reported.
    static func reply(
        of entry: Recording.Entry, in file: String, into report: inout Report
    ) -> TemplateNode? {
        let place = "\(file)#\(entry.index)"
        guard let bytes = entry.reply.bytes else {
            report.add(
                .badReply, "the content of `log.entries[\(entry.index)]` is no base64", at: place,
                help: "save the recording again")
            return nil
        }
        do {
            return try TemplateParser.parse(bytes)
        } catch {
            report.add(
                .badReply,
                "the reply of `\(entry.verb) \(entry.path)` is no JSON: \(error.message)",
                in: bytes, at: error.range, of: place, help: error.help)
            return nil
        }
    }
}

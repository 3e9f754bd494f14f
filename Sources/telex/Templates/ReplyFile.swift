import Foundation
import SpecDiagnostics
import SpecTemplateRules

/// A reply in a file.
struct ReplyFile {
    let bytes: [UInt8]
    let node: TemplateNode

    /// Reads a reply; nil for what is none, which is reported.
    static func read(_ path: String, into report: inout Report) -> ReplyFile? {
        guard let bytes = content(path, into: &report) else { return nil }
        guard bytes.contains(where: { !" \t\r\n".utf8.contains($0) }) else {
            report.add(
                .badReply, "the reply is empty", at: path,
                help: "write the body of a reply to the file; one without a body has no template")
            return nil
        }
        do {
            return ReplyFile(bytes: bytes, node: try TemplateParser.parse(bytes))
        } catch {
            report.add(
                .badReply, "the reply is no JSON: \(error.message)", in: bytes, at: error.range,
                of: path, help: error.help)
            return nil
        }
    }

    /// The bytes of a file; nil if it cannot be read, which is reported.
    static func content(_ path: String, into report: inout Report) -> [UInt8]? {
        do {
            let url = URL(fileURLWithPath: path)
            guard !FolderWalk.isFolder(url) else {
                report.add(.unreadable, "expected a file, found a folder", at: path)
                return nil
            }
            return Array(try Data(contentsOf: url))
        } catch {
            report.add(
                .unreadable, "the file cannot be read: \(error.localizedDescription)", at: path,
                help: "check the path and its permissions")
            return nil
        }
    }
}

import Foundation
import SpecDiagnostics
import SpecDrift
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
            let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            // Not as `Data`, which would be in memory twice.
            var bytes: [UInt8] = []
            bytes.reserveCapacity(min(size, Recording.sizeLimit))
            while max(size, bytes.count) <= Recording.sizeLimit,
                let more = try file.read(upToCount: 1 << 20), !more.isEmpty
            {
                bytes += more
            }
            guard max(size, bytes.count) <= Recording.sizeLimit else {
                report.add(
                    .unreadable, "the file has more than \(Recording.sizeLimit >> 20) MiB",
                    at: path,
                    help: "record less at a time, or without the content of images")
                return nil
            }
            return bytes
        } catch {
            report.add(
                .unreadable, "the file cannot be read: \(error.localizedDescription)", at: path,
                help: "check the path and its permissions")
            return nil
        }
    }
}

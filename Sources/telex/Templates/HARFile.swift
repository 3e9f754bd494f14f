import Foundation
import SpecDiagnostics
import SpecTemplateRules
import TelexJSON

/// A recording in the HTTP Archive format, version 1.2.
enum HARFile {
    /// The largest recording that is read, in bytes.
    private static let sizeLimit = 512 << 20

    /// A successful JSON reply of a recording.
    struct Entry {
        /// Its place in the recording, from 0.
        let index: Int
        let verb: String
        /// The path of the URL, without the query, which may have secrets.
        let path: String
        let text: String
        let isBase64: Bool
    }

    /// Reads the entries of a recording that have a JSON reply; nil for no recording, which is
    /// reported.
    static func read(_ path: String, into report: inout Report) -> [Entry]? {
        guard let bytes = ReplyFile.content(path, into: &report) else { return nil }
        if Console.isTerminal { Console.printError("reading \(path)…\n") }
        let limits = JSONLimits(bytes: sizeLimit)
        let result = JSONReader.read(bytes, limits: limits) { json -> JSONValue? in json.value() }
        if let error = result.report.syntaxError {
            report.add(
                .badReply, "the recording is no JSON: \(error.reason)", in: bytes,
                at: error.offset..<error.offset + 1, of: path,
                help: "save it again as a HAR file with content")
            return nil
        }
        guard let entries = result.value?["log"]?["entries"]?.asArray else {
            report.add(
                .badReply, "the recording has no list `log.entries`", in: bytes, at: 0..<1,
                of: path, help: "a HAR file is `{\"log\": {\"entries\": […]}}`")
            return nil
        }
        return entries.enumerated().compactMap { index, entry in
            if let problem = problem(of: entry) {
                report.add(
                    .badReply, "`log.entries[\(index)]` \(problem)", in: bytes, at: 0..<1,
                    of: path + "#\(index)", help: "HAR 1.2 has `request` and `response` there")
                return nil
            }
            return self.entry(entry, index)
        }
    }

    private static func problem(of entry: JSONValue) -> String? {
        let request = entry["request"]
        if request?["method"]?.asString == nil { return "has no text `request.method`" }
        if request?["url"]?.asString == nil { return "has no text `request.url`" }
        return entry["response"]?["status"]?.asInt == nil ? "has no `response.status`" : nil
    }

    private static func entry(_ entry: JSONValue, _ index: Int) -> Entry? {
        guard let verb = entry["request"]?["method"]?.asString,
            let url = entry["request"]?["url"]?.asString,
            let status = entry["response"]?["status"]?.asInt, (200...299).contains(status),
            let content = entry["response"]?["content"],
            content["mimeType"]?.asString?.lowercased().contains("json") == true,
            let text = content["text"]?.asString, text.contains(where: { !$0.isWhitespace })
        else { return nil }
        return Entry(
            index: index, verb: verb.uppercased(), path: MethodMatcher.path(of: url), text: text,
            isBase64: content["encoding"]?.asString == "base64")
    }
}

extension HARFile.Entry {
    /// The reply; nil for a content that is no JSON, which is reported.
    func reply(in file: String, into report: inout Report) -> TemplateNode? {
        let place = "\(file)#\(index)"
        guard let bytes = isBase64 ? Data(base64Encoded: text).map(Array.init) : Array(text.utf8)
        else {
            report.add(
                .badReply, "the content of `log.entries[\(index)]` is no base64", at: place,
                help: "save the recording again")
            return nil
        }
        do {
            return try TemplateParser.parse(bytes)
        } catch {
            report.add(
                .badReply, "the reply of `\(verb) \(path)` is no JSON: \(error.message)",
                in: bytes, at: error.range, of: place, help: error.help)
            return nil
        }
    }
}

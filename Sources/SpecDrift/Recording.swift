import Foundation
import SpecInterpreter
import TelexJSON

/// A recording in the HTTP Archive format, version 1.2: of a browser, a proxy or the app's recorder.
public enum Recording {
    /// The largest recording that is read, in bytes.
    public static let sizeLimit = 512 << 20

    /// What keeps a recording, or one of its entries, from being read.
    public struct Problem: Error, Sendable {
        /// What is wrong.
        public let message: String
        /// The byte where it is; 0 for the whole recording.
        public var offset = 0
        /// The entry, from 0; nil for the recording as a whole.
        public var index: Int?
        /// What to do.
        public let help: String
    }

    /// An exchange of a recording.
    public struct Entry: Sendable {
        /// Its place in the recording, from 0.
        public let index: Int
        /// The HTTP method, in capitals.
        public let verb: String
        /// The URL.
        public let url: String
        /// The path of the URL, without the query, which may have secrets.
        public let path: String
        /// The header fields and the body of the request.
        public let request: Message
        /// The status of the reply; 0 if there was none.
        public let status: Int
        /// The header fields and the body of the reply.
        public let reply: Message
    }

    /// A request or a reply.
    public struct Message: Sendable {
        /// The header fields, in order.
        public var fields: [RequestValues.Pair] = []
        /// The media type, in small letters, without parameters.
        public var type = ""
        /// The body as text; nil if it was not recorded.
        public var text: String?
        /// Whether the text is base64.
        public var isBase64 = false
        /// The size of the body that the recording states; nil if it does not.
        public var size: Int?
        /// The fields of a form, or the parts of a multipart body.
        public var parts: [(name: String, text: String?)] = []

        /// The body; nil if it was not recorded, or is no base64.
        public var bytes: [UInt8]? {
            guard let text else { return nil }
            return isBase64 ? Data(base64Encoded: text).map(Array.init) : Array(text.utf8)
        }

        /// Whether the media type is that of JSON.
        public var isJSON: Bool { type.contains("json") }

        /// Whether the recorder has left out the end of the body.
        var isCut: Bool { text.map { $0.utf8.count < size ?? 0 } ?? false }
    }

    /// Reads the entries of a recording, one after the other, so that only one is in memory.
    ///
    /// - Parameter visit: Gets an entry, or why it cannot be read.
    /// - Throws: Why the file is no recording; entries before the place may have been visited.
    public static func read(
        _ bytes: [UInt8], _ visit: (Result<Entry, Problem>) -> Void
    ) throws(Problem) {
        var limits = JSONLimits(bytes: sizeLimit)
        limits.violations = 1
        let result = JSONReader.read(bytes, at: ["log", "entries"], limits: limits) {
            json -> Bool? in
            guard json.beginList() else { return nil }
            var index = 0
            while json.nextElement() {
                guard let entry: JSONValue = json.value() else { break }
                visit(Self.entry(entry, index))
                index += 1
            }
            _ = json.endList()
            return true
        }
        if let error = result.report.syntaxError {
            throw Problem(
                message: "the recording is no JSON: \(error.reason)", offset: error.offset,
                help: "save it again as a HAR file with content")
        }
        if result.value == nil {
            throw Problem(
                message: "the recording has no list `log.entries`",
                help: "a HAR file is `{\"log\": {\"entries\": […]}}`")
        }
    }

    private static func entry(_ entry: JSONValue, _ index: Int) -> Result<Entry, Problem> {
        let (request, reply) = (entry["request"], entry["response"])
        guard let verb = request?["method"]?.asString else {
            return problem("has no text `request.method`", index)
        }
        guard let url = request?["url"]?.asString else {
            return problem("has no text `request.url`", index)
        }
        guard let status = reply?["status"]?.asInt else {
            return problem("has no `response.status`", index)
        }
        return .success(
            Entry(
                index: index, verb: verb.uppercased(), url: url, path: PathPattern.path(of: url),
                request: message(request, request?["postData"]), status: status,
                reply: message(reply, reply?["content"])))
    }

    private static func problem(_ text: String, _ index: Int) -> Result<Entry, Problem> {
        .failure(
            Problem(
                message: "`log.entries[\(index)]` \(text)", index: index,
                help: "HAR 1.2 has `request` and `response` there"))
    }

    private static func message(_ message: JSONValue?, _ content: JSONValue?) -> Message {
        var result = Message()
        result.fields = (message?["headers"]?.asArray ?? []).compactMap { field in
            guard let name = field["name"]?.asString, let value = field["value"]?.asString else {
                return nil
            }
            return (name, value)
        }
        let type = content?["mimeType"]?.asString?.lowercased() ?? ""
        result.type = type.prefix { $0 != ";" }.filter { !$0.isWhitespace }
        if let text = content?["text"]?.asString, text.contains(where: { !$0.isWhitespace }) {
            result.text = text
        }
        result.size = content?["size"]?.asInt
        result.isBase64 = content?["encoding"]?.asString == "base64"
        result.parts = (content?["params"]?.asArray ?? []).compactMap { part in
            guard let name = part["name"]?.asString else { return nil }
            let isFile = part["fileName"]?.asString != nil
            return (name, isFile ? nil : part["value"]?.asString ?? "")
        }
        if result.parts.isEmpty, result.type == "application/x-www-form-urlencoded" {
            result.parts = pairs(of: result.text ?? "").map { ($0.name, $0.text) }
        }
        return result
    }

    /// The host of a URL with its port, in small letters.
    static func host(of url: String) -> String {
        guard let start = url.range(of: "://")?.upperBound else { return "" }
        let authority = url[start...].prefix { !"/?#".contains($0) }
        return (authority.split(separator: "@").last.map(String.init) ?? "").lowercased()
    }

    /// The names and texts of a query or a form, percent-decoded.
    static func pairs(of query: String) -> [RequestValues.Pair] {
        query.split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { part in
                let text = String(part).replacing("+", with: " ")
                return text.removingPercentEncoding ?? text
            }
            return (texts[0], texts.count > 1 ? texts[1] : "")
        }
    }
}

extension Recording.Entry {
    /// The host of the URL with its port, in small letters.
    public var host: String { Recording.host(of: url) }

    /// The items of the query.
    public var query: [RequestValues.Pair] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        return Recording.pairs(of: String(url[url.index(after: mark)...].prefix { $0 != "#" }))
    }

    /// The values of the request, as a method with this path has them.
    func values(path placeholders: [String: String]) -> RequestValues {
        var values = RequestValues()
        values.path = placeholders
        values.query = query
        values.headers = request.fields
        values.form = request.parts.compactMap { part in part.text.map { (part.name, $0) } }
        values.files = Set(request.parts.filter { $0.text == nil }.map(\.name))
        if request.parts.isEmpty { values.body = request.bytes }
        return values
    }
}

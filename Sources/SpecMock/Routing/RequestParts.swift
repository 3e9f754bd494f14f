import HTTPTypes
import SpecIR
import SpecInterpreter
import TelexJSON
import TelexTesting
import TelexTransport

/// The values of a request, read once.
struct RequestParts {
    /// The items of the query; of a name that occurs more than once, the first one.
    let query: [String: String]
    /// The fields of a form, likewise.
    let form: [String: String]
    /// The body, if it is JSON.
    let json: JSONValue?
    private let request: LoopbackRequest

    init(_ request: LoopbackRequest) {
        self.request = request
        query = Dictionary(request.query) { first, _ in first }
        form = Dictionary(request.form ?? []) { first, _ in first }
        let isForm = request.form != nil || request.boundary != nil
        json = isForm || request.body.isEmpty ? nil : JSONValue(parsing: request.body)
    }

    /// The text of a value at a place; nil if it is not there.
    func text(_ key: String, _ location: Parameter.Location) -> String? {
        switch location {
        case .query: query[key]
        case .form: form[key]
        case .json: json?[key]?.writtenText
        case .header: HTTPField.Name(key).flatMap { request.fields[$0] }
        case .path, .part, .body: nil
        }
    }

    /// The value of a cookie.
    func cookie(_ name: String) -> String? {
        let pairs = request.fields[.cookie]?.split(separator: ";") ?? []
        return pairs.lazy.map { $0.drop { $0 == " " } }
            .first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// What a spec says something about.
    func values(path: [String: String]) -> RequestValues {
        var values = RequestValues()
        values.path = path
        values.query = request.query
        values.headers = request.fields.map { ($0.name.rawName, $0.value) }
        if let form = request.form {
            values.form = form
        } else if let boundary = request.boundary {
            for part in MultipartBody.parts(request.body, boundary) {
                if part.isFile {
                    values.files.insert(part.name)
                } else {
                    values.form.append((part.name, String(decoding: part.bytes, as: UTF8.self)))
                }
            }
        } else if !request.body.isEmpty {
            values.body = request.body
        }
        return values
    }
}

extension LoopbackRequest {
    fileprivate var query: [RequestValues.Pair] {
        Self.pairs(String(target.drop { $0 != "?" }.dropFirst()))
    }

    private var type: String { fields[.contentType] ?? "" }

    /// The fields of a form; nil for another body.
    fileprivate var form: [RequestValues.Pair]? {
        let isForm = type.lowercased().hasPrefix("application/x-www-form-urlencoded")
        return isForm ? Self.pairs(text) : nil
    }

    /// What separates the parts of the body; nil for another body.
    fileprivate var boundary: String? {
        guard type.lowercased().hasPrefix("multipart/"), let mark = type.range(of: "boundary=")
        else { return nil }
        let value = type[mark.upperBound...].prefix { $0 != ";" }
        return value.trimmingPrefix("\"").description.replacing("\"", with: "")
    }

    private static func pairs(_ text: String) -> [RequestValues.Pair] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                PercentEncoding.decodeForm(parts[0]),
                parts.count > 1 ? PercentEncoding.decodeForm(parts[1]) : ""
            )
        }
    }
}

/// Takes a multipart body apart (RFC 7578).
enum MultipartBody {
    /// A part of a body.
    struct Part {
        let name: String
        let isFile: Bool
        let bytes: ArraySlice<UInt8>
    }

    static func parts(_ body: [UInt8], _ boundary: String) -> [Part] {
        let mark = Array("--\(boundary)".utf8)
        var parts: [Part] = []
        var start = body.range(of: mark, from: 0)?.upperBound
        while let begin = start, let next = body.range(of: mark, from: begin) {
            start = next.upperBound
            let part = body[begin..<next.lowerBound]
            guard let end = body.range(of: Array("\r\n\r\n".utf8), from: begin),
                end.upperBound <= part.endIndex
            else { continue }
            let head = String(decoding: body[begin..<end.lowerBound], as: UTF8.self)
            guard let name = head.firstMatch(of: #/[; ]name="([^"]*)"/#)?.output.1 else { continue }
            parts.append(
                Part(
                    name: String(name), isFile: head.contains("filename"),
                    bytes: body[end.upperBound..<max(end.upperBound, part.endIndex - 2)]))
        }
        return parts
    }
}

extension [UInt8] {
    /// The first place of some bytes.
    fileprivate func range(of bytes: [UInt8], from start: Int) -> Range<Int>? {
        guard let first = bytes.first else { return nil }
        var place = start
        while let found = self[place...].firstIndex(of: first) {
            if self[found...].starts(with: bytes) { return found..<found + bytes.count }
            place = found + 1
        }
        return nil
    }
}

extension JSONValue {
    /// Reads JSON; nil if it is none.
    init?(parsing bytes: [UInt8]) {
        let result = JSONReader.read(bytes, limits: JSONLimits(bytes: 64 << 20)) {
            json -> JSONValue? in json.value()
        }
        guard result.report.syntaxError == nil, let value = result.value else { return nil }
        self = value
    }
}

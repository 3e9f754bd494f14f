import Foundation
import HTTPTypes
import SpecIR
import SpecInterpreter
import TelexJSON
import TelexTesting
import TelexTransport

/// The values of a request, read once.
struct RequestParts {
    /// The body, if it is JSON.
    let json: JSONValue?
    private var values = RequestValues()

    init(_ request: LoopbackRequest) {
        let query = request.target.drop { $0 != "?" }.dropFirst()
        values.query = FormFields(String(query)).pairs
        values.headers = request.fields.map { ($0.name.rawName, $0.value) }
        let type = request.fields[.contentType] ?? ""
        switch type.lowercased() {
        case let type where type.hasPrefix("application/x-www-form-urlencoded"):
            values.form = FormFields(request.text).pairs
        case let name where name.hasPrefix("multipart/"):
            values.addParts(of: Data(request.body), Multipart.boundary(in: type))
        default: values.body = request.body.isEmpty ? nil : request.body
        }
        json = values.body.flatMap { try? JSONValue(json: $0, limits: JSONLimits(bytes: .max)) }
    }

    /// The first text of a name in the query.
    func query(_ name: String) -> String? { values.query.first { $0.name == name }?.text }

    /// The first text of a name in the form.
    func form(_ name: String) -> String? { values.form.first { $0.name == name }?.text }

    /// The text of a value at a place; nil if it is not there.
    func text(_ key: String, _ location: Parameter.Location) -> String? {
        switch location {
        case .query: query(key)
        case .form: form(key)
        case .json: json?[key]?.writtenText
        case .header: header(key)
        case .path, .part, .body: nil
        }
    }

    private func header(_ name: String) -> String? {
        values.headers.first { $0.name.lowercased() == name.lowercased() }?.text
    }

    /// The value of a cookie.
    func cookie(_ name: String) -> String? {
        let pairs = header("Cookie")?.split(separator: ";") ?? []
        return pairs.lazy.map { $0.drop { $0 == " " } }
            .first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// What a spec says something about.
    func values(path: [String: String]) -> RequestValues {
        var values = values
        values.path = path
        return values
    }
}

extension RequestValues {
    /// Adds the parts of a multipart body (RFC 7578): texts, and the names of files.
    fileprivate mutating func addParts(of body: Data, _ boundary: String) {
        let (lineEnd, headEnd) = (Data("\r\n".utf8), Data("\r\n\r\n".utf8))
        let mark = lineEnd + Data("--\(boundary)".utf8)
        let body = lineEnd + body
        var start = body.range(of: mark)?.upperBound
        while let begin = start, let next = body.range(of: mark, in: begin..<body.endIndex) {
            start = next.upperBound
            guard let end = body.range(of: headEnd, in: begin..<next.lowerBound) else { continue }
            let head = String(decoding: body[begin..<end.lowerBound], as: UTF8.self)
            guard let name = head.firstMatch(of: #/[; ]name="([^"]*)"/#)?.output.1 else { continue }
            if head.contains("filename") {
                files.insert(String(name))
            } else {
                let text = body[end.upperBound..<next.lowerBound]
                form.append((String(name), String(decoding: text, as: UTF8.self)))
            }
        }
    }
}

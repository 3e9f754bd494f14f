import SpecIR
import TelexJSON
import TelexTesting
import TelexTransport

/// The values of a request, as far as a mock needs them. They are read once.
struct RequestContent {
    let query: [String: String]
    let form: [String: String]
    /// The body, if it is JSON.
    let json: JSONValue?
    private let request: LoopbackRequest

    init(_ request: LoopbackRequest) {
        self.request = request
        query = FormFields(String(request.target.drop { $0 != "?" }.dropFirst())).values
        let type = request.fields[.contentType]?.lowercased() ?? ""
        form = type.hasPrefix("application/x-www-form-urlencoded")
            ? FormFields(request.text).values : [:]
        let isOther = type.hasPrefix("multipart/") || !form.isEmpty
        json = isOther || request.body.isEmpty ? nil : JSONValue(parsing: request.body)
    }

    /// The text of a value at a place; nil if it is not there.
    func text(_ key: String, _ location: Parameter.Location) -> String? {
        switch location {
        case .query: query[key]
        case .form: form[key]
        case .json: json?[key]?.plainText
        case .header: request.fields.first { $0.name.rawName.lowercased() == key.lowercased() }?.value
        case .path, .part, .body: nil
        }
    }

    /// The value of a cookie.
    func cookie(_ name: String) -> String? {
        let pairs = request.fields[.cookie]?.split(separator: ";") ?? []
        return pairs.lazy.map { $0.drop { $0 == " " } }
            .first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }

    /// The value of a header field.
    func header(_ name: String) -> String? { text(name, .header) }
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

import HTTPTypes
import SpecIR
import SpecInterpreter
import TelexJSON
import TelexTesting
import TelexTransport

@testable import SpecMock

/// Makes requests of methods from their parameters, as a client that knows nothing but the spec.
struct RequestMaker {
    private var maker: ValueMaker
    private let api: API

    init(_ api: API, seed: UInt64, now: MockTest, check: @escaping ValueMaker.Check) {
        self.api = api
        maker = ValueMaker(
            MockModels(api), seed: seed, now: now.clock.date, check: check)
    }

    /// A request of a method.
    mutating func request(of method: SpecIR.Method, fields given: HTTPFields = [:])
        -> LoopbackRequest
    {
        var (path, query, fields) = (method.path, [String](), given)
        var (form, json, wrapped) = ([String](), JSONObject(), [(key: String, value: JSONValue)]())
        var body: [UInt8] = []
        for parameter in api.parameters(of: method) {
            guard let value = value(of: parameter, needed: method.rules != []) else { continue }
            let text = PercentEncoding.component(value.writtenText)
            switch parameter.location {
            case .path:
                path = path.replacing("{\(parameter.key)}", with: text)
                    .replacing("{+\(parameter.key)}", with: value.writtenText)
            case .query: query += items(of: parameter, value)
            case .header:
                if let name = HTTPField.Name(parameter.key) { fields[name] = value.writtenText }
            case .form: form += items(of: parameter, value)
            case .json:
                if parameter.isInWrapper {
                    wrapped.append((parameter.key, value))
                } else {
                    json[parameter.key] = value
                }
            case .part: form.append(parameter.key)
            case .body:
                body = Array(
                    (parameter.value.type.isJSON ? value.description : value.writtenText).utf8)
                if parameter.value.type.isJSON, fields[.contentType] == nil {
                    fields[.contentType] = "application/json"
                }
            }
        }
        if let wrapper = method.wrapper {
            json[wrapper.key] =
                wrapper.isList
                ? .array(wrapped.map(\.value))
                : .object(
                    JSONObject(wrapped.map { JSONObject.Member(key: $0.key, value: $0.value) }))
        }
        switch method.body {
        case .none, .whole: break
        case .json:
            body = Array(JSONValue.object(json).description.utf8)
            fields[.contentType] = "application/json"
        case .form:
            body = Array(form.joined(separator: "&").utf8)
            fields[.contentType] = "application/x-www-form-urlencoded"
        case .multipart:
            fields[.contentType] = "multipart/form-data; boundary=limit"
            let parts = form.map { name in
                "--limit\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"a.png\"\r\n"
                    + "Content-Type: image/png\r\n\r\nabc\r\n"
            }
            body = Array((parts.joined() + "--limit--\r\n").utf8)
        }
        for scheme in [api.auth].compactMap({ $0 }) + api.schemes {
            switch scheme.placement {
            case .query(let name): query.append("\(name)=token")
            case .header(let name, let prefix):
                if let name = HTTPField.Name(name), fields[name] == nil {
                    fields[name] = prefix + "token"
                }
            case .bearer: fields[.authorization] = "Bearer token"
            case .basic: fields[.authorization] = "Basic dTpw"
            case .cookie(let name): fields[.cookie] = "\(name)=token"
            case .body, .path: break
            }
        }
        let target =
            (path.hasPrefix("/") ? "" : "/") + path
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        return LoopbackRequest(
            method: method.verb.name, target: target, fields: fields, body: body, connection: 1)
    }

    /// What is sent for a parameter; nil for nothing.
    private mutating func value(of parameter: Parameter, needed: Bool) -> JSONValue? {
        switch parameter.presence {
        case .constant(let literal): return maker.json(of: literal, parameter.value.type)
        case .callID: return 7
        case .required: break
        case .optional, .defaulted, .credential:
            let isAllowed = needed || parameter.location == .json
            guard isAllowed, maker.chance(ofHundred: 50) else { return nil }
        }
        var value = parameter.value
        value.isNullable = false
        return maker.make(value, named: parameter.key)
    }

    private func items(of parameter: Parameter, _ value: JSONValue) -> [String] {
        let texts = value.asArray?.map(\.writtenText) ?? [value.writtenText]
        if case .joined(let separator) = parameter.listStyle {
            return [
                "\(parameter.key)=\(PercentEncoding.component(texts.joined(separator: separator)))"
            ]
        }
        return texts.map { "\(parameter.key)=\(PercentEncoding.component($0))" }
    }
}

extension ValueType {
    /// Whether a whole body of the type is JSON.
    fileprivate var isJSON: Bool {
        switch self {
        case .bytes, .file, .string: false
        default: true
        }
    }
}

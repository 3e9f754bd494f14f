import SpecIR
import TelexJSON

/// The parts of a request, as a server sees them: percent-decoded texts, and the bytes of the body.
public struct RequestValues: Sendable {
    /// A name with its text.
    public typealias Pair = (name: String, text: String)

    /// The texts of the placeholders of the path.
    public var path: [String: String] = [:]
    /// The items of the query, in order.
    public var query: [Pair] = []
    /// The header fields, in order.
    public var headers: [Pair] = []
    /// The fields of a form, or the parts of a multipart body that are texts, in order.
    public var form: [Pair] = []
    /// The names of the parts of a multipart body that are files.
    public var files: Set<String> = []
    /// The body, unless it is a form or multipart; nil for none.
    public var body: [UInt8]?

    /// A request without values.
    public init() {}
}

/// A violation in a request.
public struct RequestViolation: Sendable {
    /// The parameter that it is about; nil for the body as a whole.
    public var parameter: Parameter?
    /// The violation. Its path begins with the API's name of the parameter.
    public var violation: Violation

    package init(parameter: Parameter?, violation: Violation) {
        self.parameter = parameter
        self.violation = violation
    }
}

extension RequestValues {
    /// The JSON of a parameter; nil if the request does not have it.
    func json(
        of parameter: Parameter, in wrapper: BodyWrapper?, position: Int, _ text: SentText
    ) -> [UInt8]? {
        let value = parameter.value
        switch parameter.location {
        case .path: return path[parameter.key].map { text.json([$0], parameter) }
        case .query: return text.json(of: parameter, in: query)
        case .form: return text.json(of: parameter, in: form)
        case .part:
            if files.contains(parameter.key) { return Array("null".utf8) }
            return text.json(of: parameter, in: form)
        case .header:
            let name = parameter.key.lowercased()
            let pairs = headers.map { (name: $0.name.lowercased(), text: $0.text) }
            var parameter = parameter
            parameter.key = name
            return text.json(of: parameter, in: pairs)
        case .json:
            var steps: [JSONStep] = [.key(parameter.key)]
            if parameter.isInWrapper, let wrapper {
                steps = [.key(wrapper.key), wrapper.isList ? .index(position) : steps[0]]
            }
            return body.flatMap { JSONReader.bytes(atEach: steps, in: $0, upTo: 1).first }
                .map(Array.init)
        case .body:
            guard let body else { return nil }
            if case .bytes = value.type { return Array("null".utf8) }
            if value.type == .file { return Array("null".utf8) }
            if parameter.textType != nil {
                return text.quoted(String(decoding: body, as: UTF8.self))
            }
            return body.isEmpty ? nil : body
        }
    }
}

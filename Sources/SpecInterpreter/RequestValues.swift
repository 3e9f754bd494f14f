import Foundation
import SpecIR
import TelexInspection
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

/// Turns texts of a request into JSON by their types, so that one reader checks both.
struct SentText: Sendable {
    let models: [String: Model]

    /// The JSON of a parameter among named texts; nil if it is not there.
    func json(of parameter: Parameter, in pairs: [RequestValues.Pair]) -> [UInt8]? {
        let key = parameter.key
        switch parameter.listStyle {
        case .entries:
            let taken = Set(parameter.takenNames)
            let own = pairs.filter { !taken.contains($0.name) }
            return own.isEmpty ? nil : json(own.map { ([$0.name], $0.text) }, parameter.value)
        case .deep, .dots:
            let own = pairs.compactMap { pair -> (path: [String], text: String)? in
                let parts = pair.name.split { "[].".contains($0) }.map(String.init)
                return parts.first == key ? (Array(parts.dropFirst()), pair.text) : nil
            }
            return own.isEmpty ? nil : json(own, parameter.value)
        case .brackets, .indexed:
            let own = pairs.filter { $0.name == key || $0.name.hasPrefix(key + "[") }
            return own.isEmpty ? nil : json(own.map(\.text), parameter)
        case .repeated, .joined, .json:
            let own = pairs.filter { $0.name == key }
            return own.isEmpty ? nil : json(own.map(\.text), parameter)
        }
    }

    /// The JSON of the texts of one parameter.
    func json(_ texts: [String], _ parameter: Parameter) -> [UInt8] {
        guard case .list(let element) = parameter.value.type, parameter.listStyle != .json else {
            return json(texts.last ?? "", parameter.value)
        }
        var items = texts
        var separator: String?
        if case .joined(let text) = parameter.listStyle { separator = text }
        if separator == nil, parameter.location == .path { separator = "," }
        if separator == nil, parameter.location == .header { separator = ", " }
        if let separator {
            items = texts.flatMap { text in
                text.isEmpty ? [] : text.components(separatedBy: separator)
            }
        }
        return array(items.map { json($0, element) })
    }

    /// The JSON of texts at paths inside a value.
    private func json(_ pairs: [(path: [String], text: String)], _ value: Value) -> [UInt8] {
        if let text = pairs.first(where: { $0.path.isEmpty })?.text { return json(text, value) }
        var names: [String] = []
        for pair in pairs where !names.contains(pair.path[0]) { names.append(pair.path[0]) }
        let members = names.map { name in
            let inner = pairs.filter { $0.path[0] == name }.map { (Array($0.path.dropFirst()), $0.text) }
            return (name: name, json: json(inner, element(name, of: value.type)))
        }
        if case .list = value.type { return array(members.map(\.json)) }
        let texts = members.map { quoted($0.name) + [UInt8(ascii: ":")] + $0.json }
        return Array("{".utf8) + texts.joined(separator: [UInt8(ascii: ",")]) + Array("}".utf8)
    }

    /// The JSON of a text: a number, a Boolean or JSON if the type says so and it is one, or else a
    /// text, which the type then refuses.
    private func json(_ text: String, _ value: Value) -> [UInt8] {
        let bytes = Array(text.utf8)
        let isText = value.from == .string || value.shapes == [.string]
        if isText { return quoted(text) }
        if value.type == .bool(.presence), text.isEmpty { return Array("true".utf8) }
        guard let first = bytes.first, first != 0x20, JSONReader.syntaxError(in: bytes) == nil
        else { return quoted(text) }
        // A text may look like a number.
        if case .string = value.type { return quoted(text) }
        return bytes
    }

    /// The type of what is inside an object, a list or a map.
    private func element(_ key: String, of type: ValueType) -> Value {
        switch type {
        case .list(let element), .map(_, let element): return element
        case .object(let name):
            guard case .object(let fields) = models[name]?.kind else { return Value(.json) }
            return fields.first { $0.key == key }?.value ?? Value(.json)
        default: return Value(.json)
        }
    }

    func quoted(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(text)
        return writer.bytes
    }

    private func array(_ items: [[UInt8]]) -> [UInt8] {
        Array("[".utf8) + items.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
    }
}

/// The parameters of a method, made ready for checks: fields of one object.
struct RequestCheck: Sendable {
    private let parameters: [Parameter]
    private let wrapper: BodyWrapper?
    private let check: ObjectCheck
    private let models: [ModelCheck]
    private let text: SentText

    init(_ method: Method, of api: API, _ table: ModelTable, _ models: [ModelCheck]) {
        let base = api.baseParameters.filter { base in
            [.query, .header].contains(base.location)
                && !method.parameters.contains { $0.key == base.key && $0.location == base.location }
        }
        parameters = method.parameters + base
        wrapper = method.wrapper
        text = SentText(models: table.models)
        self.models = models
        let fields = parameters.enumerated().map { number, parameter in
            Field(
                key: "p\(number)", name: number < method.parameters.count ? parameter.name : "",
                value: parameter.checkedValue, isOptional: parameter.presence != .required,
                isSensitive: parameter.isSensitive || Redactor.isSuspicious(parameter.key))
        }
        let model = Model(
            apiName: method.apiName, name: "", qualifiedName: "", documentation: Documentation(),
            kind: .object(fields), nested: [], isRead: false, isWritten: false, conformances: [],
            rules: method.rules)
        check = ObjectCheck(model, fields, table, keys: parameters.map { [$0.key] })
    }

    func violations(in request: RequestValues, _ limits: JSONLimits) -> [RequestViolation] {
        var found: [RequestViolation] = []
        let isJSON = parameters.contains {
            $0.location == .json || $0.location == .body && $0.textType == nil
                && $0.value.type != .file && !$0.value.type.isBytes
        }
        if isJSON, let body = request.body, !body.isEmpty,
            let error = JSONReader.syntaxError(in: body, limits: limits)
        {
            let violation = Violation(
                path: "$", check: .types, rule: "type", expected: "JSON", found: "\(error.reason)")
            return [RequestViolation(parameter: nil, violation: violation)]
        }
        var position = 0
        var members: [[UInt8]] = []
        for (number, parameter) in parameters.enumerated() {
            let json = request.json(
                of: parameter, in: wrapper, position: position, text)
            if parameter.isInWrapper { position += 1 }
            if let json { members.append(Array("\"p\(number)\":".utf8) + json) }
        }
        let document =
            Array("{".utf8) + members.joined(separator: [UInt8(ascii: ",")]) + Array("}".utf8)
        var limits = limits
        limits.bytes = max(limits.bytes, document.count)
        let report = JSONReader.read(document, limits: limits) {
            check.read(&$0, CheckRun(models, notes: false))
        }.report
        found = report.violations.map(named)
        if let error = report.syntaxError {
            let violation = Violation(
                path: "$", check: .types, rule: "type", expected: "JSON", found: "\(error.reason)")
            found.append(RequestViolation(parameter: nil, violation: violation))
        }
        return found
    }

    /// The violation with the API's name of its parameter.
    private func named(_ violation: Violation) -> RequestViolation {
        let head = violation.path.prefix { $0 != "." && $0 != "[" }
        if head.first == "p", let number = Int(head.dropFirst()), number < parameters.count {
            var named = violation
            named.path = parameters[number].key + violation.path.dropFirst(head.count)
            return RequestViolation(parameter: parameters[number], violation: named)
        }
        return RequestViolation(
            parameter: parameters.first { $0.key == violation.path }, violation: violation)
    }
}

extension Parameter {
    /// The value with what is known of it besides: a constant, null for what is no JSON.
    fileprivate var checkedValue: Value {
        var value = value
        switch presence {
        case .constant(let literal): value.rules.append(Rule(.constant, .literal(literal)))
        case .callID: value = Value(.json)
        case .required, .optional, .defaulted, .credential: break
        }
        if value.type == .file || location == .body && value.type.isBytes {
            value = Value(.json)
        }
        return value
    }
}

extension ValueType {
    fileprivate var isBytes: Bool { if case .bytes = self { true } else { false } }
}

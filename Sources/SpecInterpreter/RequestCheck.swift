import SpecIR
import TelexInspection
import TelexJSON

/// The parameters of a method, made ready for checks: fields of one object.
struct RequestCheck: Sendable {
    private let parameters: [Parameter]
    private let wrapper: BodyWrapper?
    private let check: ObjectCheck
    private let models: [ModelCheck]
    private let text: SentText

    init(_ method: Method, of api: API, _ table: ModelTable, _ models: [ModelCheck]) {
        parameters = api.parameters(of: method)
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
            $0.location == .json
                || $0.location == .body && $0.textType == nil
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

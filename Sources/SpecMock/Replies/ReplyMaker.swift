import Foundation
import HTTPTypes
import SpecDiagnostics
import SpecIR
import SpecInterpreter
import TelexJSON
import TelexTesting

/// Makes the replies of methods: by template, else by example, else by type.
struct ReplyMaker {
    /// A value and where it is from.
    struct Made {
        var value: JSONValue
        let source: String
        /// Whether it is a whole reply; otherwise, the value that a reply leads to.
        let isWhole: Bool
    }

    let spec: MockSpec
    let seed: UInt64
    let now: Date
    let check: ValueMaker.Check

    /// A maker of values that depend on some text, and on the seed.
    func maker(_ text: String) -> ValueMaker {
        let hash = UInt64(stableHash(text), radix: 16) ?? 0
        return ValueMaker(spec.models, seed: hash ^ seed, now: now, check: check)
    }

    /// The value of a successful reply.
    ///
    /// - Parameter text: What tells requests apart whose replies differ.
    func value(of method: SpecIR.Method, _ type: Value, for text: String) -> Made {
        if let template = spec.templates[method.apiName] {
            return Made(value: template, source: "template", isWhole: true)
        }
        if let example = method.documentation.examples.first,
            let value = try? JSONValue(json: example.value.json)
        {
            return Made(value: value, source: "example", isWhole: false)
        }
        var maker = maker(text)
        return Made(value: maker.make(type, named: method.name), source: "made", isWhole: false)
    }

    // MARK: Bodies

    /// A whole reply around a value: under the path that the spec unwraps, and with what the spec
    /// tells a success by.
    func body(_ made: Made?, of method: SpecIR.Method, _ content: RequestParts) -> JSONValue? {
        let rules = spec.success(method)
        let isBare = rules.unwrap.isEmpty && rules.present.isEmpty && rules.conditions.isEmpty
        guard made != nil || !isBare else { return nil }
        var body = made?.value ?? .object(JSONObject())
        if made?.isWhole != true { body = body.wrapped(by: rules.unwrap) }
        if !rules.present.isEmpty, body.value(at: rules.present) == nil {
            body.set(.object(JSONObject()), at: rules.present)
        }
        for condition in rules.conditions {
            guard let value = condition.values.first else { continue }
            body.set(constant(value, of: method, content), at: condition.path)
        }
        return body
    }

    private func constant(
        _ constant: ReplyCondition.Constant, of method: SpecIR.Method, _ content: RequestParts
    ) -> JSONValue {
        switch constant {
        case .flag(let flag): .bool(flag)
        case .integer(let number): .int(Int64(number))
        case .text(let text): .string(text)
        case .callID: callID(of: method, content)
        }
    }

    /// The id of the call in a request.
    private func callID(of method: SpecIR.Method, _ content: RequestParts) -> JSONValue {
        guard let parameter = method.parameters.first(where: { $0.presence == .callID }) else {
            return .null
        }
        if let value = content.json?[parameter.key] { return value }
        return content.text(parameter.key, parameter.location).map(JSONValue.string) ?? .null
    }

    // MARK: Heads

    /// The status of a successful reply.
    func status(of method: SpecIR.Method, hasBody: Bool) -> Int {
        let ranges = spec.success(method).statuses
        let usual = hasBody ? [200, 201] : [204, 200]
        return usual.first { status in ranges.contains { $0.contains(status) } }
            ?? ranges.first?.lowerBound ?? 200
    }

    /// The media type of a reply.
    func type(of method: SpecIR.Method, _ usual: String) -> String {
        let types = spec.success(method).accepts
        return types.first { !$0.contains("*") } ?? usual
    }

    /// The typed header fields of a reply.
    func headers(of method: SpecIR.Method, for text: String, at address: String) -> HTTPFields {
        guard let headers = method.replyHeaders,
            case .object(let fields)? = spec.models.byName[headers.model]?.kind
        else { return [:] }
        var (maker, result) = (maker(text + " headers"), HTTPFields())
        for (field, place) in zip(fields, headers.places) {
            let value =
                field.value.type == .url
                ? .string(address) : maker.make(field.value, named: field.key)
            switch place {
            case .value(let name):
                if value != .null, let name = HTTPField.Name(name) {
                    result[name] = value.writtenText
                }
            case .list(let name):
                guard let items = value.asArray, let name = HTTPField.Name(name) else { continue }
                result[name] = items.map(\.writtenText).joined(separator: ", ")
            case .link(let relation):
                if field.isRequired { result.addLink(address, relation) }
            }
        }
        return result
    }

    // MARK: Refusals

    /// The reply that tells of a failure as the spec declares it.
    ///
    /// - Parameters:
    ///   - sign: How the failure is told; nil for the status.
    ///   - status: The status, unless the sign is another one.
    func refusal(
        _ message: String, sign: AuthRules.Expiry? = nil, status: Int, of method: SpecIR.Method?,
        _ content: RequestParts
    ) -> LoopbackReply {
        var (status, code) = (status, String?.none)
        switch sign {
        case .status(let declared)?: status = declared
        case .code(let declared)?:
            code = declared
            // Most APIs that tell by a code do so in a reply that is a success otherwise.
            let rules = method.map { spec.success($0) } ?? spec.api.reply
            if !rules.absent.isEmpty || !rules.present.isEmpty { status = 200 }
        case nil: break
        }
        let rules = spec.errors(method)
        var error = object(of: rules, code: code, status: status)
        let keys = rules?.message ?? []
        error.set(.string(message), at: keys.isEmpty ? ["message"] : keys)
        if let code, let keys = rules?.code, !keys.isEmpty { error.set(value(of: code), at: keys) }
        var body = error.wrapped(by: rules?.at ?? [])
        if let method {
            for condition in spec.success(method).conditions where condition.values == [.callID] {
                body.set(callID(of: method, content), at: condition.path)
            }
        }
        return .json(body, status: status)
    }

    private func value(of code: String) -> JSONValue {
        spec.api.errorCodes.areIntegers || Int64(code) != nil
            ? WrittenLiteral.number(code) : .string(code)
    }

    /// The error object as its model has it.
    private func object(of rules: ErrorRules?, code: String?, status: Int) -> JSONValue {
        let named = rules?.cases.first { $0.code == code || code == nil && $0.status == status }
        guard let name = named?.model ?? rules?.model else { return .object(JSONObject()) }
        var maker = maker("error \(code ?? "\(status)")")
        return maker.make(Value(.object(name)))
    }
}

extension LoopbackReply {
    /// A reply of JSON.
    static func json(
        _ value: JSONValue, status: Int = 200, type: String = "application/json"
    ) -> LoopbackReply {
        .text(value.description, status: status, fields: [.contentType: type])
    }
}

extension HTTPFields {
    /// Adds a link (RFC 8288).
    mutating func addLink(_ address: String, _ relation: String) {
        append(HTTPField(name: .link, value: "<\(address)>; rel=\"\(relation)\""))
    }
}

extension HTTPField.Name {
    static let link = HTTPField.Name("Link")!
}

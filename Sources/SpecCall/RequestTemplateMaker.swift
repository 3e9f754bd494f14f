import Foundation
import SpecIR
import SpecInterpreter
import TelexJSON
import TelexRequests
import TelexRuntime

/// Makes the request of a method from arguments that are known at run time.
struct RequestTemplateMaker: Sendable {
    let method: SpecIR.Method
    /// The parameters of the method, and those of every request.
    let parameters: [Parameter]
    private let literals: WrittenLiteral

    init(_ method: SpecIR.Method, of api: API) {
        self.method = method
        parameters = api.parameters(of: method)
        literals = WrittenLiteral(api.groups.flatMap(\.models).byName)
    }

    /// The request of some arguments.
    ///
    /// - Throws: An error for an argument that is missing.
    func template(
        _ arguments: CallArguments, _ endpoint: Endpoint
    ) throws(CallError) -> RequestTemplate {
        var request = RequestBuilder(
            RequestTemplate(method: method.apiName, endpoint: endpoint))
        var members: [(parameter: Parameter, value: JSONValue)] = []
        for parameter in parameters {
            if parameter.value.type == .file || parameter.files {
                try addFile(parameter, arguments, to: &request)
                continue
            }
            guard let value = try value(of: parameter, arguments) else { continue }
            switch parameter.location {
            case .path:
                request.path(parameter.key, value, allowsEmpty: parameter.allowsEmptyPath)
            case .query: request.query(parameter.key, value, list: parameter.style)
            case .header: request.header(parameter.key, value, list: parameter.style)
            case .form: request.form(parameter.key, value, list: parameter.style)
            case .part: request.part(parameter.key, value, list: parameter.style)
            case .json: members.append((parameter, value))
            case .body: addBody(value, parameter, to: &request)
            }
        }
        if method.body == .json { addMembers(members, to: &request) }
        return request.template
    }

    private func value(
        of parameter: Parameter, _ arguments: CallArguments
    ) throws(CallError) -> JSONValue? {
        if let value = try arguments.json(parameter) { return value }
        let type = parameter.value.type
        switch parameter.presence {
        case .constant(let literal): return literals.json(literal, type)
        case .callID: return .string(UUID().uuidString)
        case .defaulted(let literal): return literals.json(literal, type)
        case .optional:
            guard let fallback = parameter.fallback,
                !fallback.unless.contains(where: arguments.names.contains)
            else { return nil }
            return fallback.value.map { literals.json($0, type) }
        case .required:
            throw CallError(
                "`\(method.apiName)` needs `\(parameter.key)`",
                help: "add \(parameter.key)=\(parameter.shownExample)")
        case .credential(let key):
            throw CallError(
                "`\(parameter.key)` of `\(method.apiName)` is `\(key)` of the app's credential",
                help: "add \(parameter.key)=\(parameter.shownExample)")
        }
    }

    private func addFile(
        _ parameter: Parameter, _ arguments: CallArguments, to request: inout RequestBuilder
    ) throws(CallError) {
        let file = try arguments.file(parameter.key)
        if file == nil, parameter.presence == .required {
            throw CallError(
                "`\(method.apiName)` needs the file `\(parameter.key)`",
                help: "add \(parameter.key)=@path/of/the/file")
        }
        if parameter.location == .body {
            request.file(file)
        } else {
            request.part(parameter.key, file)
        }
    }

    private func addBody(
        _ value: JSONValue, _ parameter: Parameter, to request: inout RequestBuilder
    ) {
        if let type = parameter.textType {
            request.text(value.writtenText, type: type)
        } else if case .bytes = parameter.value.type {
            request.bytes(Array(value.writtenText.utf8))
        } else {
            request.json { $0.value(value) }
        }
    }

    private func addMembers(
        _ members: [(parameter: Parameter, value: JSONValue)], to request: inout RequestBuilder
    ) {
        var body = JSONObject()
        for (parameter, value) in members where !parameter.isInWrapper {
            body[parameter.key] = value
        }
        if let wrapper = method.wrapper {
            let wrapped = members.filter(\.parameter.isInWrapper)
            let object = wrapped.map { JSONObject.Member(key: $0.parameter.key, value: $0.value) }
            body[wrapper.key] =
                wrapper.isList ? .array(wrapped.map(\.value)) : .object(JSONObject(object))
        }
        request.json { $0.value(JSONValue.object(body)) }
    }
}

extension RequestValues {
    /// What a request sends, for the check by the spec.
    init(_ template: RequestTemplate) {
        self.init()
        for field in template.path { path[field.name] = field.pairs.first?.value ?? "" }
        query = template.query.pairs
        headers = template.headers.pairs
        form = template.fields.isEmpty ? [] : template.form.fields.pairs
        for case .file(let name, _) in template.form { files.insert(name) }
        switch template.body {
        case .json(let bytes, _), .bytes(let bytes, _): body = bytes
        case .file: body = []
        case .none: break
        }
    }
}

extension [RequestField] {
    fileprivate var pairs: [RequestValues.Pair] {
        flatMap { $0.pairs.map { (name: $0.name, text: $0.value) } }
    }
}

extension [RequestTemplate.FormField] {
    fileprivate var fields: [RequestField] {
        compactMap { if case .field(let field) = $0 { field } else { nil } }
    }
}

extension Parameter {
    /// Whether it is a list of files.
    fileprivate var files: Bool {
        if case .list(let element) = value.type { element.type == .file } else { false }
    }

    /// A value for messages.
    fileprivate var shownExample: String { "…" }

    fileprivate var style: TelexRequests.ListStyle {
        switch listStyle {
        case .repeated: .repeated
        case .joined(let separator): .joined(separator)
        case .brackets: .brackets
        case .indexed: .indexed
        case .json: .json
        case .deep: .deep
        case .dots: .dots
        case .entries: .entries(besides: takenNames)
        }
    }
}

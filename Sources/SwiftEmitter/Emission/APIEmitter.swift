import SpecIR

/// The API's description, and the table of its methods.
extension SwiftWriter {
    mutating func api(_ api: API) {
        line()
        var comment = DocComment(api.documentation, otherwise: "The API \(api.name).")
        comment.link(api.documentation)
        comment.write(to: &self)
        block("public enum \(Swift.identifier(api.name)): APIDescription") { writer in
            writer.parameters(api)
            writer.line()
            writer.errorCode(api)
            writer.line()
            writer.definition(api)
        }
    }

    // MARK: Values of every request

    private mutating func parameters(_ api: API) {
        let given = api.baseParameters.filter { $0.swift != nil }
        let hasDefaults = given.allSatisfy { $0.defaultExpression != nil }
        line("/// Values sent with every request.")
        let protocols = hasDefaults ? "APIParameters, DefaultParameters" : "APIParameters"
        block("public struct Parameters: \(protocols)") { writer in
            for parameter in given {
                var comment = DocComment(
                    parameter.documentation, otherwise: "`\(parameter.key)`")
                if !parameter.facts.isEmpty {
                    comment.paragraph(parameter.facts.joined(separator: " "))
                }
                comment.write(to: &writer)
                writer.line(
                    "public var \(Swift.identifier(parameter.name)): \(parameter.swift ?? "")")
            }
            if !given.isEmpty { writer.line() }
            writer.line("/// Creates the values.")
            writer.list("public init", given.map(\.defaultedDeclaration), " {")
            writer.indented { writer in
                for parameter in given {
                    let name = Swift.identifier(parameter.name)
                    writer.line("self.\(Swift.member(parameter.name)) = \(name)")
                }
            }
            writer.line("}")
            writer.line()
            writer.line("/// Adds the values to a request.")
            writer.block("public func apply(to request: inout RequestBuilder)") { writer in
                for parameter in api.baseParameters {
                    writer.send(
                        parameter, "self." + Swift.member(parameter.name), to: "request")
                }
            }
        }
    }

    // MARK: Errors

    private mutating func errorCode(_ api: API) {
        line("/// The error codes that the API's description has.")
        let errors = api.errors
        let cases = (errors?.cases ?? []).map { item in
            EnumerationCase(
                name: item.name, value: item.code,
                documentation: item.documentation.text == nil
                    ? Documentation(text: "Code \(item.code).") : item.documentation)
        }
        enumeration(
            "ErrorCode",
            Enumeration(isInteger: errors?.codesAreIntegers ?? false, cases: cases))
    }

    // MARK: Definition

    private mutating func definition(_ api: API) {
        line("/// How the API is spoken to.")
        block("public static var definition: APIDefinition") { writer in
            writer.line("APIDefinition(")
            writer.indented { writer in
                let arguments = writer.definitionArguments(api)
                for (index, argument) in arguments.enumerated() {
                    let comma = index == arguments.count - 1 ? "" : ","
                    writer.line(argument + comma)
                }
            }
            writer.line(")")
        }
    }

    private func definitionArguments(_ api: API) -> [String] {
        var arguments = [
            "name: \(Swift.string(api.name))",
            "servers: [" + api.servers.map(\.swift).joined(separator: ", ") + "]",
            "reply: \(api.reply.swift)",
        ]
        if let errors = api.errors { arguments.append("errors: \(errors.swift)") }
        if let auth = api.auth { arguments.append("auth: \(auth.swift)") }
        if let timeout = api.timeout { arguments.append("timeout: .milliseconds(\(timeout))") }
        arguments.append(
            "limits: ReplyLimits(bytes: \(Swift.integer(String(api.limits.bytes))), "
                + "depth: \(api.limits.depth))")
        return arguments
    }

    // MARK: Methods

    mutating func methodTable(_ api: API) {
        let methods = api.groups.flatMap { group in group.methods.map { (group, $0) } }
        line()
        block("extension \(api.name)") { writer in
            writer.methodEnumeration(methods.map(\.1))
            writer.line()
            writer.requestDispatcher(methods)
            writer.line()
            writer.validatorDispatcher(methods)
        }
    }

    private mutating func methodEnumeration(_ methods: [Method]) {
        line("/// The methods of the API; the raw value is the API's own name.")
        block("public enum APIMethod: String, CaseIterable, APIMethodName") { writer in
            for method in methods {
                let text = method.documentation.text ?? ""
                let summary = Swift.commentLines(text).first ?? ""
                var comment = DocComment()
                comment.paragraph(
                    "`\(method.verb) \(method.path)`" + (summary.isEmpty ? "" : ": " + summary))
                comment.write(to: &writer)
                writer.line(
                    "case \(Swift.identifier(method.caseName)) = \(Swift.string(method.apiName))")
            }
            if methods.isEmpty { writer.line("case none = \"\"") }
            writer.line()
            writer.line("/// Where the method lives, and what holds for it.")
            writer.block("public var endpoint: Endpoint") { writer in
                writer.block("switch self", ) { writer in
                    for method in methods {
                        writer.line(
                            "case .\(Swift.member(method.caseName)): \(method.endpoint)")
                    }
                    if methods.isEmpty { writer.line("case .none: Endpoint(.get, \"\")") }
                }
            }
        }
    }

    private mutating func requestDispatcher(_ methods: [(Group, Method)]) {
        line("/// Builds the request of any method from its properties by the API's own names.")
        line("///")
        line("/// - Throws: `APIError` if a property is missing, unknown or of the wrong type.")
        line("public static func request(")
        indented { $0.line("_ method: APIMethod, properties: Properties") }
        block(") throws(APIError) -> APIRequest<any Sendable>") { writer in
            writer.block("switch method") { writer in
                for (group, method) in methods {
                    let name = Swift.member(method.name)
                    writer.line("case .\(Swift.member(method.caseName)):")
                    writer.indented {
                        $0.line(
                            "try \(group.names.requests).\(name)(properties: properties).erased()")
                    }
                }
                if methods.isEmpty {
                    writer.line("case .none: throw PropertyReader.noSuchMethod(method)")
                }
            }
        }
    }

    private mutating func validatorDispatcher(_ methods: [(Group, Method)]) {
        line("/// Checks a whole reply of any method; collects all violations.")
        line("public static func validate(")
        indented { $0.line("_ reply: [UInt8], from method: APIMethod") }
        block(") -> ValidationReport") { writer in
            writer.block("switch method") { writer in
                for (group, method) in methods {
                    let call = "\(group.names.validator).\(Swift.member(method.name))(reply)"
                    writer.line("case .\(Swift.member(method.caseName)): \(call)")
                }
                if methods.isEmpty { writer.line("case .none: ValidationReport()") }
            }
        }
    }
}

extension Server {
    fileprivate var swift: String {
        var text = "Server(\(Swift.string(name)), \(Swift.string(url))"
        if !variables.isEmpty {
            text += ", variables: [" + variables.map(\.swift).joined(separator: ", ") + "]"
        }
        return text + ")"
    }
}

extension ServerVariable {
    fileprivate var swift: String {
        let value = defaultValue.map(Swift.string) ?? "nil"
        return "ServerVariable(\(Swift.string(name)), default: \(value), "
            + "allowed: \(Swift.strings(allowed)))"
    }
}

extension ReplyRules {
    fileprivate var swift: String {
        let ranges = statuses.map { "\($0.lowerBound)...\($0.upperBound)" }
        var arguments = ["status: [\(ranges.joined(separator: ", "))]"]
        if !absent.isEmpty { arguments.append("absent: \(Swift.strings(absent))") }
        if !present.isEmpty { arguments.append("present: \(Swift.strings(present))") }
        if !unwrap.isEmpty { arguments.append("unwrap: \(Swift.strings(unwrap))") }
        return "ReplyRules(\(arguments.joined(separator: ", ")))"
    }
}

extension ErrorRules {
    fileprivate var swift: String {
        let retryable = cases.filter(\.isRetryable).map(\.code)
        return "ErrorRules(at: \(Swift.strings(at)), code: \(Swift.strings(code)), "
            + "message: \(Swift.strings(message)), retryable: \(Swift.strings(retryable)))"
    }
}

extension AuthRules {
    fileprivate var swift: String {
        let token =
            switch placement {
            case .query(let name): ".query(\(Swift.string(name)))"
            case .header(let name, let prefix):
                ".header(\(Swift.string(name)), prefix: \(Swift.string(prefix)))"
            case .bearer: ".bearer"
            case .cookie(let name): ".cookie(\(Swift.string(name)))"
            case .body(let name): ".body(\(Swift.string(name)))"
            }
        let expired = expiry.map { sign in
            switch sign {
            case .status(let status): ".status(\(status))"
            case .code(let code): ".code(\(Swift.string(code)))"
            }
        }
        return "AuthRules(token: \(token), expired: [\(expired.joined(separator: ", "))])"
    }
}

extension Method {
    fileprivate var endpoint: String {
        let verbs = [
            "GET": ".get", "POST": ".post", "PUT": ".put", "PATCH": ".patch",
            "DELETE": ".delete", "HEAD": ".head", "OPTIONS": ".options",
        ]
        var arguments = [verbs[verb] ?? ".get", Swift.string(path)]
        if let server { arguments.append("server: \(Swift.string(server))") }
        if !isAuthenticated { arguments.append("isAuthenticated: false") }
        if let timeout { arguments.append("timeout: .milliseconds(\(timeout))") }
        if isEphemeral { arguments.append("isEphemeral: true") }
        if let reply { arguments.append("reply: \(reply.swift)") }
        return "Endpoint(\(arguments.joined(separator: ", ")))"
    }
}

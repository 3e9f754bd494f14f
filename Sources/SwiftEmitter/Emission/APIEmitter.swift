import SpecIR

/// The API's description, and the table of its methods.
extension SwiftWriter {
    mutating func api(_ api: API) {
        patterns = PatternTable(owner: "APIPatterns", values: api.baseParameters.map(\.value))
        line()
        var comment = DocComment(api.documentation, otherwise: "The API \(api.name).")
        comment.link(api.documentation)
        comment.write(to: &self)
        block("nonisolated public enum \(Leaf.identifier(api.name)): APIDescription") { writer in
            writer.parameters(api)
            writer.line()
            writer.errorCode(api)
            writer.line()
            writer.definition(api)
        }
        if !patterns.isEmpty {
            line()
            patterns.write(to: &self)
        }
    }

    // MARK: Values of every request

    private mutating func parameters(_ api: API) {
        let given = api.baseParameters.arguments
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
                    "public var \(Leaf.identifier(parameter.name)): \(parameter.swift ?? "")")
            }
            if !given.isEmpty { writer.line() }
            writer.line("/// Creates the values.")
            writer.list("public init", given.map(\.defaultedDeclaration), " {")
            writer.indented { writer in
                for parameter in given {
                    let name = Leaf.identifier(parameter.name)
                    writer.line("self.\(Leaf.member(parameter.name)) = \(name)")
                }
            }
            writer.line("}")
            if hasDefaults, !given.isEmpty { writer.defaultInitializer(given) }
            writer.line()
            writer.line("/// Adds the values to a request.")
            writer.block("public func apply(to request: inout RequestBuilder)") { writer in
                for parameter in api.baseParameters {
                    writer.send(
                        parameter, "self." + Leaf.member(parameter.name), to: "request")
                }
            }
        }
    }

    private mutating func defaultInitializer(_ given: [Parameter]) {
        line()
        line("/// Creates the values that are sent when the app has no others.")
        let values = given.map { "\(Leaf.argument($0.name)): \($0.defaultExpression ?? "nil")" }
        block("public init()") { $0.list("self.init", values) }
    }

    // MARK: Errors

    private mutating func errorCode(_ api: API) {
        line("/// The error codes that the API's description has.")
        let errors = api.errors
        let cases = (errors?.cases ?? []).map { item in
            EnumerationCase(
                name: item.name, value: item.code, documentation: item.wholeDocumentation)
        }
        enumeration(
            "ErrorCode",
            Enumeration(isInteger: errors?.codesAreIntegers ?? false, cases: cases))
    }

    // MARK: Definition

    private mutating func definition(_ api: API) {
        line("/// How the API is spoken to.")
        block("public static var definition: APIDefinition") { writer in
            writer.expression("", .call("APIDefinition", writer.definitionArguments(api)))
        }
    }

    private func definitionArguments(_ api: API) -> [Layout] {
        var arguments: [Layout] = [
            .text("name: \(Leaf.string(api.name))"),
            .array("servers: ", api.servers.map(\.layout)),
            api.reply.layout("reply: "),
        ]
        if let errors = api.errors { arguments.append(errors.layout) }
        if let auth = api.auth { arguments.append(auth.layout) }
        if api.timeouts != Timeouts() { arguments.append(api.timeouts.layout) }
        let bytes = Leaf.integer(String(api.limits.bytes))
        arguments.append(
            .text("limits: ReplyLimits(bytes: \(bytes), depth: \(api.limits.depth))"))
        arguments += api.traffic.layouts
        if let retry = api.retry { arguments.append(retry.layout) }
        return arguments
    }

    // MARK: Methods

    mutating func methodTable(_ api: API) {
        let methods = api.groups.flatMap { group in group.methods.map { (group, $0) } }
        line()
        block("nonisolated extension \(api.name)") { writer in
            writer.methodEnumeration(methods.map(\.1))
            writer.line()
            writer.requestDispatcher(methods)
            writer.line()
            writer.validatorDispatcher(methods)
        }
    }

    private mutating func methodEnumeration(_ methods: [Method]) {
        line("/// The methods of the API; the raw value is the API's own name.")
        // Without a case there can be no raw type; then nothing of the type can ever exist.
        let raw = methods.isEmpty ? "" : "String, "
        block("public enum APIMethod: \(raw)CaseIterable, APIMethodName") { writer in
            for method in methods {
                let text = method.documentation.text ?? ""
                let summary = Leaf.commentLines(text).first ?? ""
                var comment = DocComment()
                comment.paragraph(
                    "`\(method.verb) \(method.path)`" + (summary.isEmpty ? "" : ": " + summary))
                comment.write(to: &writer)
                writer.line(
                    "case \(Leaf.identifier(method.caseName)) = \(Leaf.string(method.apiName))")
            }
            if methods.isEmpty { writer.noRawValue() }
            writer.line()
            writer.line("/// Where the method lives, and what holds for it.")
            writer.block("public var endpoint: Endpoint") { writer in
                writer.switchBlock("self") { writer in
                    for method in methods {
                        writer.choice(method.caseName, method.endpoint)
                    }
                }
            }
        }
    }

    /// What an enumeration without cases needs to have the name of a method.
    private mutating func noRawValue() {
        line("/// There is no method of any name.")
        line("public init?(rawValue: String) { nil }")
        line()
        line("/// There is no value.")
        block("public var rawValue: String") { $0.switchBlock("self") { _ in } }
    }

    private mutating func requestDispatcher(_ methods: [(Group, Method)]) {
        line("/// Builds the request of any method from its properties by the API's own names.")
        if methods.contains(where: { $1.operation.kind == .download }) {
            line("/// The property `$to` is the path of the file that a download goes to.")
        }
        line("///")
        line("/// - Throws: `APIError` if a property is missing, unknown or of the wrong type.")
        line("public static func request(")
        indented { $0.line("_ method: APIMethod, properties: Properties") }
        block(") throws(APIError) -> APIRequest<any Sendable>") { writer in
            writer.switchBlock("method") { writer in
                for (group, method) in methods {
                    let name = Leaf.member(method.name)
                    writer.line("case .\(Leaf.member(method.caseName)):")
                    let call = Layout.call(
                        "try \(group.names.requests).\(name)", method.handedProperties)
                    writer.indented { $0.expression("", call, ".erased()") }
                }
            }
        }
    }

    private mutating func validatorDispatcher(_ methods: [(Group, Method)]) {
        line("/// Checks a whole reply of any method; collects all violations.")
        line("public static func validate(")
        indented { $0.line("_ reply: [UInt8], from method: APIMethod") }
        block(") -> ValidationReport") { writer in
            writer.switchBlock("method") { writer in
                for (group, method) in methods {
                    let call = "\(group.names.validator).\(Leaf.member(method.name))"
                    writer.choice(method.caseName, .call(call, [.text("reply")]))
                }
            }
        }
    }

    /// Writes a case of a switch with the expression it gives.
    private mutating func choice(_ name: String, _ value: Layout) {
        let head = "case .\(Leaf.member(name)):"
        let single = "\(head) \(value.flat)"
        if fits(single) {
            line(single)
        } else {
            line(head)
            indented { $0.expression("", value) }
        }
    }
}

extension Server {
    fileprivate var layout: Layout {
        var arguments: [Layout] = [.text(Leaf.string(name)), .string("", url)]
        if !variables.isEmpty { arguments.append(.array("variables: ", variables.map(\.layout))) }
        return .call("Server", arguments)
    }
}

extension ServerVariable {
    fileprivate var layout: Layout {
        .call(
            "ServerVariable",
            [
                .text(Leaf.string(name)),
                .text("default: \(defaultValue.map(Leaf.string) ?? "nil")"),
                .strings("allowed: ", allowed),
            ])
    }
}

extension ReplyRules {
    fileprivate func layout(_ label: String) -> Layout {
        let ranges = statuses.map { "\($0.lowerBound)...\($0.upperBound)" }
        var arguments: [Layout] = [.array("status: ", ranges.map(Layout.text))]
        if !absent.isEmpty { arguments.append(.strings("absent: ", absent)) }
        if !present.isEmpty { arguments.append(.strings("present: ", present)) }
        if !conditions.isEmpty {
            arguments.append(.array("conditions: ", conditions.map(\.layout)))
        }
        if !unwrap.isEmpty { arguments.append(.strings("unwrap: ", unwrap)) }
        return .call(label + "ReplyRules", arguments)
    }
}

extension ReplyCondition {
    fileprivate var layout: Layout {
        let values = values.map { value in
            switch value {
            case .flag(let flag): "\(flag)"
            case .integer(let integer): Leaf.integer(String(integer))
            case .text(let text): Leaf.string(text)
            }
        }
        return .call(
            ".value", [.strings("at: ", path), .array("in: ", values.map(Layout.text))])
    }
}

extension ErrorRules {
    fileprivate var layout: Layout {
        var arguments: [Layout] = [
            .strings("at: ", at), .strings("code: ", code), .strings("message: ", message),
            .strings("retryable: ", cases.filter(\.isRetryable).map(\.code)),
        ]
        if !retryAfter.isEmpty {
            arguments.append(.strings("retryAfter: ", retryAfter))
            if retryAfterIsInMilliseconds { arguments.append(.text("timeUnit: .milliseconds")) }
        }
        return .call("errors: ErrorRules", arguments)
    }
}

extension AuthRules {
    fileprivate var layout: Layout {
        let token =
            switch placement {
            case .query(let name): ".query(\(Leaf.string(name)))"
            case .header(let name, let prefix):
                ".header(\(Leaf.string(name)), prefix: \(Leaf.string(prefix)))"
            case .bearer: ".bearer"
            case .cookie(let name): ".cookie(\(Leaf.string(name)))"
            case .body(let name): ".body(\(Leaf.string(name)))"
            }
        var arguments: [Layout] = [
            .text("token: \(token)"), .array("expired: ", expiry.map(\.layout)),
        ]
        if let refresh { arguments.append(refresh.layout) }
        return .call("auth: AuthRules", arguments)
    }
}

extension AuthRules.Expiry {
    fileprivate var layout: Layout {
        switch self {
        case .status(let status): .text(".status(\(status))")
        case .code(let code): .text(".code(\(Leaf.string(code)))")
        }
    }
}

extension Method {
    /// The properties of a call, as the dispatcher hands them on.
    fileprivate var handedProperties: [Layout] {
        guard operation.kind == .download else { return [.text("\(properties): properties")] }
        return [
            .text("\(properties): properties.withoutDestination"),
            .text("\(destinationLabel): properties.destination(for: method)"),
        ]
    }

    fileprivate var endpoint: Layout {
        let verbs = [
            "GET": ".get", "POST": ".post", "PUT": ".put", "PATCH": ".patch",
            "DELETE": ".delete", "HEAD": ".head", "OPTIONS": ".options",
        ]
        var arguments: [Layout] = [.text(verbs[verb] ?? ".get"), .string("", path)]
        if let server { arguments.append(.text("server: \(Leaf.string(server))")) }
        if !isAuthenticated { arguments.append(.text("auth: .none")) }
        if let expiry { arguments.append(.array("expired: ", expiry.map(\.layout))) }
        if let timeouts { arguments.append(timeouts.layout) }
        if let session = session.layout { arguments.append(session) }
        if let reply { arguments.append(reply.layout("reply: ")) }
        if let operation = operation.layout { arguments.append(operation) }
        // Without anything special, the shorter spelling is far less code.
        return arguments.count == 2
            ? .call(verbs[verb] ?? ".get", [.string("", path)]) : .call("Endpoint", arguments)
    }
}

extension ErrorCase {
    /// What the spec says of it, what it is without that, and what comes with it.
    fileprivate var wholeDocumentation: Documentation {
        var whole = documentation
        let text = documentation.text ?? "Code \(code)."
        let detail = model.map { "\n\n`error.detail(as: \($0).self)` is what comes with it." }
        whole.text = text + (detail ?? "")
        return whole
    }
}

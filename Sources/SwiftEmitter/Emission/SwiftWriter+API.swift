import SpecIR

/// Writes the API's description.
extension SwiftWriter {
    mutating func api(_ api: API) {
        patterns = PatternTable(owner: "APIPatterns", values: api.baseParameters.map(\.value))
        line()
        var comment = DocComment(api.documentation, otherwise: "The API \(api.name).")
        comment.link(api.documentation)
        comment.write(to: &self)
        block("\(SwiftEmitter.declaration)\(SwiftLiteral.identifier(api.name)): APIDescription") {
            writer in
            writer.parameters(api)
            writer.line()
            writer.errorCode(api)
            writer.line()
            if api.hasReplyChecks {
                writer.line("/// The app's own checks of replies.")
                writer.line("public typealias ReplyChecks = any \(api.replyChecks)")
                writer.line()
            }
            writer.definition(api)
        }
        replyChecks(api)
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
                    parameter.documentation, key: parameter.key, name: parameter.name)
                if !parameter.constraintText.isEmpty {
                    comment.paragraph(parameter.constraintText.joined(separator: " "))
                }
                comment.write(to: &writer)
                writer.line(
                    "public var \(SwiftLiteral.identifier(parameter.name)): \(parameter.swift ?? "")"
                )
            }
            if !given.isEmpty { writer.line() }
            writer.line("/// Creates the values.")
            writer.list("public init", given.map(\.defaultedDeclaration), tail: " {")
            writer.indented { writer in
                for parameter in given {
                    let name = SwiftLiteral.identifier(parameter.name)
                    writer.line("self.\(SwiftLiteral.member(parameter.name)) = \(name)")
                }
            }
            writer.line("}")
            if hasDefaults, !given.isEmpty { writer.defaultInitializer(given) }
            writer.line()
            writer.line("/// Adds the values to a request.")
            writer.block("public func apply(to request: inout RequestBuilder)") { writer in
                for parameter in api.baseParameters {
                    writer.send(
                        parameter,
                        expression: parameter.replaced(
                            "self." + SwiftLiteral.member(parameter.name)),
                        to: "request")
                }
            }
        }
    }

    private mutating func defaultInitializer(_ given: [Parameter]) {
        line()
        line("/// Creates the default values.")
        let values = given.map {
            "\(SwiftLiteral.argument($0.name)): \($0.defaultExpression ?? "nil")"
        }
        block("public init()") { $0.list("self.init", values) }
    }

    // MARK: Errors

    private mutating func errorCode(_ api: API) {
        line("/// The error codes that the API's description has.")
        let cases = api.errorCodes.cases.map { item in
            EnumerationCase(
                name: item.name, value: item.code, documentation: item.wholeDocumentation)
        }
        enumeration(
            "ErrorCode",
            values: Enumeration(isInteger: api.errorCodes.areIntegers, cases: cases))
        if let model = api.errors?.model {
            line()
            line("/// The model of every error object.")
            line("public typealias ErrorDetail = \(model)")
        }
    }

    // MARK: Definition

    private mutating func definition(_ api: API) {
        if let grant = api.allSchemes.compactMap(\.grant).first {
            line("/// The log-in of the API, for `OAuthClient` of the module TelexOAuth.")
            block("public static var oauth: OAuthGrant") { $0.expression("", grant.layout) }
            line()
        }
        line("/// The configuration of the API.")
        block("public static var definition: APIDefinition") { writer in
            writer.expression("", .call("APIDefinition", writer.definitionArguments(api)))
        }
    }

    private func definitionArguments(_ api: API) -> [Layout] {
        var arguments: [Layout] = [
            .text("name: \(SwiftLiteral.string(api.name))"),
            .array("servers: ", api.servers.map(\.layout)),
            api.reply.layout("reply: "),
        ]
        if let errors = api.errors { arguments.append(errors.layout) }
        if let auth = api.auth { arguments.append(auth.layout("auth: ")) }
        if !api.schemes.isEmpty {
            arguments.append(.array("schemes: ", api.schemes.map { $0.layout("") }))
        }
        let methods = api.tokenMethods
        if !methods.isEmpty {
            let entries = methods.map {
                $0.endpoint("\(SwiftLiteral.string($0.apiName)): ", in: api)
            }
            arguments.append(.array("tokenMethods: ", entries))
        }
        if api.keepsCookies { arguments.append(.text("keepsCookies: true")) }
        if api.timeouts != Timeouts() { arguments.append(api.timeouts.layout) }
        let bytes = SwiftLiteral.bound(api.limits.bytes)
        arguments.append(
            .text("limits: ReplyLimits(bytes: \(bytes), depth: \(api.limits.depth))"))
        arguments += api.traffic.layouts
        if let retry = api.retry { arguments.append(retry.layout) }
        if api.validation.layout.flat != ValidationPolicy().layout.flat {
            arguments.append(api.validation.layout)
        }
        if api.templates != nil { arguments.append(.text("templates: templates")) }
        if !api.reachability.isEmpty {
            arguments.append(.strings("reachability: ", api.reachability))
        }
        return arguments
    }
}

extension ErrorCase {
    /// The documentation of the case, by default its code, and the model of its details.
    fileprivate var wholeDocumentation: Documentation {
        var whole = documentation
        let text = documentation.text ?? (status == nil ? "Code \(code)." : "Status \(code).")
        let detail = model.map { "\n\n`error.detail(as: \($0).self)` returns its details." }
        whole.text = text + (detail ?? "")
        return whole
    }
}

import SpecIR

/// Writes the functions that send requests.
extension SwiftWriter {
    mutating func callProtocol(_ group: Group, _ api: API) {
        let name = group.names.protocol
        var comment = DocComment(
            group.documentation, otherwise: "The methods of `\(group.apiName)`.")
        comment.paragraph(
            "A screen that depends on this protocol can be tested with ``\(group.names.fake)``.")
        comment.link(group.documentation)
        comment.write(to: &self)
        block("nonisolated public protocol \(name): Sendable") { writer in
            for method in group.methods {
                var comment = DocComment()
                comment.paragraph("`\(method.apiName)`, every argument given.")
                comment.write(to: &writer)
                writer.signature(method, prefix: "", parameters: method.fullParameters, tail: "")
            }
        }
        line()
        block("nonisolated extension \(name)") { writer in
            for (index, method) in group.methods.enumerated() {
                if index > 0 { writer.line() }
                writer.convenienceFunction(method, api)
            }
        }
    }

    /// Writes the public convenience function, with documentation and defaults.
    private mutating func convenienceFunction(_ method: Method, _ api: API) {
        method.comment(api).write(to: &self)
        if let deprecation = method.documentation.deprecation { line(deprecation.attribute) }
        let options = method.fresh("options")
        signature(
            method, prefix: "public ",
            parameters: method.arguments.map(\.defaultedDeclaration) + method.destinationDeclaration
                + ["\(options): CallOptions? = nil"], tail: " {")
        indented { writer in
            writer.list("self.\(SwiftLiteral.member(method.name))", method.forwarded + [options])
        }
        line("}")
    }

    /// Writes the head of a function that returns an operation.
    mutating func signature(
        _ method: Method, prefix: String, parameters: [String], tail: String
    ) {
        list(
            "\(prefix)func \(SwiftLiteral.identifier(method.name))", parameters,
            tail: " -> \(method.operationType)\(tail)")
    }

    mutating func calls(_ group: Group, _ api: API) {
        line(
            "/// The methods of `\(SwiftLiteral.commentLines(group.apiName)[0])`, sent by an `APIManager`."
        )
        let head = "nonisolated public struct \(group.names.methods): \(group.names.protocol)"
        block(head) { writer in
            writer.line("let manager: APIManager<\(api.name)>")
            for method in group.methods {
                writer.line()
                writer.line(
                    "/// `\(SwiftLiteral.commentLines(method.apiName)[0])`, every argument given.")
                writer.signature(
                    method, prefix: "public ", parameters: method.fullParameters, tail: " {")
                writer.indented { writer in
                    let options = method.fresh("options")
                    let name = SwiftLiteral.member(method.name)
                    let request = Layout.call(
                        "\(group.names.requests).\(name)", method.forwarded.map(Layout.text))
                    writer.expression(
                        "",
                        .call("self.manager.operation", [request, .text(options)]))
                }
                writer.line("}")
            }
        }
        line()
        block("nonisolated extension APIManager where API == \(api.name)") { writer in
            writer.line("/// The methods of `\(SwiftLiteral.commentLines(group.apiName)[0])`.")
            let type = group.names.methods
            let property = SwiftLiteral.identifier(group.names.property)
            writer.line("public var \(property): \(type) { \(type)(manager: self) }")
        }
    }
}

extension Method {
    /// The documentation of the convenience function.
    fileprivate func comment(_ api: API) -> DocComment {
        var comment = DocComment(documentation, otherwise: "Calls `\(apiName)`.")
        comment.paragraph("`\(apiName)`: `\(verb.name) \(path)`")
        let policy = policyText(api.errorCodes.cases)
        if !policy.isEmpty { comment.paragraph(policy.joined(separator: " ")) }
        comment.separate()
        if !arguments.isEmpty || operation.kind == .download {
            comment.item("Parameters:")
            for argument in arguments {
                comment.item(argument.name, text: argument.sentence, level: 1)
            }
            if operation.kind == .download {
                comment.item(destination, text: "The path of the file.", level: 1)
            }
            comment.item(
                fresh("options"), text: "Overrides for this call; `nil` for none.", level: 1)
        } else {
            comment.item(
                "Parameter \(fresh("options"))",
                text: "Overrides for this call; `nil` for none.")
        }
        comment.item(
            "Returns", text: "An operation; nothing is sent before it is started or awaited.")
        if let link = documentation.link { comment.item("SeeAlso", text: "<\(link)>") }
        return comment
    }
}

extension Parameter {
    /// The documentation of the argument.
    fileprivate var sentence: String {
        let text = documentation.text.map {
            SwiftLiteral.commentLines($0).filter { !$0.isEmpty }.joined(separator: " ")
        }
        let link = documentation.link.map { "See <\($0)>." }
        let rest = [documentation.deprecation?.sentence, link].compactMap(\.self)
        return ([text ?? "\(Markup.code(key))."] + constraintText + rest).joined(separator: " ")
    }
}

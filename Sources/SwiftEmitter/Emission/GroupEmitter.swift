import SpecIR

/// The file of a group: calls, requests, mapper, validator, models.
extension SwiftWriter {
    mutating func group(_ group: Group, of api: API) {
        patterns = PatternTable(owner: group.names.patterns, values: group.values)
        if !group.methods.isEmpty {
            mark("Calls")
            callProtocol(group, api)
            line()
            calls(group, api)
            line()
            fake(group)
            mark("Requests")
            requests(group, api)
            mark("Replies")
            replies(group, api)
        }
        if !group.models.isEmpty {
            mark("Models")
            for (index, model) in group.models.enumerated() {
                if index > 0 { line() }
                self.model(model)
            }
        }
        if !patterns.isEmpty {
            mark("Patterns")
            patterns.write(to: &self)
        }
    }

    private mutating func mark(_ title: String) {
        line()
        line("// MARK: - \(title)")
        line()
    }

    // MARK: Calls

    private mutating func callProtocol(_ group: Group, _ api: API) {
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
                writer.signature(method, prefix: "", method.fullParameters, "")
            }
        }
        line()
        block("nonisolated extension \(name)") { writer in
            for (index, method) in group.methods.enumerated() {
                if index > 0 { writer.line() }
                writer.sugar(method, api)
            }
        }
    }

    /// The function that people call: documented, with defaults.
    private mutating func sugar(_ method: Method, _ api: API) {
        method.comment(api).write(to: &self)
        if let deprecation = method.documentation.deprecation { line(deprecation.attribute) }
        let options = method.fresh("options")
        signature(
            method, prefix: "public ",
            method.arguments.map(\.defaultedDeclaration) + method.destinationDeclaration
                + ["\(options): CallOptions? = nil"], " {")
        indented { writer in
            writer.list("self.\(Leaf.member(method.name))", method.forwarded + [options])
        }
        line("}")
    }

    private mutating func signature(
        _ method: Method, prefix: String, _ parameters: [String], _ tail: String
    ) {
        list(
            "\(prefix)func \(Leaf.identifier(method.name))", parameters,
            " -> \(method.operationType)\(tail)")
    }

    private mutating func calls(_ group: Group, _ api: API) {
        line(
            "/// The methods of `\(Leaf.commentLines(group.apiName)[0])`, sent by an `APIManager`."
        )
        let head = "nonisolated public struct \(group.names.methods): \(group.names.protocol)"
        block(head) { writer in
            writer.line("let manager: APIManager<\(api.name)>")
            for method in group.methods {
                writer.line()
                writer.line("/// `\(Leaf.commentLines(method.apiName)[0])`, every argument given.")
                writer.signature(method, prefix: "public ", method.fullParameters, " {")
                writer.indented { writer in
                    let options = method.fresh("options")
                    let name = Leaf.member(method.name)
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
            writer.line("/// The methods of `\(Leaf.commentLines(group.apiName)[0])`.")
            let type = group.names.methods
            let property = Leaf.identifier(group.names.property)
            writer.line("public var \(property): \(type) { \(type)(manager: self) }")
        }
    }

    // MARK: Fake

    private mutating func fake(_ group: Group) {
        line("/// A stand-in for tests: each method answers what its stub was told to.")
        let head = "nonisolated public final class \(group.names.fake): \(group.names.protocol)"
        block(head) { writer in
            for method in group.methods { writer.stub(method) }
            writer.line()
            writer.line("/// Creates a fake whose methods all fail with `FakeError`.")
            writer.block("public init()") { writer in
                for method in group.methods {
                    let stub = "\(method.stub) = Stub"
                    writer.expression("", .call(stub, [.string("", method.apiName)]))
                }
            }
            for method in group.methods {
                writer.line()
                writer.line("/// Answers with ``\(method.stub)``.")
                writer.signature(method, prefix: "public ", method.fullParameters, " {")
                writer.indented { $0.expression("", method.answering(method.stub)) }
                writer.line("}")
            }
        }
    }

    private mutating func stub(_ method: Method) {
        let name = Leaf.commentLines(method.apiName)[0]
        line("/// Answers `\(name)`; without an answer, calls fail.")
        let arguments = method.stubArguments
        let head = "public let \(method.stub):"
        let tail = ", \(method.answer)"
        let type = "Stub<\(arguments.flat)\(tail)>"
        if fits("\(head) \(type)") { return line("\(head) \(type)") }
        line(head)
        indented { writer in
            if writer.fits(type) { return writer.line(type) }
            writer.line("Stub<")
            writer.indented { $0.expression("", arguments, tail) }
            writer.line(">")
        }
    }

    // MARK: Replies

    private mutating func replies(_ group: Group, _ api: API) {
        line("/// Reads the replies of `\(Leaf.commentLines(group.apiName)[0])`.")
        block("nonisolated public enum \(group.names.mapper)") { writer in
            let mapped = group.methods.filter { $0.output.type != nil }
            for (index, method) in mapped.enumerated() {
                if index > 0 { writer.line() }
                writer.mapper(method)
            }
        }
        line()
        line(
            "/// Checks replies of `\(Leaf.commentLines(group.apiName)[0])` without mapping them.")
        block("nonisolated public enum \(group.names.validator)") { writer in
            for (index, method) in group.methods.enumerated() {
                if index > 0 { writer.line() }
                let name = Leaf.commentLines(method.apiName)[0]
                writer.line(
                    method.output.type == nil
                        ? "/// Finds nothing: the replies of `\(name)` have no form to check."
                        : "/// Checks \(method.checked) of `\(name)`; collects all violations.")
                writer.line(
                    "public static func \(Leaf.identifier(method.name))"
                        + "(_ reply: [UInt8]) -> ValidationReport {")
                writer.indented { $0.validatorBody(method, group, api) }
                writer.line("}")
            }
        }
    }

    private mutating func validatorBody(_ method: Method, _ group: Group, _ api: API) {
        guard case .value = method.output else {
            line("ValidationReport()")
            return
        }
        let reader =
            method.output.readsItself
            ? "as: \(method.output.swift).self"
            : "with: \(group.names.mapper).\(Leaf.member(method.name))"
        let id = "from: .\(Leaf.member(method.caseName))"
        expression(
            "", .call("\(api.name).validate", [.text("reply"), .text(id), .text(reader)]))
    }

    private mutating func mapper(_ method: Method) {
        guard case .value(let value) = method.output else { return }
        let name = Leaf.commentLines(method.apiName)[0]
        line("/// Reads \(method.mapped(name)), without the envelope.")
        // Said here, because the language mode of Swift 5 does not see it where the function is
        // handed on, and warns.
        line("@Sendable")
        block(
            "public static func \(Leaf.identifier(method.name))"
                + "(_ json: inout JSONReader) -> \(value.swift)?"
        ) { writer in
            if let expression = value.readExpression {
                writer.line(expression)
            } else {
                writer.readElement(value)
            }
        }
    }
}

extension Method {
    /// The parameters that a caller gives, in the order of the call.
    var arguments: [Parameter] { parameters.arguments }

    /// A name that no argument has.
    func fresh(_ base: String) -> String {
        var name = base
        while parameters.contains(where: { $0.name == name }) { name += "_" }
        return name
    }

    /// The argument that holds all the others by the API's names.
    var properties: String { fresh("properties") }

    /// Every argument, and the options, without defaults.
    fileprivate var fullParameters: [String] {
        arguments.map(\.declaration) + destinationDeclaration
            + ["_ \(fresh("options")): CallOptions?"]
    }

    /// The arguments as they are handed on.
    var forwarded: [String] {
        arguments.map { "\(Leaf.argument($0.name)): \(Leaf.identifier($0.name))" }
            + handedDestination
    }

    /// The property of the fake that answers the method.
    fileprivate var stub: String {
        "on" + name.prefix(1).uppercased() + name.dropFirst()
    }

    /// The documentation of the function that people call.
    fileprivate func comment(_ api: API) -> DocComment {
        var comment = DocComment(documentation, otherwise: "Calls `\(apiName)`.")
        comment.paragraph("`\(apiName)`: `\(verb) \(path)`")
        let facts = operationFacts(api.errors?.cases ?? [])
        if !facts.isEmpty { comment.paragraph(facts.joined(separator: " ")) }
        comment.separate()
        if !arguments.isEmpty || operation.kind == .download {
            comment.item("Parameters:")
            for argument in arguments {
                comment.item(argument.name, argument.sentence, level: 1)
            }
            if operation.kind == .download {
                comment.item(destination, "The path of the file.", level: 1)
            }
            comment.item(
                fresh("options"), "What differs for this call; `nil` for nothing.", level: 1)
        } else {
            comment.item(
                "Parameter \(fresh("options"))", "What differs for this call; `nil` for nothing.")
        }
        comment.item("Returns", "An operation; nothing is sent before it is started or awaited.")
        if let link = documentation.link { comment.item("SeeAlso", "<\(link)>") }
        return comment
    }
}

extension [Parameter] {
    /// Those that a caller gives. Those a caller must give come first, as Swift's conventions ask.
    var arguments: [Parameter] {
        let given = filter { $0.swift != nil }
        return given.filter { $0.presence == .required } + given.filter { $0.presence != .required }
    }
}

extension Parameter {
    /// `name: Type`
    var declaration: String { "\(Leaf.label(name)): \(swift ?? "")" }

    /// `name: Type = default`
    var defaultedDeclaration: String {
        declaration + (defaultExpression.map { " = \($0)" } ?? "")
    }

    /// What is known about the argument.
    fileprivate var sentence: String {
        let text = documentation.text.map {
            Leaf.commentLines($0).filter { !$0.isEmpty }.joined(separator: " ")
        }
        let link = documentation.link.map { "See <\($0)>." }
        let rest = [documentation.deprecation?.sentence, link].compactMap(\.self)
        return ([text ?? "`\(key)`."] + facts + rest).joined(separator: " ")
    }
}

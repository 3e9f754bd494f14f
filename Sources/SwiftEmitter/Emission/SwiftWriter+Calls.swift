import SpecIR

/// Writes the functions that send requests.
extension SwiftWriter {
    mutating func calls(_ group: Group, _ api: API) {
        var rest = group.methods
        for capability in group.capabilities {
            let own = rest.filter { capability.methods.contains($0.apiName) }
            rest.removeAll { capability.methods.contains($0.apiName) }
            let names = own.map { "`\($0.apiName)`" }.joined(separator: ", ")
            line("/// A part of ``\(group.names.protocol)``: \(names).")
            line("nonisolated public protocol \(capability.name): APICalls {}")
            line()
            functions(own, of: capability.name, group: group, api: api)
        }
        callProtocol(group, api)
        line()
        if !rest.isEmpty { functions(rest, of: group.names.protocol, group: group, api: api) }
        callsOfManager(group, api)
    }

    /// Writes the functions of methods as an extension of a protocol.
    private mutating func functions(
        _ methods: [Method], of name: String, group: Group, api: API
    ) {
        block("nonisolated extension \(name)") { writer in
            for (index, method) in methods.enumerated() {
                if index > 0 { writer.line() }
                writer.code(of: method.apiName) { writer in
                    writer.call(method, of: group, in: api)
                    guard let pages = method.pages else { return }
                    writer.line()
                    writer.pagesCall(method, pages, in: api)
                }
            }
        }
        line()
    }

    private mutating func callProtocol(_ group: Group, _ api: API) {
        var comment = DocComment(
            group.documentation, otherwise: "The methods of `\(group.apiName)`.")
        if api.extras.contains(.fakes) {
            comment.paragraph(
                "A screen that depends on this protocol can be tested with ``\(group.names.fake)``."
            )
        }
        comment.link(group.documentation)
        comment.write(to: &self)
        let parents = group.capabilities.map(\.name)
        let list = parents.isEmpty ? "APICalls" : parents.joined(separator: ", ")
        line("nonisolated public protocol \(group.names.protocol): \(list) {}")
    }

    /// Writes the function that makes the operation of a call. It builds the request, unless a
    /// function of its own does.
    private mutating func call(_ method: Method, of group: Group, in api: API) {
        method.comment(api).write(to: &self)
        if let deprecation = method.documentation.deprecation { line(deprecation.attribute) }
        let options = method.fresh("options")
        let hasBuilder = api.extras.contains(.requests)
        let arguments = method.arguments.map {
            hasBuilder ? $0.defaultedDeclaration : $0.defaultedLocalDeclaration
        }
        list(
            "\(method.access)func \(SwiftLiteral.identifier(method.name))",
            arguments + method.destinationDeclaration + ["\(options): CallOptions? = nil"],
            tail: " -> \(method.operationType) {")
        indented { writer in
            var request = Layout.call(
                "\(group.names.requests).\(SwiftLiteral.member(method.name))",
                method.forwarded.map(Layout.text))
            if !hasBuilder { request = writer.buildRequest(method, of: group, in: api) }
            let call = Layout.call("self.operation", [request, .text(options)])
            let head = hasBuilder ? "" : "return "
            guard api.extras.contains(.fakes) else { return writer.expression(head, call) }
            writer.expression(head, call, tail: " {")
            writer.indented { $0.expression("", method.passedArguments(local: !hasBuilder)) }
            writer.line("}")
        }
        line("}")
    }

    private mutating func callsOfManager(_ group: Group, _ api: API) {
        let name = SwiftLiteral.commentLines(group.apiName)[0]
        let type = group.names.methods
        line("/// The methods of `\(name)`, sent by an `APIManager`.")
        block("nonisolated public struct \(type): \(group.names.protocol)") { writer in
            writer.line("let manager: APIManager<\(api.name)>")
            writer.line()
            writer.line("/// Makes the operation of a call.")
            writer.operation(arguments: []) { writer in
                writer.line("self.manager.operation(request, options)")
            }
        }
        line()
        block("nonisolated extension APIManager where API == \(api.name)") { writer in
            writer.line("/// The methods of `\(name)`.")
            let property = SwiftLiteral.identifier(group.names.property)
            writer.line("public var \(property): \(type) { \(type)(manager: self) }")
        }
    }

    /// Writes the requirement of `APICalls`.
    ///
    /// - Parameter arguments: The declaration of the arguments, for a fake.
    mutating func operation(arguments: [String], _ body: (inout SwiftWriter) -> Void) {
        let generics = arguments.isEmpty ? "Output" : "Output, Arguments"
        list(
            "public func operation<\(generics)>",
            ["_ request: APIRequest<Output>", "_ options: CallOptions?"] + arguments,
            tail: " -> NetworkOperation<Output> {")
        indented(body)
        line("}")
    }
}

extension Method {
    /// The access level of its functions, with a space.
    var access: String { isInternal ? "" : "public " }

    /// The documentation of the call.
    ///
    /// - Parameter pages: The rules of the pages that it returns; nil for a single reply.
    func comment(_ api: API, pages: PageRules? = nil) -> DocComment {
        var comment = DocComment(documentation, otherwise: nil)
        let place = "`\(apiName)`: `\(verb.name) \(path)`"
        comment.paragraph(pages == nil ? place : "\(place), page by page.")
        comment.rules(rules)
        let policy = policyText(api.errorCodes.cases)
        if !policy.isEmpty { comment.paragraph(policy.joined(separator: " ")) }
        if let errors {
            let known = Set((api.errors?.cases ?? []).map(\.name))
            let own = errors.cases.map(\.name).filter { !known.contains($0) }.map(Markup.code)
            if !own.isEmpty { comment.paragraph("Its own errors: \(own.joined(separator: ", ")).") }
        }
        if template?.asksForMore == true {
            comment.paragraph("Replies are also checked with their template.")
        }
        comment.examples(documentation.examples)
        comment.separate()
        let calls = pages == nil ? "this call" : "the call of each page"
        let overrides = "Overrides for \(calls); `nil` for none."
        var items = arguments.map { (name: $0.name, text: $0.sentence) }
            .filter { !$0.text.isEmpty }
        if operation.kind == .download { items.append((destination, "The path of the file.")) }
        items.append((fresh("options"), overrides))
        if items.count == 1 {
            comment.item("Parameter \(items[0].name)", text: items[0].text)
        } else {
            comment.item("Parameters:")
            for item in items { comment.item(item.name, text: item.text, level: 1) }
        }
        if let link = documentation.link { comment.item("SeeAlso", text: "<\(link)>") }
        return comment
    }
}

extension Parameter {
    /// The documentation of the argument; empty if the spec says nothing besides its key.
    fileprivate var sentence: String {
        let text = documentation.text.map {
            SwiftLiteral.commentLines($0).filter { !$0.isEmpty }.joined(separator: " ")
        }
        let link = documentation.link.map { "See <\($0)>." }
        let rest = [documentation.deprecation?.sentence, link].compactMap(\.self)
        let isKnown = location == .body || Markup.repeats(key, name)
        let summary = text ?? (isKnown ? nil : "\(Markup.code(key)).")
        return ([summary].compactMap(\.self) + constraintText + rest).joined(separator: " ")
    }
}

import SpecIR

/// Writes the fake for tests.
extension SwiftWriter {
    mutating func fake(_ group: Group, of api: API) {
        line("/// A fake for tests: each method answers with its stub.")
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
            writer.line()
            writer.exampleFake(group, of: api)
            writer.line("/// Answers with the stub of the method.")
            writer.operation(arguments: ["_ arguments: () -> Arguments"]) { writer in
                writer.switchBlock("request.method") { writer in
                    for method in group.methods { writer.answer(method) }
                    writer.line("default: self.operation(request, options)")
                }
            }
            writer.line()
            writer.line("/// Fails: no stub has the arguments.")
            writer.operation(arguments: []) { writer in
                writer.line("NetworkOperation { throw FakeError(request.method) }")
            }
        }
    }

    /// Writes the fake that answers with the templates and examples of the spec, if there are any.
    private mutating func exampleFake(_ group: Group, of api: API) {
        let methods = group.methods.compactMap { method in
            method.exampleAnswer(in: api).map { (method, $0) }
        }
        if methods.isEmpty { return }
        line(
            "/// A fake whose methods answer with their template, or else their first example; the rest fail."
        )
        block("public static var examples: \(group.names.fake)") { writer in
            writer.line("let fake = \(group.names.fake)()")
            for (method, example) in methods {
                var arguments = example
                let headers = method.exampleHeaders(in: api)
                if let headers { arguments.append(.string("headers: ", headers.json)) }
                if method.hasMapper {
                    let function = SwiftLiteral.member(method.name)
                    arguments.append(.text("by: \(group.names.mapper).\(function)"))
                } else if headers != nil {
                    arguments.append(.text("by: { json in json.value() }"))
                }
                writer.expression("", .call("fake.\(method.stub).answer", arguments))
            }
            writer.line("return fake")
        }
        line()
    }

    private mutating func answer(_ method: Method) {
        var function = "operation"
        if case .stream = method.operation.kind { function = "stream" }
        choice(
            SwiftLiteral.string(method.apiName),
            .text("self.\(method.stub).\(function)(of: arguments())"))
    }

    private mutating func stub(_ method: Method) {
        let name = SwiftLiteral.commentLines(method.apiName)[0]
        line("/// Answers `\(name)`; without an answer, calls fail.")
        let arguments = method.stubArguments
        let head = "public let \(method.stub):"
        let tail = ", \(method.fakeResult)"
        let type = "Stub<\(arguments.flat)\(tail)>"
        if fits("\(head) \(type)") { return line("\(head) \(type)") }
        line(head)
        indented { writer in
            if writer.fits(type) { return writer.line(type) }
            writer.line("Stub<")
            writer.indented { $0.expression("", arguments, tail: tail) }
            writer.line(">")
        }
    }
}

extension Method {
    /// The arguments of the answer with the template or the first example; nil without one.
    fileprivate func exampleAnswer(in api: API) -> [Layout]? {
        guard template?.isExample == true else {
            return documentation.examples.first.map { [.string("json: ", $0.value.json)] }
        }
        let path = (reply ?? api.reply).unwrap.map { Layout.text($0.swift) }
        let table = "template: \(api.name).templates[\(SwiftLiteral.string(apiName))]"
        return [.text(table)] + (path.isEmpty ? [] : [.array("at: ", path)])
    }

    /// The examples of the reply's header fields; nil for a reply without any fields.
    fileprivate func exampleHeaders(in api: API) -> ExampleValue? {
        guard let name = replyHeaders?.model else { return nil }
        let models = api.groups.lazy.flatMap(\.models)
        guard case .object(let fields)? = models.first(where: { $0.qualifiedName == name })?.kind
        else { return nil }
        return .object(
            fields.compactMap { field in
                field.documentation.examples.first.map {
                    .init(key: field.key, value: $0.value.inHeaders)
                }
            })
    }

    /// The stub property of the method.
    fileprivate var stub: String {
        "on" + name.prefix(1).uppercased() + name.dropFirst()
    }
}

extension ExampleValue {
    /// The value as the runtime reads it from header fields: a text or a list of texts.
    fileprivate var inHeaders: ExampleValue {
        switch self {
        case .plain(let json): .text(json)
        case .array(let items): .array(items.map(\.inHeaders))
        case .text, .object: self
        }
    }
}

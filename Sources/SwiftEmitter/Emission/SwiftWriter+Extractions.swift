import SpecIR

/// Writes the functions that read single values out of replies.
extension SwiftWriter {
    mutating func extractions(_ group: Group, of api: API) {
        var comment = DocComment()
        comment.paragraph(
            "Single values of the replies of `\(SwiftLiteral.commentLines(group.apiName)[0])`.")
        comment.paragraph(
            "Nothing else of a reply is built. Each function throws the `APIError` of a call with "
                + "this reply: of the API, of a reply that is not JSON, and of a value that is "
                + "missing or of another type. Its violations name each key that failed, what was "
                + "expected and what was found.")
        comment.write(to: &self)
        block("nonisolated public enum \(group.names.extractions)") { writer in
            let items = group.methods.flatMap { method in method.extractions.map { (method, $0) } }
            for (index, (method, item)) in items.enumerated() {
                if index > 0 { writer.line() }
                writer.code(of: method.apiName) { $0.extraction(item, of: method, in: api) }
            }
        }
    }

    private mutating func extraction(_ item: Extraction, of method: Method, in api: API) {
        var place: [Layout] = [item.path.layout, .text("of: \(method.apiNameLiteral)")]
        if let reply = method.reply { place.append(reply.layout("rules: ")) }
        if let errors = method.errors { place.append(errors.layout) }
        function(
            item, label: item.replyLabel, argument: "reply", place: place,
            about: "The body of a reply of \(Markup.code(method.apiName)).", in: api)
        guard let container = item.container, let label = item.containerLabel else { return }
        line()
        function(
            item, label: label, argument: "part",
            place: [container.path.layout, .text("ofPartOf: \(method.apiNameLiteral)")],
            about: "The JSON under \(Markup.code(container.key)) in such a reply.", in: api)
    }

    private mutating func function(
        _ item: Extraction, label: String, argument: String, place: [Layout], about: String,
        in api: API
    ) {
        var comment = DocComment(
            item.documentation, otherwise: "Reads \(Markup.code(item.path.shown)).")
        comment.separate()
        comment.item("Parameter \(argument)", text: about)
        comment.write(to: &self)
        let (type, optional) = (item.value.type.swift, item.mayMiss ? "?" : "")
        let result = item.isList ? "[\(type)]" : type + optional
        var head = "public static func \(SwiftLiteral.identifier(item.name))("
        let (parameter, tail) = ("\(label) \(argument): [UInt8]", ") throws(APIError) -> \(result)")
        if fits(head + parameter + tail + " {") {
            head += parameter + tail
        } else {
            line(head)
            indented { $0.parameter(label, "\(argument): [UInt8]") }
            head = tail
        }
        block(head) { writer in
            let sensitive: [Layout] = item.isSensitive ? [.text("sensitive: true")] : []
            let function =
                item.isList ? "extractAll" : item.mayMiss ? "extractIfPresent" : "extract"
            var arguments: [Layout] = [
                .call("ReplyPlace", place + sensitive), .text("from: \(argument)"),
            ]
            if item.isList, item.mayMiss { arguments.append(.text("mayMiss: true")) }
            let call = "try \(api.name).\(function)"
            if item.value.isPlain {
                writer.expression("", .call(call, arguments + [.text("\(type).read")]))
            } else {
                writer.expression("", .call(call, arguments), tail: " { json in")
                writer.indented { $0.readElement(item.value) }
                writer.line("}")
            }
        }
    }
}

extension SwiftWriter {
    /// Writes a parameter with its label, on one line if it fits.
    private mutating func parameter(_ label: String, _ rest: String) {
        if fits("\(label) \(rest)") { return line("\(label) \(rest)") }
        line(label)
        indented { $0.line(rest) }
    }
}

extension [PathStep] {
    fileprivate var layout: Layout { .array("", map { .text($0.swift) }) }
}

extension Method {
    fileprivate var apiNameLiteral: String { SwiftLiteral.string(apiName) }
}

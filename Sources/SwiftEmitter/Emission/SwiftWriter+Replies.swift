import SpecIR

/// Writes the functions that read replies which are not read by their own type.
extension SwiftWriter {
    mutating func mappers(_ group: Group) {
        for method in group.methods {
            guard case .statuses(let replies) = method.output else { continue }
            enumeration(of: replies, method)
            line()
        }
        line("/// Reads the replies of `\(SwiftLiteral.commentLines(group.apiName)[0])`.")
        block("nonisolated enum \(group.names.mapper)") { writer in
            for (index, method) in group.methods.filter(\.hasMapper).enumerated() {
                if index > 0 { writer.line() }
                writer.code(of: method.apiName) { $0.mapper(method) }
            }
        }
    }

    private mutating func mapper(_ method: Method) {
        let name = SwiftLiteral.commentLines(method.apiName)[0]
        line("/// Reads \(method.mappedDescription(name)), without the envelope.")
        switch method.output {
        case .statuses(let replies): mapper(method, replies)
        case .value(let value):
            // The Swift 5 language mode does not infer `@Sendable` where the function is passed, and
            // warns.
            line("@Sendable")
            block(
                "static func \(SwiftLiteral.identifier(method.name))"
                    + "(_ json: inout JSONReader) -> \(value.swift)?"
            ) { writer in
                writer.readElement(value)
            }
        case .nothing, .bytes, .text, .file: break
        }
    }

    // MARK: Replies by status

    /// Writes the enumeration of replies that differ by status.
    private mutating func enumeration(of replies: StatusReplies, _ method: Method) {
        line("/// The reply of `\(SwiftLiteral.commentLines(method.apiName)[0])`, by status.")
        block("nonisolated public enum \(replies.name): Sendable") { writer in
            for item in replies.cases {
                let name = SwiftLiteral.identifier(item.name)
                let payload = item.output == .nothing ? "" : "(\(item.output.swift))"
                writer.line("/// Status \(item.status).")
                writer.line("case \(name)\(payload)")
            }
        }
    }

    private mutating func mapper(_ method: Method, _ replies: StatusReplies) {
        block(
            "static var \(SwiftLiteral.identifier(method.name)): [StatusReply<\(replies.name)>]"
        ) { writer in
            writer.line("[")
            writer.indented { writer in
                for item in replies.cases { writer.reply(item, of: replies.name) }
            }
            writer.line("]")
        }
    }

    /// Writes the content of a reply with one status.
    private mutating func reply(_ item: StatusCase, of type: String) {
        let function =
            switch item.output {
            case .bytes: "bytes"
            case .text: "text"
            case .value: "json"
            case .nothing, .file, .statuses: "nothing"
            }
        let call = ".\(function)(\(item.status), \(type).\(SwiftLiteral.member(item.name)))"
        guard case .value(let value) = item.output, !item.output.readsItself else {
            return line("\(call),")
        }
        line("\(call) { json -> \(value.swift)? in")
        indented { $0.readElement(value) }
        line("},")
    }
}

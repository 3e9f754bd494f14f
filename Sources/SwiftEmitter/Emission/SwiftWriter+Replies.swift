import SpecIR

/// Writes the mapper and the validator of replies.
extension SwiftWriter {
    mutating func replies(_ group: Group, _ api: API) {
        line("/// Reads the replies of `\(SwiftLiteral.commentLines(group.apiName)[0])`.")
        block("nonisolated public enum \(group.names.mapper)") { writer in
            let mapped = group.methods.filter { $0.output.type != nil }
            for (index, method) in mapped.enumerated() {
                if index > 0 { writer.line() }
                writer.mapper(method)
            }
        }
        line()
        line(
            "/// Checks replies of `\(SwiftLiteral.commentLines(group.apiName)[0])` without mapping them."
        )
        block("nonisolated public enum \(group.names.validator)") { writer in
            for (index, method) in group.methods.enumerated() {
                if index > 0 { writer.line() }
                let name = SwiftLiteral.commentLines(method.apiName)[0]
                writer.line(
                    method.output.type == nil
                        ? "/// Finds nothing: the replies of `\(name)` have no form to check."
                        : "/// Checks \(method.checkedDescription) of `\(name)`; collects all violations."
                )
                writer.line(
                    "public static func \(SwiftLiteral.identifier(method.name))"
                        + "(_ reply: [UInt8]) -> ValidationReport {")
                writer.indented { $0.validatorBody(method, group: group, api: api) }
                writer.line("}")
            }
        }
    }

    private mutating func validatorBody(_ method: Method, group: Group, api: API) {
        guard case .value = method.output else {
            line("ValidationReport()")
            return
        }
        let reader =
            method.output.readsItself
            ? "as: \(method.output.swift).self"
            : "with: \(group.names.mapper).\(SwiftLiteral.member(method.name))"
        let id = "from: .\(SwiftLiteral.member(method.caseName))"
        expression(
            "", .call("\(api.name).validate", [.text("reply"), .text(id), .text(reader)]))
    }

    private mutating func mapper(_ method: Method) {
        guard case .value(let value) = method.output else { return }
        let name = SwiftLiteral.commentLines(method.apiName)[0]
        line("/// Reads \(method.mappedDescription(name)), without the envelope.")
        // The Swift 5 language mode does not infer `@Sendable` where the function is passed, and
        // warns.
        line("@Sendable")
        block(
            "public static func \(SwiftLiteral.identifier(method.name))"
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

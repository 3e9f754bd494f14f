import SpecIR

/// Writes the functions that read replies which are not read by their own type.
extension SwiftWriter {
    mutating func mappers(_ group: Group) {
        line("/// Reads the replies of `\(SwiftLiteral.commentLines(group.apiName)[0])`.")
        block("nonisolated enum \(group.names.mapper)") { writer in
            for (index, method) in group.methods.filter(\.hasMapper).enumerated() {
                if index > 0 { writer.line() }
                writer.mapper(method)
            }
        }
    }

    private mutating func mapper(_ method: Method) {
        guard case .value(let value) = method.output else { return }
        let name = SwiftLiteral.commentLines(method.apiName)[0]
        line("/// Reads \(method.mappedDescription(name)), without the envelope.")
        // The Swift 5 language mode does not infer `@Sendable` where the function is passed, and
        // warns.
        line("@Sendable")
        block(
            "static func \(SwiftLiteral.identifier(method.name))"
                + "(_ json: inout JSONReader) -> \(value.swift)?"
        ) { writer in
            writer.readElement(value)
        }
    }
}

import SpecIR

/// Writes the table of an API's methods.
extension SwiftWriter {
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
        // An enumeration without cases cannot have a raw type.
        let raw = methods.isEmpty ? "" : "String, "
        block("public enum APIMethod: \(raw)CaseIterable, Sendable") { writer in
            for method in methods {
                var comment = DocComment()
                comment.paragraph("`\(method.verb.name) \(method.path)`")
                comment.write(to: &writer)
                writer.line(
                    "case \(SwiftLiteral.identifier(method.caseName)) = \(SwiftLiteral.string(method.apiName))"
                )
            }
            if methods.isEmpty { writer.noRawValue() }
        }
    }

    /// Writes the `RawRepresentable` members of an enumeration without cases.
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
                    let name = SwiftLiteral.member(method.name)
                    writer.line("case .\(SwiftLiteral.member(method.caseName)):")
                    let call = Layout.call(
                        "try \(group.names.requests).\(name)", method.forwardedProperties)
                    writer.indented { $0.expression("", call, tail: ".erased()") }
                }
            }
        }
    }

    private mutating func validatorDispatcher(_ methods: [(Group, Method)]) {
        line("/// Checks a whole reply of any method; collects all violations.")
        line("public static func validate(")
        indented { $0.line("_ reply: [UInt8], from method: APIMethod, checks: JSONChecks = .all") }
        block(") -> ValidationReport") { writer in
            writer.switchBlock("method") { writer in
                for (group, method) in methods {
                    writer.choice(
                        ".\(SwiftLiteral.member(method.caseName))", method.validation(in: group))
                }
            }
        }
    }

    /// Writes a case of a switch with its expression.
    mutating func choice(_ pattern: String, _ value: Layout) {
        let head = "case \(pattern):"
        let single = "\(head) \(value.flat)"
        if fits(single) {
            line(single)
        } else {
            line(head)
            indented { $0.expression("", value) }
        }
    }
}

extension Method {
    /// The arguments that the dispatcher forwards.
    fileprivate var forwardedProperties: [Layout] {
        guard operation.kind == .download else { return [.text("\(properties): properties")] }
        return [
            .text("\(properties): properties.withoutDestination"),
            .text("\(destinationLabel): properties.destination(for: method.rawValue)"),
        ]
    }

    /// The call that checks a reply of the method.
    fileprivate func validation(in group: Group) -> Layout {
        var arguments = [Layout.text("reply")]
        if let reply { arguments.append(reply.layout("rules: ")) }
        switch output {
        case .bytes, .text, .file: return .text("ValidationReport()")
        case .nothing: return .call("validate", arguments)
        case .value, .statuses: break
        }
        arguments.append(.text("checks: checks"))
        if template?.asksForMore == true {
            arguments.append(.text("template: templates[\(SwiftLiteral.string(apiName))]"))
        }
        let mapper = "\(group.names.mapper).\(SwiftLiteral.member(name))"
        arguments.append(.text(hasMapper ? mapper : "as: \(output.swift).self"))
        return .call("validate", arguments)
    }
}

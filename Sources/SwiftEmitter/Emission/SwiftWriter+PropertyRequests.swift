import SpecIR

/// Writes the request builders that take a dictionary of properties.
extension SwiftWriter {
    mutating func propertyBuilder(_ method: Method) {
        let name = SwiftLiteral.commentLines(method.apiName)[0]
        line("/// Builds `\(name)` from its properties by the API's own names.")
        line("///")
        line("/// - Throws: `APIError` if a property is missing, unknown or of the wrong type.")
        propertyHead(method)
        // A variable never has a name of the function's own.
        let taken = ["reader", "json", method.properties, method.destination]
        let arguments = method.arguments.map {
            (argument: $0, variable: SwiftLiteral.local($0.name, besides: taken))
        }
        indented { writer in
            let id = SwiftLiteral.string(method.apiName)
            // The reader is mutated only by reads; `close` consumes it.
            let keyword = arguments.isEmpty ? "let" : "var"
            writer.line("\(keyword) reader = PropertyReader(\(method.properties), \(id))")
            for (argument, variable) in arguments { writer.property(argument, variable) }
            let given = arguments.filter(\.argument.isGuarded).map { "let \($0.variable)" }
            if given.isEmpty {
                writer.line("try reader.close()")
            } else {
                writer.conditions(["reader.finish()"] + given, otherwise: "throw reader.error")
            }
            let passed = arguments.map {
                "\(SwiftLiteral.argument($0.argument.name)): \($0.variable)"
            }
            writer.expression(
                "return ",
                .call(
                    "Self.\(SwiftLiteral.member(method.name))",
                    (passed + method.forwardedDestination).map(Layout.text)))
        }
        line("}")
    }

    private mutating func propertyHead(_ method: Method) {
        let name = SwiftLiteral.identifier(method.name)
        let parameters = ["\(method.properties): Properties"] + method.destinationDeclaration
        let head = "\(method.access)static func \(name)(\(parameters.joined(separator: ", ")))"
        let tail = "throws(APIError) -> APIRequest<\(method.result)> {"
        if fits("\(head) \(tail)") {
            line("\(head) \(tail)")
        } else {
            line(head)
            indented { $0.line(String(tail.dropLast(2))) }
            line("{")
        }
    }

    private mutating func property(_ argument: Parameter, _ name: String) {
        let value = argument.value
        let key = SwiftLiteral.string(argument.key)
        if argument.isSensitive { line("reader.hide(\(key))") }
        let call =
            switch argument.presence {
            case .required: value.isNullable ? "requiredNullable(\(key))" : "required(\(key))"
            case _ where argument.isWrapped: "nullable(\(key))"
            case .defaulted(let literal):
                "\(value.isNullable ? "nullable" : "optional")"
                    + "(\(key), default: \(literal.swift(value.type)))"
            default: "optional(\(key))"
            }
        let type = (argument.swift ?? "") + (argument.isGuarded ? "?" : "")
        let head = "let \(name): \(type) = reader.\(call)"
        if value.type.isPlain || value.type == .file || argument.files != nil {
            line(head)
        } else {
            readingClosure(head, Value(value.type))
        }
    }
}

extension Parameter {
    /// Whether the property is read as an optional although the argument is not one.
    fileprivate var isGuarded: Bool {
        guard presence == .required, !value.isNullable else { return false }
        switch value.type {
        case .string(.native), .integer(.int, .native): return false
        case .list(let element): return !element.isPlain
        default: return true
        }
    }
}

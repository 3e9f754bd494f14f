import SpecIR

/// Request builders: by arguments, and by a dictionary of properties.
extension SwiftWriter {
    mutating func requests(_ group: Group, _ api: API) {
        line("/// Builds the requests of `\(Leaf.commentLines(group.apiName)[0])`.")
        block("nonisolated public enum \(group.names.requests)") { writer in
            for (index, method) in group.methods.enumerated() {
                if index > 0 { writer.line() }
                writer.builder(method, group, api)
                writer.line()
                writer.propertyBuilder(method, api)
            }
        }
    }

    // MARK: By arguments

    private mutating func builder(_ method: Method, _ group: Group, _ api: API) {
        line("/// Builds `\(Leaf.commentLines(method.verb + " " + method.path).joined())`.")
        list(
            "public static func \(Leaf.identifier(method.name))",
            method.arguments.map(\.localDeclaration) + method.destinationDeclaration,
            " -> APIRequest<\(method.result)> {")
        indented { writer in
            let request = method.fresh("request")
            let name = "\(api.name).APIMethod.\(Leaf.member(method.caseName))"
            let keyword = method.parameters.isEmpty && method.body != .json ? "let" : "var"
            writer.line("\(keyword) \(request) = RequestBuilder(\(name))")
            for parameter in method.parameters where parameter.location != .json {
                let isAddress = method.isWholeAddress && parameter.location == .path
                writer.send(
                    parameter, parameter.local, to: request,
                    by: isAddress ? "address" : nil)
            }
            if method.body == .json { writer.jsonBody(method, request) }
            let mapper = "\(group.names.mapper).\(Leaf.member(method.name))"
            writer.expression("return \(request).", method.ending(mapper))
        }
        line("}")
    }

    private mutating func jsonBody(_ method: Method, _ request: String) {
        let members = method.parameters.filter { $0.location == .json }
        closure("\(request).jsonObject { json in") { writer in
            for parameter in members { writer.member(parameter) }
        }
        for parameter in members {
            guard case .credential(let key) = parameter.presence else { continue }
            block("if \(parameter.local) == nil") {
                $0.credentialMember(parameter, key, request)
            }
        }
    }

    private mutating func member(_ parameter: Parameter) {
        if parameter.presence == .constant(.null) {
            line("json.key(\(Leaf.string(parameter.key)))")
            line("json.null()")
            return
        }
        let name =
            switch parameter.presence {
            case .constant(let literal): literal.typed(parameter.value.type)
            default: parameter.local
            }
        let value = parameter.value
        writeField(
            parameter.key, value,
            value.isNullable && !parameter.isWrapped ? "Nullable(\(name))" : name,
            checked: parameter.isWrapped ? name + "?.optional" : name,
            isSensitive: parameter.isSensitive)
    }

    /// Writes the call for a member whose value is the credential's.
    private mutating func credentialMember(
        _ parameter: Parameter, _ key: String, _ request: String
    ) {
        var arguments = [Leaf.string(parameter.key), "orCredential: \(Leaf.string(key))"]
        if parameter.value.type.isNumberInJSON { arguments.append("isNumber: true") }
        if parameter.isSensitive { arguments.append("sensitive: true") }
        list("\(request).member", arguments)
    }

    /// Writes the call that adds a parameter to a request, and the checks of its value.
    ///
    /// - Parameter function: The function of `RequestBuilder`; nil for that of the location.
    mutating func send(
        _ parameter: Parameter, _ expression: String, to request: String,
        by function: String? = nil
    ) {
        // Where there is only text, null is nothing.
        if parameter.presence == .constant(.null) { return }
        var expression = expression
        if case .constant(let literal) = parameter.presence {
            expression = literal.typed(parameter.value.type)
        }
        if parameter.location == .body {
            wholeBody(parameter, expression, request)
            return
        }
        let call = "\(request).\(function ?? parameter.location.function)"
        let tail = parameter.sentOptions
        let value = parameter.sentExpression(expression)
        if parameter.isKnownCase {
            line("\(call)(\(Leaf.string(parameter.key)), known: \(value))")
            return
        }
        if parameter.value.type.isWrittenByClosure, parameter.files == nil {
            line("\(call)(")
            indented { writer in
                let opening = "JSONFragment(\(value)) { json, value in"
                writer.line("\(Leaf.string(parameter.key)),")
                writer.line(opening)
                writer.indented { $0.writeValue(parameter.value.type, "value") }
                let last = "}, \(tail.joined(separator: ", ")))"
                if tail.isEmpty {
                    writer.line("})")
                } else if writer.fits(last) {
                    writer.line(last)
                } else {
                    writer.line("},")
                    writer.line(String(last.dropFirst(3)))
                }
            }
        } else {
            let arguments = [Leaf.string(parameter.key), parameter.sentText(value)] + tail
            line("\(call)(\(arguments.joined(separator: ", ")))")
        }
        if case .constant = parameter.presence { return }
        sentChecks(parameter.value, request, value)
        if let file = parameter.files, !file.rules(sent: true).isEmpty {
            let list = parameter.swift?.hasSuffix("?") == true ? value + " ?? []" : value
            block("for file in \(list)") { $0.sentChecks(file, request, "file") }
        }
    }

    private mutating func wholeBody(
        _ parameter: Parameter, _ expression: String, _ request: String
    ) {
        let tail = parameter.isSensitive ? ", sensitive: true" : ""
        switch parameter.value.type {
        case .bytes: line("\(request).bytes(\(expression)\(tail))")
        case .file: line("\(request).file(\(expression)\(tail))")
        default:
            if parameter.presence == .optional {
                block("if let \(expression)") { $0.wholeJSON(parameter, expression, request) }
            } else {
                wholeJSON(parameter, expression, request)
            }
        }
        sentChecks(
            parameter.value, request, parameter.isWrapped ? expression + "?.optional" : expression)
    }

    private mutating func wholeJSON(
        _ parameter: Parameter, _ expression: String, _ request: String
    ) {
        let options = parameter.isSensitive ? "(sensitive: true)" : ""
        closure("\(request).json\(options) { json in") { writer in
            if parameter.value.isNullable {
                let value = parameter.isWrapped ? " = \(expression).optional" : ""
                writer.line("guard let \(expression)\(value) else { return json.null() }")
            }
            writer.writeValue(parameter.value.type, expression)
        }
    }

    // MARK: By properties

    private mutating func propertyBuilder(_ method: Method, _ api: API) {
        let name = Leaf.commentLines(method.apiName)[0]
        line("/// Builds `\(name)` from its properties by the API's own names.")
        line("///")
        line("/// - Throws: `APIError` if a property is missing, unknown or of the wrong type.")
        propertyHead(method)
        indented { writer in
            let id = "\(api.name).APIMethod.\(Leaf.member(method.caseName))"
            // Only reading changes a reader; its end takes it over.
            let keyword = method.arguments.isEmpty ? "let" : "var"
            writer.line("\(keyword) reader = PropertyReader(\(method.properties), \(id))")
            for (index, argument) in method.arguments.enumerated() {
                writer.property(argument, "value\(index)")
            }
            let given = method.arguments.enumerated().filter { $1.isGuarded }
                .map { "let value\($0.offset)" }
            if given.isEmpty {
                writer.line("try reader.close()")
            } else {
                writer.conditions(["reader.finish()"] + given, otherwise: "throw reader.error")
            }
            let arguments = method.arguments.enumerated().map {
                "\(Leaf.argument($1.name)): value\($0)"
            }
            writer.list(
                "return Self.\(Leaf.member(method.name))", arguments + method.handedDestination)
        }
        line("}")
    }

    private mutating func propertyHead(_ method: Method) {
        let name = Leaf.identifier(method.name)
        let parameters = ["\(method.properties): Properties"] + method.destinationDeclaration
        let head = "public static func \(name)(\(parameters.joined(separator: ", ")))"
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
        let key = Leaf.string(argument.key)
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
            closure(head + " { json in") { $0.readElement(Value(value.type)) }
        }
    }
}

extension Parameter {
    /// Whether the property that gives the argument has no value if it is not there: what is read is
    /// an optional, and the argument is none.
    fileprivate var isGuarded: Bool {
        guard presence == .required, !value.isNullable else { return false }
        switch value.type {
        case .string(.native), .integer(.int, .native): return false
        case .list(let element): return !element.isPlain
        default: return true
        }
    }

    /// What the elements of a list of files are like; `nil` for any other parameter.
    fileprivate var files: Value? {
        if case .list(let element) = value.type, element.type == .file { element } else { nil }
    }

    /// The argument as it is sent: a nullable one without its wrapper, where null means nothing.
    fileprivate func sentExpression(_ expression: String) -> String {
        isWrapped ? expression + "?.optional" : expression
    }

    /// What stands for a value whose type does not say how it is written.
    fileprivate func sentText(_ expression: String) -> String {
        guard case .date(let form) = value.type else { return expression }
        return "ParameterText.date(\(expression), \(form.swift))"
    }
}

extension Parameter.Location {
    /// The function of `RequestBuilder`.
    fileprivate var function: String {
        switch self {
        case .path: "path"
        case .query: "query"
        case .header: "header"
        case .form: "form"
        case .part: "part"
        case .json, .body: "json"
        }
    }
}

extension Parameter.Location {
    /// How that function writes a list if it is not told.
    fileprivate var listStyle: ListStyle { self == .header ? .joined(", ") : .repeated }
}

extension ListStyle {
    fileprivate var swift: String {
        switch self {
        case .repeated: ".repeated"
        case .joined(let separator): ".joined(\(Leaf.string(separator)))"
        case .brackets: ".brackets"
        case .indexed: ".indexed"
        case .json: ".json"
        }
    }
}

extension Parameter {
    /// The argument inside of a builder, where `json` is what writes the body.
    fileprivate var local: String { Leaf.local(name, besides: ["json"]) }

    /// `name: Type`, or `name local: Type`.
    fileprivate var localDeclaration: String {
        local == Leaf.identifier(name) ? declaration : "\(name) \(local): \(swift ?? "")"
    }

    /// Whether the parameter is an enumeration's case with nothing else to say or check about it.
    fileprivate var isKnownCase: Bool {
        guard case .enumeration = value.type, location == .query, sentOptions.isEmpty else {
            return false
        }
        if case .constant = presence { return false }
        return value.rules(sent: true).isEmpty
    }

    /// The argument for the separator of a list, where there is a call for nothing but that.
    private var separator: String? {
        guard case .joined(let separator) = listStyle, location == .query, !isSensitive,
            value.type.booleanStyle == nil, !value.type.isWrittenByClosure
        else { return nil }
        if case .credential = presence { return nil }
        return "joinedBy: \(Leaf.string(separator))"
    }

    /// The arguments behind name and value.
    fileprivate var sentOptions: [String] {
        var options: [String] = []
        if listStyle == .json {
            options.append("list: .json")
        } else if case .list = value.type, listStyle != location.listStyle {
            options.append(separator ?? "list: \(listStyle.swift)")
        }
        if let style = value.type.booleanStyle { options.append("booleans: \(style)") }
        if case .credential(let key) = presence {
            options.append("orCredential: \(Leaf.string(key))")
        }
        if isSensitive { options.append("sensitive: true") }
        return options
    }
}

extension ValueType {
    /// How Booleans of the type are spelt in text, if not as `true` and `false`.
    fileprivate var booleanStyle: String? {
        switch self {
        case .bool(.oneZero): ".oneZero"
        case .bool(.yesNo): ".yesNo"
        case .bool(.presence): ".presence"
        case .list(let element): element.type.booleanStyle
        default: nil
        }
    }

    /// Whether a value of the credential is a number where one of this type is expected in JSON.
    fileprivate var isNumberInJSON: Bool {
        switch self {
        case .string(let form): form == .int
        case .integer(_, let form): form != .string
        default: false
        }
    }

    /// Whether a request takes a function to write values of the type as text. Where there is only
    /// text, it makes no difference whether a number was one; Booleans have styles of their own.
    fileprivate var isWrittenByClosure: Bool {
        switch self {
        case .list(let element), .map(_, let element):
            if case .date = element.type {
                true
            } else {
                element.type.isWrittenByClosure || holdsCheckedElements
            }
        default: false
        }
    }
}

extension Literal {
    /// The literal with its type written out, where nothing else gives it one.
    fileprivate func typed(_ type: ValueType) -> String {
        switch self {
        case .enumerationCase(let name): "\(type.swift).\(Leaf.member(name))"
        case _ where type == .duration: type.swift + swift(type)
        case .list, .map: "\(swift(type)) as \(type.swift)"
        default: swift(type)
        }
    }
}

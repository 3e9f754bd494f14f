import SpecIR

/// How a parameter is handed to the builder of a request.
extension Parameter {
    /// What the elements of a list of files are like; `nil` for any other parameter.
    var files: Value? {
        if case .list(let element) = value.type, element.type == .file { element } else { nil }
    }

    /// The argument as it is sent: a nullable one without its wrapper, where null means nothing.
    func sentExpression(_ expression: String) -> String {
        isWrapped ? expression + "?.optional" : expression
    }

    /// What stands for a value whose type does not say how it is written.
    func sentText(_ expression: String) -> String {
        guard case .date(let form) = value.type else { return expression }
        return "ParameterText.date(\(expression), \(form.swift))"
    }
}

extension Parameter.Location {
    /// The function of `RequestBuilder`.
    var function: String {
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
    var listStyle: ListStyle { self == .header ? .joined(", ") : .repeated }
}

extension ListStyle {
    var swift: String {
        switch self {
        case .repeated: ".repeated"
        case .joined(let separator): ".joined(\(SwiftLiteral.string(separator)))"
        case .brackets: ".brackets"
        case .indexed: ".indexed"
        case .json: ".json"
        }
    }
}

extension Parameter {
    /// The argument inside of a builder, where `json` is what writes the body.
    var local: String { SwiftLiteral.local(name, besides: ["json"]) }

    /// `name: Type`, or `name local: Type`.
    var localDeclaration: String {
        local == SwiftLiteral.identifier(name) ? declaration : "\(name) \(local): \(swift ?? "")"
    }

    /// Whether the parameter is an enumeration's case with nothing else to say or check about it.
    var isKnownCase: Bool {
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
        return "joinedBy: \(SwiftLiteral.string(separator))"
    }

    /// The arguments behind name and value.
    var sentOptions: [String] {
        var options: [String] = []
        if listStyle == .json {
            options.append("list: .json")
        } else if case .list = value.type, listStyle != location.listStyle {
            options.append(separator ?? "list: \(listStyle.swift)")
        }
        if let style = value.type.booleanStyle { options.append("booleans: \(style)") }
        if case .credential(let key) = presence {
            options.append("orCredential: \(SwiftLiteral.string(key))")
        }
        if isSensitive { options.append("sensitive: true") }
        return options
    }
}

extension ValueType {
    /// How Booleans of the type are spelt in text, if not as `true` and `false`.
    var booleanStyle: String? {
        switch self {
        case .bool(.oneZero): ".oneZero"
        case .bool(.yesNo): ".yesNo"
        case .bool(.presence): ".presence"
        case .list(let element): element.type.booleanStyle
        default: nil
        }
    }

    /// Whether a value of the credential is a number where one of this type is expected in JSON.
    var isNumberInJSON: Bool {
        switch self {
        case .string(let form): form == .int
        case .integer(_, let form): form != .string
        default: false
        }
    }

    /// Whether a request takes a function to write values of the type as text. Where there is only
    /// text, it makes no difference whether a number was one; Booleans have styles of their own.
    var isWrittenByClosure: Bool {
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
    func typed(_ type: ValueType) -> String {
        switch self {
        case .enumerationCase(let name): "\(type.swift).\(SwiftLiteral.member(name))"
        case _ where type == .duration: type.swift + swift(type)
        case .list, .map: "\(swift(type)) as \(type.swift)"
        default: swift(type)
        }
    }
}

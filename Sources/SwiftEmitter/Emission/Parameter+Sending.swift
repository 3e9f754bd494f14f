import SpecIR

/// How a parameter is passed to the request builder.
extension Parameter {
    /// The element of a list of files; `nil` for any other parameter.
    var files: Value? {
        if case .list(let element) = value.type, element.type == .file { element } else { nil }
    }

    /// The sent expression of an argument: a nullable one without its wrapper.
    func sentExpression(_ expression: String) -> String {
        isWrapped ? expression + "?.optional" : expression
    }

    /// Whether another value is sent for some arguments.
    var isReplaced: Bool { omitsEmpty || defaultsEmpty || clamp != nil }

    /// The expression of what is sent for an argument: not an empty value, no number outside its
    /// bounds.
    func replaced(_ expression: String) -> String {
        if defaultsEmpty, case .defaulted(let literal) = presence {
            return "\(expression).isEmpty ? \(literal.typed(value.type)) : \(expression)"
        }
        if omitsEmpty || defaultsEmpty { return "SentValue.unlessEmpty(\(expression))" }
        guard let clamp else { return expression }
        let bounds = [
            clamp.low.map { "min: \($0.swift(value.type))" },
            clamp.high.map { "max: \($0.swift(value.type))" },
        ]
        let arguments = [expression] + bounds.compactMap(\.self)
        return "SentValue.clamped(\(arguments.joined(separator: ", ")))"
    }

    /// The expression of a value whose type does not determine its text form.
    func sentText(_ expression: String) -> String {
        switch value.type {
        case .date(let form): "ParameterText.date(\(expression), \(form.swift))"
        case .double(.string) where !presence.isFixed, .double(.either) where !presence.isFixed:
            "ParameterText.number(\(expression))"
        case .duration(let unit) where unit != .seconds:
            "ParameterText.duration(\(expression), \(unit.swift))"
        case .bytes(let form) where form != .base64:
            "ParameterText.bytes(\(expression), as: .\(form.rawValue))"
        default: expression
        }
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

    /// The case of `RequestBuilder.CallIDPlace`.
    var callIDPlace: String { self == .part ? "form" : function }
}

extension Parameter.Location {
    /// The default list style of that function.
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
        case .deep: ".deep"
        case .dots: ".dots"
        case .entries: ".entries"
        }
    }
}

extension Parameter {
    /// The argument inside a builder, where `json` is the writer of the body.
    var local: String { SwiftLiteral.local(name, besides: ["json"]) }

    /// `name: Type`, or `name local: Type`.
    var localDeclaration: String {
        local == SwiftLiteral.identifier(name) ? declaration : "\(name) \(local): \(swift ?? "")"
    }

    /// Whether the parameter is an enumeration in the query without options and rules.
    var isKnownCase: Bool {
        guard case .enumeration = value.type, location == .query, !presence.isFixed,
            sentOptions().isEmpty
        else {
            return false
        }
        return value.rules(sent: true).isEmpty
    }

    /// The argument of the overload with a separator, if it applies.
    private var separator: String? {
        guard case .joined(let separator) = listStyle, location == .query, !isSensitive,
            value.type.booleanStyle == nil, !value.type.isWrittenByClosure
        else { return nil }
        if case .credential = presence { return nil }
        return "joinedBy: \(SwiftLiteral.string(separator))"
    }

    /// The arguments after name and value.
    ///
    /// - Parameter fallback: The condition under which the credential's value is sent.
    func sentOptions(_ fallback: String? = nil) -> [String] {
        var options: [String] = []
        if [.json, .deep, .dots].contains(listStyle) {
            options.append("list: \(listStyle.swift)")
        } else if listStyle == .entries {
            let taken = takenNames.map(SwiftLiteral.string).joined(separator: ", ")
            options.append("list: .entries(besides: [\(taken)])")
        } else if case .list = value.type, listStyle != location.listStyle {
            options.append(separator ?? "list: \(listStyle.swift)")
        }
        if let style = value.type.booleanStyle { options.append("booleans: \(style)") }
        if case .credential(let key) = presence {
            let key = SwiftLiteral.string(key)
            options.append("orCredential: " + (fallback.map { "\($0) ? \(key) : nil" } ?? key))
        }
        if isSensitive { options.append("sensitive: true") }
        if allowsEmptyPath { options.append("allowsEmpty: true") }
        return options
    }
}

extension ValueType {
    /// The text form of Booleans, if not `true` and `false`.
    var booleanStyle: String? {
        switch self {
        case .bool(.oneZero): ".oneZero"
        case .bool(.words(let words)): ".words(\(BoolForm.swift(words)))"
        case .bool(.presence): ".presence"
        case .list(let element), .map(_, let element): element.type.booleanStyle
        default: nil
        }
    }

    fileprivate var isDuration: Bool { if case .duration = self { true } else { false } }

    /// Whether a credential value of this type is a number in JSON.
    var isNumberInJSON: Bool {
        switch self {
        case .string(let form): form == .int
        case .integer(_, let form): form != .string
        case .list(let element): element.type.isNumberInJSON
        default: false
        }
    }

    /// Whether a request takes a closure to encode values of the type as text. Text does not
    /// distinguish numbers from strings, and Booleans have styles.
    var isWrittenByClosure: Bool {
        switch self {
        case .list(let element), .map(_, let element):
            switch element.type {
            case .date, .double(.string), .double(.either): true
            case .duration(let unit): unit != .seconds
            case .bytes(let form): form != .base64
            default:
                element.type.isWrittenByClosure || holdsCheckedElements || element.from == .string
            }
        default: false
        }
    }
}

extension Literal {
    /// The literal with an explicit type, where none can be inferred.
    func typed(_ type: ValueType) -> String {
        switch self {
        case .enumerationCase(let name): "\(type.swift).\(SwiftLiteral.member(name))"
        case _ where type.isDuration: type.swift + swift(type)
        case .list, .map: "\(swift(type)) as \(type.swift)"
        default: swift(type)
        }
    }
}

import SpecIR

/// Writes statements that read values from JSON.
extension SwiftWriter {
    /// Writes statements that read a value into a variable and check it.
    mutating func read(_ value: Value, into variable: String) {
        if value.from != .native {
            let source = value.from == .either ? ", from: .either" : ""
            var content = value
            content.from = .native
            content.isNullable = false
            readingClosure("json.jsonText(&\(variable)\(source))", content)
            return
        }
        let (call, closure) = value.tolerantCall(variable) ?? value.type.readCall(variable)
        let checks = receivedChecks(value, variable)
        if let closure {
            readElements(call, element: closure, checks: checks)
        } else if call.hasSuffix("(&\(variable))"), let rule = ruleArgument(value, sent: false) {
            line("\(call.dropLast()), \(rule))")
        } else if checks.isEmpty {
            line(call)
        } else {
            block("if \(call)") { writer in
                for check in checks { writer.line(check) }
            }
        }
    }

    /// Writes a call whose closure reads one element of a list or a map.
    private mutating func readElements(_ call: String, element: Value, checks: [String]) {
        if checks.isEmpty { return readingClosure(call, element) }
        readingClosure("let isRead = \(call)", element)
        block("if isRead") { writer in
            for check in checks { writer.line(check) }
        }
    }

    /// Writes the statement that reads the value of a key without a field.
    mutating func readAdditional(_ value: Value, into variable: String) {
        if value.isPlain { return line("json.additional(&\(variable))") }
        readingClosure("json.additional(&\(variable))", value)
    }

    /// Writes a call whose closure reads one value, on one line if one expression reads it.
    mutating func readingClosure(_ call: String, _ value: Value) {
        if let expression = elementExpression(value, "$0") {
            let text = "\(call) { \(expression) }"
            if fits(text) { return line(text) }
        }
        closure("\(call) { json in") { $0.readElement(value) }
    }

    /// The expression that reads a value alone; nil if statements do.
    private func elementExpression(_ value: Value, _ json: String) -> String? {
        guard !value.isNullable, value.from == .native, value.tolerances.isEmpty else { return nil }
        let rule = ruleArgument(value, sent: false)
        guard rule != nil || receivedChecks(value, "item").isEmpty else { return nil }
        switch value.type {
        case .bool(.oneZero) where rule == nil: return "\(json).bool(from: .int)"
        case .bool(.text) where rule == nil: return "\(json).bool(from: .string)"
        case .date(let form) where rule == nil: return "\(json).date(\(form.swift))"
        case .string(.native): return rule.map { "\(json).string(\($0))" }
        case .integer(.int, .native): return rule.map { "\(json).int(\($0))" }
        case .double(.native): return rule.map { "\(json).double(\($0))" }
        default: return nil
        }
    }

    /// Writes the body of a closure that reads one value; its parameter is `json`.
    mutating func readElement(_ value: Value) {
        if let expression = elementExpression(value, "json") { return line("return \(expression)") }
        let inner = "item"
        if value.isNullable { line("if json.isNull() { return .some(nil) }") }
        line("var \(inner): \(value.type.swift)?")
        read(value, into: inner)
        line("return \(inner)")
    }
}

extension ValueType {
    /// The call that reads a value of the type into a variable, and the element type if the call
    /// takes a closure. The caller writes the closure.
    fileprivate func readCall(_ variable: String) -> (call: String, element: Value?) {
        switch self {
        case .string(let form): ("json.string(&\(variable)\(form.argument))", nil)
        case .integer(.int, let form): ("json.int(&\(variable)\(form.argument))", nil)
        case .integer(.int32, let form): ("json.int32(&\(variable)\(form.argument))", nil)
        case .integer(.uint, let form): ("json.uint(&\(variable)\(form.argument))", nil)
        case .double(let form): ("json.double(&\(variable)\(form.argument))", nil)
        case .bool(.oneZero): ("json.bool(&\(variable), from: .int)", nil)
        case .bool(.text): ("json.bool(&\(variable), from: .string)", nil)
        case .bool(.words(let words)):
            ("json.bool(&\(variable), \(BoolForm.swift(words)))", nil)
        case .bool: ("json.bool(&\(variable))", nil)
        case .decimal(let form): ("json.decimal(&\(variable)\(form.argument))", nil)
        case .date(let form): ("json.date(&\(variable), \(form.swift))", nil)
        case .duration(.seconds): ("json.duration(&\(variable))", nil)
        case .duration(let unit): ("json.duration(&\(variable), in: \(unit.swift))", nil)
        case .url: ("json.url(&\(variable))", nil)
        case .uuid: ("json.uuid(&\(variable))", nil)
        case .bytes(.base64): ("json.bytes(&\(variable))", nil)
        case .bytes(let form): ("json.bytes(&\(variable), as: .\(form.rawValue))", nil)
        case .json, .object, .union, .enumeration, .file: ("json.read(&\(variable))", nil)
        case .list(let element):
            element.isPlain
                ? ("json.list(&\(variable))", nil) : ("json.list(&\(variable))", element)
        case .map(_, let element):
            element.isPlain ? ("json.map(&\(variable))", nil) : ("json.map(&\(variable))", element)
        }
    }
}

extension Value {
    /// The call that reads a list or a map and tolerates some violations, and the element type if
    /// the caller writes a closure; `nil` if none are tolerated.
    fileprivate func tolerantCall(_ variable: String) -> (call: String, element: Value?)? {
        guard !tolerances.isEmpty else { return nil }
        let words = tolerances.map { ".\($0.rawValue)" }
        let invalid = words.count == 1 ? words[0] : "[\(words.joined(separator: ", "))]"
        let arguments = "&\(variable), invalid: \(invalid)"
        switch type {
        case .list(let element), .map(_, let element):
            let function = if case .list = type { "list" } else { "map" }
            return element.isPlain
                ? ("json.\(function)(\(arguments), \(element.swift).read)", nil)
                : ("json.\(function)(\(arguments))", element)
        default: return nil
        }
    }
}

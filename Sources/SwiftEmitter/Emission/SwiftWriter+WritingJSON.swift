import SpecIR

/// Writes statements that encode values as JSON.
extension SwiftWriter {
    /// Writes the statements that encode one member of an object and check it.
    mutating func writeField(
        _ key: String, value: Value, expression: String, checked: String, isSensitive: Bool
    ) {
        let tail = isSensitive ? ", sensitive: true" : ""
        let head = "json.field(\(SwiftLiteral.string(key)), \(expression)\(tail))"
        if let form = value.type.dateForm, !value.isNullable {
            line("json.dateField(\(SwiftLiteral.string(key)), \(expression), \(form.swift)\(tail))")
        } else if value.type.isPlain, value.from != .string, !value.type.holdsCheckedElements {
            if tail.isEmpty, expression == checked, let rule = ruleArgument(value, sent: true) {
                return line("\(head.dropLast()), \(rule))")
            }
            line(head)
        } else {
            closure(head + " { json, value in") { writer in
                if value.isNullable {
                    writer.line("guard let value = value.optional else { return json.null() }")
                }
                writer.writeValue(value, "value")
            }
        }
        sentChecks(value, checker: "json", expression: checked)
    }

    /// Writes the statement that encodes the members without fields of their own.
    mutating func writeAdditional(_ field: Field, besides keys: [String]) {
        guard case .map(_, let value) = field.value.type else { return }
        let keys = keys.map(SwiftLiteral.string).joined(separator: ", ")
        let head =
            "json.additional(self.\(SwiftLiteral.member(field.name)), besides: [\(keys)]"
            + (field.isSensitive ? ", sensitive: true)" : ")")
        if value.isPlain, !field.value.type.holdsCheckedElements { return line(head) }
        closure(head + " { json, item in") { $0.writeElement(value) }
    }

    /// Writes the statements that encode one value.
    mutating func writeValue(_ value: Value, _ expression: String) {
        if value.from == .string {
            var content = value
            content.from = .native
            return closure("json.jsonText { json in") { $0.writeValue(content, expression) }
        }
        let type = value.type
        switch type {
        case .list(let element) where !type.isPlain || type.holdsCheckedElements:
            closure("json.list(\(expression)) { json, item in") {
                $0.writeElement(element)
            }
        case .map(_, let element) where !type.isPlain || type.holdsCheckedElements:
            closure("json.map(\(expression)) { json, item in") {
                $0.writeElement(element)
            }
        default: line(type.writeCall(expression))
        }
    }

    private mutating func writeElement(_ value: Value) {
        if value.isNullable {
            line("guard let item else { return json.null() }")
        }
        writeValue(value, "item")
        sentChecks(value, checker: "json", expression: "item")
    }

    /// Writes a head that opens a closure with its parameters, and the closing brace.
    mutating func closure(_ head: String, _ body: (inout SwiftWriter) -> Void) {
        line(head)
        indented(body)
        line("}")
    }
}

extension ValueType {
    /// Whether elements are checked one by one when they are sent.
    var holdsCheckedElements: Bool {
        switch self {
        case .list(let element):
            // An enumeration in a list is checked with the list, one in a nested list by itself.
            element.hasSentRules || element.type.holdsCheckedElements
                || element.type.isContainer && element.knownCheck
        case .map(_, let element): element.isCheckedWhenSent || element.type.holdsCheckedElements
        default: false
        }
    }

    private var isContainer: Bool {
        switch self {
        case .list, .map: true
        default: false
        }
    }

    /// The form of a date, or of a list of dates that needs no closure.
    var dateForm: DateForm? {
        switch self {
        case .date(let form): form
        case .list(let element):
            if case .date(let form) = element.type, !element.isNullable, !holdsCheckedElements {
                form
            } else {
                nil
            }
        default: nil
        }
    }

    fileprivate func writeCall(_ expression: String) -> String {
        switch self {
        case .string(let form) where form != .native:
            "json.value(\(expression)\(form == .int ? ", as: .int" : ""))"
        case .integer(_, .string), .double(.string), .decimal(.string), .bool(.text):
            "json.value(\(expression), as: .string)"
        case .double(.either): "json.value(\(expression), as: .either)"
        case .bool(.oneZero): "json.value(\(expression), as: .int)"
        case .bool(.words(let words)): "json.value(\(expression), \(BoolForm.swift(words)))"
        case .duration(let unit) where unit != .seconds:
            "json.value(\(expression), in: \(unit.swift))"
        case .bytes(let form) where form != .base64:
            "json.value(\(expression), as: .\(form.rawValue))"
        case .date(let form): "json.dateValue(\(expression), \(form.swift))"
        default: "json.value(\(expression))"
        }
    }
}

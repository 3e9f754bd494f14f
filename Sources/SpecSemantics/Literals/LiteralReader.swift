import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and resolves literals: defaults, constants and the values that rules list.
struct LiteralReader {
    let symbols: SymbolTable
    /// Resolved enumerations, by the qualified name of the model or inline type.
    var enumerations: [String: Enumeration] = [:]
    /// Whether the literals are of a server's reply, in which `$token.id` is a text like any other.
    var readsReplies = false
    /// The names of types in messages.
    var typeNames: SpecNames

    init(_ symbols: SymbolTable) {
        self.symbols = symbols
        typeNames = SpecNames(symbols)
    }

    /// Resolves a literal of a type; returns `nil` if it does not fit, which is reported.
    mutating func literal(
        _ node: YAMLNode, for value: Value, into bag: inout DiagnosticBag
    ) -> Literal? {
        if !readsReplies, isCredential(node, into: &bag) || isCallValue(node, into: &bag) {
            return nil
        }
        if node.isNull, value.isNullable { return .null }
        if node.isNull, value.type != .json {
            reportNull(node, value, into: &bag)
            return nil
        }
        switch value.type {
        case .list(let element): return list(node, element, into: &bag)
        case .map(let key, let element): return map(node, key: key, element: element, into: &bag)
        case .enumeration(let name, _): return enumerationCase(node, name, into: &bag)
        case .json: return json(node, into: &bag)
        case .object, .union, .file, .bytes:
            bag.report(
                .badDefault, "a value of this type cannot be written in a spec", at: node.span,
                help: "mark the value `?`, which is nil where it is missing"
                    + (value.type == .bytes()
                        ? ", or read its Base64 as text: `{ type: string, default: aGk= }`" : ""))
            return nil
        default: break
        }
        let help = problem(of: node, value.type)
        if help == nil, node.kind == .scalar, let literal = scalar(node, value.type) {
            return literal
        }
        bag.report(
            .badDefault, "expected \(value.type.expectation), found \(node.shown)",
            at: node.span, help: help ?? value.type.helpToUnquote(node))
        return nil
    }

    /// Whether a text contains a credential reference, which is not allowed here; reports it.
    private func isCredential(_ node: YAMLNode, into bag: inout DiagnosticBag) -> Bool {
        guard node.kind == .scalar, let reference = CredentialReference(node.text) else {
            return false
        }
        bag.report(
            .badCredentialDefault, "`\(reference.text)` is not a credential reference here",
            at: node.place(ofText: reference.place),
            help:
                "a credential reference must be the whole `default` of a parameter of type `string` "
                + "or `int`: `{ type: string, default: \(reference.text) }`; for a list of them, its "
                + "only item")
        return true
    }

    /// Whether a plain text contains a value of a call, which is not known here; reports it.
    private func isCallValue(_ node: YAMLNode, into bag: inout DiagnosticBag) -> Bool {
        guard node.isPlain, let reference = CallReference.all(in: node.text).first else {
            return false
        }
        bag.report(
            .badCallValue, "`\(reference.text)` is not a value of a call here",
            at: node.place(ofText: reference.place),
            help:
                "it stands in the constant of a parameter: `{ const: \(reference.text) }`; a text "
                + "that looks like this needs quotes")
        return true
    }

    private func reportNull(
        _ node: YAMLNode, _ value: Value, into bag: inout DiagnosticBag
    ) {
        let help = node.text.isEmpty ? "write a value" : "put the text in quotes if it is meant"
        bag.report(
            .badDefault, "expected \(value.type.expectation), found nothing", at: node.span,
            help: help + ", or add `| null` to the type if the value may be null")
    }

    private func scalar(_ node: YAMLNode, _ type: ValueType) -> Literal? {
        switch type {
        case .string: return .string(node.text)
        case .integer: return node.integer.map { .integer(String($0)) }
        case .double, .decimal: return node.numberText.map { .number($0) }
        case .bool: return node.boolean.map { .bool($0) }
        case .duration: return seconds(node).map { .number($0) }
        case .date(let form) where form.isUnix:
            return node.integer.map { .integer(String($0)) }
        case .date, .url: return .string(node.text)
        case .uuid: return node.text.isUUID ? .string(node.text) : nil
        default: return nil
        }
    }

    /// The help for a scalar that resembles a value of the type but is not one; `nil` otherwise.
    private func problem(of node: YAMLNode, _ type: ValueType) -> String? {
        guard node.kind == .scalar else { return nil }
        switch type {
        case .integer(let width, _):
            return NumberProblem.ofInteger(node, width)
        case .double, .decimal: return node.numberText.flatMap { NumberProblem.of($0, type) }
        case .duration: return seconds(node).flatMap { NumberProblem.of($0, type) }
        case .date(let form) where form.isUnix: return node.integer.flatMap(form.problem)
        case .date: return DateSyntaxCheck.problem(of: node.text)
        case .url: return URLSyntaxCheck.problem(of: node.text)
        default: return nil
        }
    }

    private mutating func list(
        _ node: YAMLNode, _ element: Value, into bag: inout DiagnosticBag
    ) -> Literal? {
        guard node.kind == .sequence else {
            bag.report(
                .badDefault, "expected a list, found \(node.shown)", at: node.span,
                help: "write `[…]`")
            return nil
        }
        let items = node.items
        let literals = items.compactMap { literal($0, for: element, into: &bag) }
        return literals.count == items.count ? .list(literals) : nil
    }

    private mutating func map(
        _ node: YAMLNode, key: MapKey, element: Value, into bag: inout DiagnosticBag
    ) -> Literal? {
        guard node.kind == .mapping else {
            bag.report(
                .badDefault, "expected a mapping, found \(node.shown)", at: node.span)
            return nil
        }
        var entries: [LiteralEntry] = []
        var places: [Literal: YAMLNode] = [:]
        for entry in node.entries {
            guard let name = literal(entry.key, for: Value(key.type), into: &bag),
                let value = literal(entry.value, for: element, into: &bag)
            else { return nil }
            if let first = places.updateValue(entry.key, forKey: name) {
                reportSameKey(entry.key, first, into: &bag)
                return nil
            }
            entries.append(LiteralEntry(key: name, value: value))
        }
        return .map(entries)
    }

    /// Reports two notations of one key, because a Swift dictionary literal with both traps.
    private func reportSameKey(
        _ key: YAMLNode, _ first: YAMLNode, into bag: inout DiagnosticBag
    ) {
        bag.report(
            .badDefault, "key \(key.shown) is the same as \(first.shown)",
            at: key.span, notes: [Diagnostic.Note("first written here", at: first.span)],
            help: "keep one of them")
    }

    private mutating func enumerationCase(
        _ node: YAMLNode, _ name: String, into bag: inout DiagnosticBag
    ) -> Literal? {
        let values = enumeration(named: name)
        if node.kind == .scalar,
            let found = values.cases.first(where: { $0.value == node.text })
        {
            return .enumerationCase(found.name)
        }
        let known = values.cases.map(\.value)
        // Specs use the API's value; the Swift name only helps to suggest it.
        let named = values.cases.first { $0.name == symbols.namer.lowerCamel(node.text) }?.value
        bag.report(
            .badDefault, "\(node.shown) is not a value of `\(typeNames.name(of: name))`",
            at: node.span,
            help: (named ?? nearest(to: node.text, among: known)).map { "did you mean `\($0)`?" }
                ?? "its values: \(known.prefix(12).joined(separator: ", "))")
        return nil
    }

    /// The values of an enumeration, also of one that is declared later.
    mutating func enumeration(named name: String) -> Enumeration {
        if let known = enumerations[name] { return known }
        guard let entry = symbols.model(swiftName: name),
            case .enumeration(let syntax) = entry.syntax.type.form
        else {
            return Enumeration(isInteger: false, cases: [])
        }
        // Errors of the declaration are reported when it is resolved.
        var discarded = DiagnosticBag()
        let result = enumeration(syntax, name: entry.syntax.name.value, into: &discarded)
        enumerations[name] = result
        return result
    }

    private func json(_ node: YAMLNode, into bag: inout DiagnosticBag) -> Literal? {
        switch node.kind {
        case .sequence: return .list(node.items.compactMap { json($0, into: &bag) })
        case .mapping:
            return .map(
                node.entries.compactMap { entry in
                    json(entry.value, into: &bag).map {
                        LiteralEntry(key: .string(entry.key.text), value: $0)
                    }
                })
        case .scalar:
            if isCredential(node, into: &bag) || node.isNull { return .null }
            if let flag = node.boolean { return .bool(flag) }
            if let integer = node.integer { return .integer(String(integer)) }
            return node.numberText.map { .number($0) } ?? .string(node.text)
        }
    }

    // MARK: Forms of text

    private func seconds(_ node: YAMLNode) -> String? {
        if let number = node.numberText { return number }
        return Quantity.milliseconds(node.text).map { "\(Double($0) / 1000)" }
    }
}

extension YAMLNode {
    /// The node in a message.
    var shown: String {
        switch kind {
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .scalar: isNull ? "nothing" : "`\(text.prefix(40))`"
        }
    }
}

extension ValueType {
    /// The help for a number or a Boolean in quotes; nil for anything else.
    func helpToUnquote(_ node: YAMLNode) -> String? {
        let isMeant =
            switch self {
            case .integer: Int(node.text) != nil
            case .double, .decimal: Double(node.text) != nil
            case .bool: ["true", "false"].contains(node.text)
            default: false
            }
        return isMeant && node.kind == .scalar && !node.isPlain ? "remove the quotes" : nil
    }

    /// What a literal of the type is expected to be, in a message.
    var expectation: String {
        switch self {
        case .string: "text"
        case .integer(.int, _): "an integer"
        case .integer(.int32, _): "a 32-bit integer"
        case .integer(.uint, _): "an integer of at least 0"
        case .double, .decimal: "a number"
        case .bool: "`true` or `false`"
        case .date(let form) where form.isUnix: "a Unix time"
        case .date: "a date such as `2026-01-31` or `2026-01-31T12:00:00Z`"
        case .duration: "a time such as `1.5s`"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .bytes: "bytes"
        case .file: "a file"
        case .json: "JSON"
        case .list: "a list"
        case .map: "a mapping"
        case .object: "an object"
        case .union: "an alternative of a union"
        case .enumeration: "a value of an enumeration"
        }
    }
}

extension DateForm {
    /// Whether dates are encoded as numbers, or as numbers in text.
    fileprivate var isUnix: Bool {
        switch self {
        case .unix, .unixMilliseconds, .unixText, .unixMillisecondsText: true
        case .dateTime, .localDateTime, .date, .pattern: false
        }
    }

    /// The help for a Unix time outside of the years 0 to 9999; nil otherwise.
    fileprivate func problem(of number: Int) -> String? {
        let factor = self == .unix || self == .unixText ? 1 : 1000
        let years = -62_167_219_200 * factor...253_402_300_799 * factor
        return years.contains(number) ? nil : "a date is in one of the years 0 to 9999"
    }
}

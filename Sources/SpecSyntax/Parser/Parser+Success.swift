import SpecDiagnostics
import SpecIR

/// Parses `success`.
extension Parser {
    mutating func success(_ node: YAMLNode) -> SuccessSyntax {
        var success = SuccessSyntax(span: node.span)
        let help =
            node.kind == .scalar
            ? "name the condition: `success: { status: \(node.text.prefix(20)) }`" : nil
        visit(node, as: .success, help: node.integer == nil ? nil : help) { parser, key, entry in
            switch key {
            case "status": success.statuses = parser.statuses(entry.value)
            case "absent": success.absent = parser.keyPath(entry.value, expecting: "a key path")
            case "present": success.present = parser.keyPath(entry.value, expecting: "a key path")
            case "where": success.conditions = parser.conditions(entry.value)
            default: return false
            }
            return true
        }
        return success
    }

    /// `where: { path: value, path: [value, value] }`, or `none`
    mutating func conditions(_ node: YAMLNode) -> Located<[SuccessConditionSyntax]>? {
        if node.isPlain, node.text == "none" { return Located([], at: node.span) }
        guard node.kind == .mapping, !node.entries.isEmpty else {
            reportKind(
                node, expected: "key paths with their values",
                help: "write `where: { ok: true }`; `none` checks no value")
            return nil
        }
        return Located(node.entries.compactMap { condition($0) }, at: node.span)
    }

    private mutating func condition(_ entry: YAMLEntry) -> SuccessConditionSyntax? {
        guard let path = keyPath(entry.key, expecting: "a key path", isKey: true) else {
            return nil
        }
        if path.value.isEmpty {
            bag.report(
                .badKeyPath, "a whole reply cannot be compared with a value", at: path.span,
                label: "expected a key path")
            return nil
        }
        let items = items(entry.value)
        if items.isEmpty {
            reportKind(
                entry.value, expected: "at least one value",
                help: "list the values that a success may have")
        }
        let values = items.compactMap { literal($0, at: entry.key.text) }
        return values.isEmpty ? nil : SuccessConditionSyntax(path: path, values: values)
    }

    private mutating func literal(
        _ node: YAMLNode, at path: String
    ) -> Located<ReplyCondition.Constant>? {
        guard node.kind == .scalar, !node.isNull else {
            reportKind(
                node, expected: "`true`, `false`, an integer or a text",
                help: node.kind == .mapping
                    ? "write the whole path as one key: `\(path).key: value`"
                    : node.isNull
                        ? "null counts as missing: use `absent` for a key that a success lacks"
                        : nil
            )
            return nil
        }
        if let flag = node.boolean { return Located(.flag(flag), at: node.span) }
        if let integer = node.integer { return Located(.integer(integer), at: node.span) }
        if node.isPlain, node.text == CallValueSyntax.id { return Located(.callID, at: node.span) }
        return Located(.text(node.text), at: node.span)
    }
}

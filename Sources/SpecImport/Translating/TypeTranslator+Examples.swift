import SpecDiagnostics
import SpecSemantics
import SpecSyntax

/// Examples and defaults: kept where they surely fit their type.
extension TypeTranslator {
    /// Adds the first example that fits.
    func addExample(to type: inout DraftType, _ nodes: [YAMLNode]) {
        guard let first = nodes.first else { return }
        if case .constant = type.form { return }
        let plain = type
        if let value = nodes.lazy.compactMap({ self.value($0, of: plain) }).first {
            type.attributes.append(DraftEntry("example", value))
        } else {
            lose(.example, String(Self.shown(first).prefix(80)), at: first.span)
        }
    }

    /// A node as a value of a type; nil where it may not fit.
    func value(_ node: YAMLNode, of type: DraftType) -> DraftValue? {
        guard !node.text.contains("$token."), node.kind != .mapping else { return nil }
        switch type.form {
        case .list(let element):
            guard node.kind == .sequence, fits(Double(node.items.count), type, "items") else { return nil }
            let items = node.items.compactMap { value($0, of: element) }
            let isUnique = type.attributes["unique"] == nil || Set(items).count == items.count
            return items.count == node.items.count && isUnique ? .list(items) : nil
        case .enumeration(let choice):
            guard node.kind == .scalar, choice.values.contains(where: { $0.value == node.text }) else {
                return nil
            }
            return choice.isInteger ? .word(node.text) : .text(node.text)
        case .named(let name):
            return node.kind == .scalar && !node.isNull ? scalar(node, name, type) : nil
        default: return nil
        }
    }

    private func scalar(_ node: YAMLNode, _ name: String, _ type: DraftType) -> DraftValue? {
        let text = node.text
        switch name {
        case "string":
            guard text.utf8.count <= 500, fits(Double(text.unicodeScalars.count), type, "length")
            else { return nil }
            if type.attributes["from"] != nil { return node.numberText != nil ? .text(text) : nil }
            return type.attributes["in"] == nil ? .text(text) : nil
        case "int", "int32", "uint":
            guard let number = node.integer, fits(Double(number), type, ""),
                name != "int32" || Int32(exactly: number) != nil, name != "uint" || number >= 0
            else { return nil }
            return .word("\(number)")
        case "double", "decimal":
            guard let digits = node.numberText, let number = node.double, number.isFinite,
                number == 0 || number.isNormal, fits(number, type, ""), type.attributes["in"] == nil,
                name != "decimal" || digits.utf8.count < 30
            else { return nil }
            return .word(digits)
        case "bool": return node.boolean.map { .word("\($0)") }
        case "Date":
            if type.attributes["as"] == .text("unix") {
                return node.integer.flatMap { (0...4_102_444_800).contains($0) ? .word("\($0)") : nil }
            }
            return DateSyntaxCheck.problem(of: text) == nil ? .text(text) : nil
        case "url": return URLSyntaxCheck.problem(of: text) == nil ? .text(text) : nil
        case "uuid":
            let isUUID = text.wholeMatch(of: #/[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/#) != nil
            return isUUID ? .text(text) : nil
        default: return nil
        }
    }

    /// Whether a measure obeys the bounds of a type.
    private func fits(_ measure: Double, _ type: DraftType, _ unit: String) -> Bool {
        let bound = { (key: String) -> Double? in
            guard case .word(let text)? = type.attributes[key] else { return nil }
            return Double(text)
        }
        let end = unit.isEmpty ? "" : "-" + unit
        if let least = bound("min" + end), measure < least { return false }
        if let most = bound("max" + end), measure > most { return false }
        if let least = bound("above"), measure <= least { return false }
        if let most = bound("below"), measure >= most { return false }
        return bound("multiple-of") == nil
    }
}

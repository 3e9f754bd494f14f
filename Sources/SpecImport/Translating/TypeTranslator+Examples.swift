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
        guard !node.text.contains("$token.") else { return nil }
        if node.isNull { return type.isNullable ? .word("null") : nil }
        switch type.form {
        case .list(let element):
            guard node.kind == .sequence, fits(Double(node.items.count), type: type, unit: "items")
            else {
                return nil
            }
            let items = node.items.compactMap { value($0, of: element) }
            let isUnique = type.attributes["unique"] == nil || Set(items).count == items.count
            return items.count == node.items.count && isUnique ? .list(items) : nil
        case .enumeration(let choice):
            guard node.kind == .scalar, choice.values.contains(where: { $0.value == node.text })
            else {
                return nil
            }
            return choice.isInteger ? .word(node.text) : .text(node.text)
        case .named("json"): return Self.any(node)
        case .named(let name):
            if let definition = definitions[name] { return value(node, of: definition) }
            return node.kind == .scalar ? scalar(node, name: name, type: type) : nil
        case .map(_, let element):
            guard node.kind == .mapping, type.attributes.isEmpty else { return nil }
            return members(node) { _ in element }
        case .object(let object): return node.kind == .mapping ? value(node, of: object) : nil
        case .constant(.text(let text)): return node.text == text ? .text(text) : nil
        case .constant(.word(let word)):
            return node.isPlain && node.text == word ? .word(word) : nil
        case .constant, .union: return nil
        }
    }

    /// A mapping with the values of its keys; nil where one may not fit.
    private func members(
        _ node: YAMLNode, _ type: (_ key: String) -> DraftType?
    ) -> DraftValue? {
        let entries = node.entries.compactMap { entry -> DraftEntry? in
            guard let type = type(entry.key.text), entry.key.text.utf8.count <= 200,
                let value = value(entry.value, of: type)
            else { return nil }
            var result = DraftEntry(entry.key.text, value)
            result.isQuoted = true
            return result
        }
        return entries.count == node.entries.count ? .map(entries) : nil
    }

    private func value(_ node: YAMLNode, of object: DraftObject) -> DraftValue? {
        let fields = allFields(of: object)
        let known = Dictionary(fields.map { ($0.name, $0.type) }, uniquingKeysWith: { $1 })
        let keys = Set(node.entries.map(\.key.text))
        let isWhole = fields.allSatisfy { $0.type.isOptional || keys.contains($0.name) }
        let hasDirections = fields.contains { $0.type.attributes["only"] != nil }
        return isWhole && !hasDirections ? members(node) { known[$0] ?? object.additional } : nil
    }

    /// Whether a node surely breaks its type, as a reply would. Rules are not asked.
    func breaks(_ node: YAMLNode, _ type: DraftType) -> Bool {
        if node.isNull {
            return !type.isNullable && !type.isOptional && type.form != .named("json")
        }
        switch type.form {
        case .list(let element):
            return node.kind != .sequence || node.items.contains { breaks($0, element) }
        case .map(_, let element):
            return node.kind != .mapping || node.entries.contains { breaks($0.value, element) }
        case .object(let object):
            return node.kind != .mapping
                || allFields(of: object).contains { field in
                    if field.type.attributes["only"] == .text("request") { return false }
                    let key = field.type.attributes["key"] ?? .text(field.name)
                    let value = node.entries.first { .text($0.key.text) == key }?.value
                    return value.map { breaks($0, field.type) }
                        ?? (!field.type.isOptional && field.type.attributes["default"] == nil)
                }
        case .named("json"): return false
        case .named(let name):
            if let definition = definitions[name] { return breaks(node, definition) }
            guard node.kind == .scalar else { return true }
            guard type.attributes["from"] == nil else { return false }
            switch name {
            case "int", "int32", "uint", "double", "decimal":
                return node.numberText == nil || !node.isPlain
            case "bool": return node.boolean == nil || !node.isPlain
            case "string":
                return node.isPlain && (node.numberText ?? node.boolean?.description) != nil
            default: return false
            }
        case .enumeration: return node.kind != .scalar
        case .constant, .union: return false
        }
    }

    /// The fields of an object with those of its mixins.
    private func allFields(of object: DraftObject, depth: Int = 0) -> [DraftField] {
        let lent = object.mixins.flatMap { mixin -> [DraftField] in
            guard depth < 50, case .object(let lender)? = definitions[mixin]?.form else {
                return []
            }
            return allFields(of: lender, depth: depth + 1)
        }
        return lent + object.fields
    }

    private static func any(_ node: YAMLNode) -> DraftValue? {
        switch node.kind {
        case .scalar:
            if node.text.contains("$token.") { return nil }
            if node.isNull { return .word("null") }
            if let flag = node.boolean { return .word("\(flag)") }
            return node.numberText.map { .word($0) } ?? .text(node.text)
        case .sequence:
            let items = node.items.compactMap(any)
            return items.count == node.items.count ? .list(items) : nil
        case .mapping:
            let entries = node.entries.compactMap { entry -> DraftEntry? in
                guard entry.key.text.utf8.count <= 200, let value = any(entry.value) else {
                    return nil
                }
                var result = DraftEntry(entry.key.text, value)
                result.isQuoted = true
                return result
            }
            return entries.count == node.entries.count ? .map(entries) : nil
        }
    }

    // MARK: Whole objects

    /// More values than these are no example that helps a reader.
    private static let mostValues = 60

    /// Adds the examples of models, when all models are known.
    func addExamples(to models: inout [DraftModel]) {
        definitions = Dictionary(
            models.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        for index in models.indices {
            guard case .object = models[index].type.form,
                let node = examples[models[index].name]
            else { continue }
            if let value = example(node, of: models[index].type) {
                models[index].type.attributes.append(DraftEntry("example", value))
            } else {
                lose(.example, "example of `\(models[index].name)`", at: node.span)
            }
        }
    }

    /// A whole example; nil if it may not fit, or is too large.
    func example(_ node: YAMLNode, of type: DraftType) -> DraftValue? {
        Self.count(node) <= Self.mostValues ? value(node, of: type) : nil
    }

    private static func count(_ node: YAMLNode) -> Int {
        (node.items + node.entries.map(\.value)).reduce(1) { $0 + count($1) }
    }

    private func scalar(_ node: YAMLNode, name: String, type: DraftType) -> DraftValue? {
        let text = node.text
        switch name {
        case "string":
            guard text.utf8.count <= 500,
                fits(Double(text.unicodeScalars.count), type: type, unit: "length")
            else { return nil }
            if type.attributes["from"] != nil { return node.numberText != nil ? .text(text) : nil }
            return type.attributes["in"] == nil ? .text(text) : nil
        case "int", "int32", "uint":
            guard let number = node.integer, fits(Double(number), type: type, unit: ""),
                name != "int32" || Int32(exactly: number) != nil, name != "uint" || number >= 0
            else { return nil }
            return .word("\(number)")
        case "double", "decimal":
            guard let digits = node.numberText, let number = node.double, number.isFinite,
                number == 0 || number.isNormal, fits(number, type: type, unit: ""),
                type.attributes["in"] == nil,
                name != "decimal" || digits.utf8.count < 30
            else { return nil }
            return .word(digits)
        case "bool": return node.boolean.map { .word("\($0)") }
        case "Date":
            if type.attributes["as"] == .text("unix") {
                return node.integer.flatMap {
                    (0...4_102_444_800).contains($0) ? .word("\($0)") : nil
                }
            }
            return DateSyntaxCheck.problem(of: text) == nil ? .text(text) : nil
        case "url": return URLSyntaxCheck.problem(of: text) == nil ? .text(text) : nil
        case "uuid": return text.isUUID ? .text(text) : nil
        default: return nil
        }
    }

    /// Whether a measure obeys the bounds of a type.
    private func fits(_ measure: Double, type: DraftType, unit: String) -> Bool {
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

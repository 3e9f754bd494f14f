import SpecIR

/// The reader of a model: one pass over the object's keys, one call a field.
extension SwiftWriter {
    mutating func reader(_ model: Model, _ fields: [Field]) {
        let ordered = fields.filter(\.isRequired) + fields.filter { !$0.isRequired }
        line()
        block("nonisolated extension \(model.qualifiedName): JSONReadable") { writer in
            writer.keys(ordered)
            writer.line()
            writer.line("/// Reads the value from a JSON object, checking what was received.")
            writer.block(
                "public static func read(from json: inout JSONReader) -> \(model.qualifiedName)?"
            ) { $0.readerBody(model, fields, ordered) }
        }
    }

    private mutating func keys(_ ordered: [Field]) {
        let nullable = ordered.filter { $0.value.isNullable && !$0.keepsNull }
        let sensitive = ordered.filter(\.isSensitive)
        var arguments: [Layout] = [
            .strings("required: ", ordered.filter(\.isRequired).map(\.key)),
            .strings("optional: ", ordered.filter { !$0.isRequired }.map(\.key)),
        ]
        if !nullable.isEmpty { arguments.append(.strings("nullable: ", nullable.map(\.key))) }
        if !sensitive.isEmpty { arguments.append(.strings("sensitive: ", sensitive.map(\.key))) }
        expression("private static let keys = ", .call("JSONKeys", arguments))
    }

    private mutating func readerBody(_ model: Model, _ fields: [Field], _ ordered: [Field]) {
        for field in fields { line(field.variable) }
        line("guard json.beginObject(Self.keys) else { return nil }")
        if fields.isEmpty {
            line("while json.nextField() != nil { json.skip() }")
        } else {
            block("while let field_ = json.nextField()") { writer in
                writer.switchBlock("field_") { $0.cases(ordered) }
            }
        }
        let unwrapped = fields.filter(\.needsUnwrapping).map { "let \($0.local)" }
        conditions(["json.endObject()"] + unwrapped, otherwise: "return nil")
        let arguments = fields.map { "\(Leaf.argument($0.name)): \($0.local)" }
        list("return \(model.qualifiedName)", arguments)
    }

    private mutating func cases(_ ordered: [Field]) {
        for (index, field) in ordered.enumerated() {
            let label = index == ordered.count - 1 ? "default" : "case \(index)"
            let key = Leaf.commentLines(field.key).joined(separator: " ")
            let isShown = !key.isEmpty && key.last != " " && fits("\(label):  // \(key)")
            line(isShown ? "\(label):  // \(key)" : "\(label):")
            indented { $0.readField(field) }
        }
    }

    private mutating func readField(_ field: Field) {
        guard field.keepsNull else { return read(field.value, into: field.local) }
        block("if json.isNull()", " else {") { $0.line("\(field.local) = .null") }
        indented { writer in
            writer.line("var value_: \(field.value.type.swift)?")
            writer.read(field.value, into: "value_")
            writer.line("\(field.local) = value_.map(Nullable.value)")
        }
        line("}")
    }
}

extension Field {
    /// Whether null and a missing key are told apart.
    fileprivate var keepsNull: Bool { value.isNullable && isOptional && !hasDefault }

    /// The variable that holds what was read. It is never one of those that the reader needs.
    fileprivate var local: String {
        Leaf.local(name, besides: ["json", "field_", "value_", "isRead"])
    }

    /// The variable's declaration, with the value it has until the field is read.
    fileprivate var variable: String {
        if let defaultValue, hasDefault {
            return "var \(local): \(swift) = \(defaultValue.swift(value.type))"
        }
        if isSwiftOptional { return "var \(local): \(swift)" }
        guard let neutral = value.type.neutral else { return "var \(local): \(swift)?" }
        return "var \(local) = \(neutral)"
    }

    /// Whether the variable is an optional although the property is not.
    fileprivate var needsUnwrapping: Bool {
        !isSwiftOptional && !hasDefault && value.type.neutral == nil
    }
}

import SpecIR

/// Writes the reader of a model: one pass over the object's keys, one call per field.
extension SwiftWriter {
    mutating func reader(_ model: Model, _ fields: [Field]) {
        line()
        block(model.extensionHead("JSONReadable")) { writer in
            writer.block(
                "public static func read(from json: inout JSONReader) -> \(model.qualifiedName)?"
            ) { $0.readerBody(model, fields: fields) }
        }
    }

    /// Writes the call that enters an object with these members.
    private mutating func enterObject(
        _ members: ReaderMembers, unknown: String? = nil, isArray: Bool = false
    ) {
        // One literal for all keys is far less code than an array of them.
        let isText = (members.required + members.optional).allSatisfy {
            !$0.isEmpty && !$0.utf8.contains(0x20)
        }
        let list = { (label: String, keys: [String]) -> Layout in
            isText ? .string(label, keys.joined(separator: " ")) : .strings(label, keys)
        }
        var arguments = [
            list("required: ", members.required), list("optional: ", members.optional),
        ]
        let (nullable, sensitive) = (members.nullable, members.sensitive)
        if !nullable.isEmpty || !sensitive.isEmpty || unknown != nil {
            arguments += [list("nullable: ", nullable), list("sensitive: ", sensitive)]
        }
        if let unknown { arguments.append(.text("unknown: .\(unknown)")) }
        let enter = isArray ? "json.enterArray" : "json.enterObject"
        let keys = Layout.call(isText ? enter : "JSONKeys", arguments)
        expression("", isText ? keys : .call(enter, [keys]))
    }

    private mutating func readerBody(_ model: Model, fields: [Field]) {
        let members = ReaderMembers(fields)
        enterObject(members, unknown: model.unknownKeys, isArray: model.isArray)
        for field in fields { line(field.variable(in: model)) }
        for flag in members.flags { line("var \(flag) = false") }
        readMembers(members)
        let arguments = fields.map { "\(SwiftLiteral.argument($0.name)): \($0.consumed($0.local))" }
        let unwrapped = fields.filter { $0.needsUnwrapping(in: model) }.map { "let \($0.local)" }
        let rules = model.rules.filter { $0.isChecked(sent: false) }
        if unwrapped.isEmpty, rules.isEmpty {
            let value = Layout.call(model.qualifiedName, arguments.map(Layout.text))
            expression("return ", .call("json.endObject", [value]))
        } else {
            conditions(["json.endObject()"] + unwrapped, otherwise: "return nil")
            let value = Layout.call(model.qualifiedName, arguments.map(Layout.text))
            if rules.isEmpty { return expression("return ", value) }
            expression("let result = ", value)
            let operands = fields.map { RuleTermEmitter.Operand($0, of: "result") }
            crossRules(rules, sent: false, checker: "json", operands)
            line("return result")
        }
    }

    /// Writes the loop over the members of an object, and reports missing nested objects.
    private mutating func readMembers(_ members: ReaderMembers) {
        if members.all.isEmpty {
            line("while json.nextField() != nil { json.skip() }")
        } else {
            block("while let index = json.nextField()") { writer in
                writer.switchBlock("index") { $0.cases(members.all) }
            }
        }
        for member in members.all {
            guard case .step(let key, let inner, let flag?) = member else { continue }
            block("if !\(flag)") { writer in
                for path in inner.requiredPaths {
                    writer.line("json.missing(\(SwiftLiteral.strings([key] + path)))")
                }
            }
        }
    }

    private mutating func readStep(_ inner: ReaderMembers, flag: String?) {
        if let flag { line("\(flag) = true") }
        enterObject(inner)
        readMembers(inner)
        line("json.endStep(isRequired: \(flag != nil))")
    }

    private mutating func cases(_ members: [ReaderMembers.Member]) {
        for (index, member) in members.enumerated() {
            let label = index == members.count - 1 ? "default:" : "case \(index):"
            branch(label, comment: member.comment) { writer in
                switch member {
                case .field(let field): writer.readField(field)
                case .step(_, let inner, let flag): writer.readStep(inner, flag: flag)
                }
            }
        }
    }

    private mutating func readField(_ field: Field) {
        if field.isAdditional, case .map(_, let value) = field.value.type {
            return readAdditional(value, into: field.local)
        }
        if field.value.isNullable, field.missingValue != nil {
            block("if json.isNull()", tail: " else {") { $0.line("\(field.local) = nil") }
            indented { $0.read(field.value, into: field.local) }
            line("}")
            return
        }
        guard field.keepsNull else { return read(field.value, into: field.local) }
        block("if json.isNull()", tail: " else {") { $0.line("\(field.local) = .null") }
        indented { writer in
            writer.line("var result: \(field.value.type.swift)?")
            writer.read(field.value, into: "result")
            writer.line("\(field.local) = result.map(Nullable.value)")
        }
        line("}")
    }
}

extension ReaderMembers.Member {
    /// The key, unless the variable's name says it.
    fileprivate var comment: String? {
        let key = SwiftLiteral.commentLines(key).joined(separator: " ")
        if isAdditional || key.isEmpty || key.last == " " { return nil }
        if case .field(let field) = self, Markup.repeats(key, field.name) { return nil }
        return key
    }
}

extension Model {
    /// What the reader does with keys that the model has no field for, if it does not skip them.
    fileprivate var unknownKeys: String? {
        guard case .object(let fields) = kind else { return nil }
        if let additional = fields.first(where: \.isAdditional) {
            return additional.isSensitive ? "keptSensitive" : "kept"
        }
        return isClosed ? "refused" : nil
    }
}

extension Field {
    /// The variable for the read value. It never collides with the reader's own variables.
    fileprivate var local: String {
        let name = name.hasPrefix(ReaderMembers.flag) ? name + "_" : name
        return SwiftLiteral.local(name, besides: ["json", "index", "result", "isRead"])
    }

    /// The variable's declaration, with its initial value.
    fileprivate func variable(in model: Model) -> String {
        if let missingValue {
            return "var \(local): \(swift) = \(missingValue.swift(value.type))"
        }
        if isSwiftOptional { return "var \(local): \(swift)" }
        guard let initialValue = initialValue(in: model) else { return "var \(local): \(swift)?" }
        return "var \(local) = \(initialValue)"
    }

    /// Whether the variable is an optional although the property is not.
    fileprivate func needsUnwrapping(in model: Model) -> Bool {
        !isSwiftOptional && !hasDefault && initialValue(in: model) == nil
    }

    /// The initial value of the variable: of the type, or of a small nested model.
    private func initialValue(in model: Model) -> String? {
        if let initialValue = value.type.initialValue { return initialValue }
        guard case .object(let name) = value.type else { return nil }
        return model.nested.first { $0.qualifiedName == name }?.initialValue
    }
}

extension Model {
    /// The model with initial values, if it has at most four fields without defaults.
    fileprivate var initialValue: String? {
        guard case .object(let fields) = kind else { return nil }
        let given = fields.filter { !$0.isSwiftOptional && !$0.hasDefault }
        let arguments = given.compactMap { field in
            field.value.type.initialValue.map { "\(SwiftLiteral.argument(field.name)): \($0)" }
        }
        guard arguments.count == given.count, given.count <= 4 else { return nil }
        return "\(qualifiedName)(\(arguments.joined(separator: ", ")))"
    }
}

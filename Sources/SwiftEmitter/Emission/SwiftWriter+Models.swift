import SpecIR

/// Writes models: the type, its reader, its writer.
extension SwiftWriter {
    /// Writes a model and its extensions.
    mutating func model(_ model: Model) {
        if let use = model.generic {
            for structure in use.declaration {
                self.model(structure)
                line()
            }
            return line("public typealias \(model.name) = \(use.structure)<\(use.argument)>")
        }
        declaration(model, access: "nonisolated public")
        extensions(of: model)
    }

    /// Writes the declaration; nested types inherit the isolation.
    private mutating func declaration(_ model: Model, access: String = "public") {
        var comment = DocComment(
            model.documentation,
            otherwise: Markup.repeats(model.apiName, model.name, atEnd: true)
                ? nil : Markup.code(model.apiName))
        comment.rules(model.rules)
        comment.examples(model.documentation.examples)
        comment.end(model.documentation)
        comment.write(to: &self)
        switch model.kind {
        case .object(let fields): object(model, fields: fields, access: access)
        case .enumeration(let values):
            enumeration(model.name, values: values, protocols: model.protocols, access: access)
        case .union(let union): self.union(model, union, access: access)
        }
    }

    /// Writes the extensions at the top level, also those of nested types.
    private mutating func extensions(of model: Model) {
        if case .object(let fields) = model.kind {
            if model.isRead { reader(model, fields) }
            if model.isWritten { writer(model, fields) }
            if let reflection = model.reflection {
                mirror(model, fields: fields, reflection: reflection)
            }
        }
        if case .union(let union) = model.kind {
            if model.isRead { reader(model, union) }
            if model.isWritten { writer(model, union) }
            if model.reflection != nil { mirror(model, union) }
        }
        joins(model)
        for nested in model.nested { extensions(of: nested) }
    }

    // MARK: Objects

    private mutating func object(_ model: Model, fields: [Field], access: String) {
        block("\(access) struct \(model.name)\(model.parameterClause): \(model.protocols)") {
            writer in
            for field in fields { writer.property(field) }
            if !fields.isEmpty { writer.line() }
            writer.initializer(fields)
            writer.nested(in: model)
        }
    }

    /// Writes the types declared inside a model.
    mutating func nested(in model: Model) {
        for nested in model.nested {
            line()
            declaration(nested)
        }
    }

    private mutating func property(_ field: Field) {
        var comment = DocComment(
            field.documentation, key: field.shownKey, name: field.name)
        let constraintText = field.constraintText
        if !constraintText.isEmpty { comment.paragraph(constraintText.joined(separator: " ")) }
        comment.end(field.documentation)
        comment.write(to: &self)
        let name = SwiftLiteral.identifier(field.name)
        guard field.isIndirect else {
            line("public var \(name): \(Self.stored(field.swift))")
            return
        }
        block("public var \(name): \(field.swift)") { writer in
            writer.line("get { \(field.storage)\(field.isSwiftOptional ? "?" : "").value }")
            writer.line("set { \(field.storage) = \(field.box("newValue")) }")
        }
        line("private var \(field.storage): \(Self.stored(field.storedType))")
    }

    /// The type of a stored property. Swift sets one of type `T?` to nil before the initializer
    /// assigns it, unlike one of type `Optional<T>`. This takes code for each field, and keeps the
    /// optimizer from building a value in place: a reader would copy each model.
    private static func stored(_ type: String) -> String {
        type.hasSuffix("?") ? "Optional<\(type.dropLast())>" : type
    }

    private mutating func initializer(_ fields: [Field]) {
        list("public init", fields.map(\.swiftDeclaration), tail: " {")
        indented { writer in
            for field in fields {
                let name = SwiftLiteral.identifier(field.name)
                if field.isIndirect {
                    writer.line("self.\(field.storage) = \(field.box(name))")
                } else {
                    writer.line("self.\(SwiftLiteral.member(field.name)) = \(field.consumed(name))")
                }
            }
        }
        line("}")
    }

    // MARK: Enumerations

    /// Writes an open enumeration: a structure around the raw value, known values as statics.
    mutating func enumeration(
        _ type: String, values: Enumeration, protocols: String = "OpenEnum",
        access: String = "public"
    ) {
        let raw = values.isInteger ? "Int" : "String"
        block("\(access) struct \(type): \(protocols)") { writer in
            writer.line("public let rawValue: \(raw)")
            writer.line("public init(rawValue: \(raw)) { self.rawValue = rawValue }")
            if !values.cases.isEmpty { writer.line() }
            for value in values.cases {
                var comment = DocComment(
                    value.documentation, key: value.value, name: value.name)
                comment.end(value.documentation)
                comment.write(to: &writer)
                let literal =
                    values.isInteger
                    ? SwiftLiteral.integer(value.value) : SwiftLiteral.string(value.value)
                let head = "public static var \(SwiftLiteral.identifier(value.name)): \(type) {"
                writer.oneLineBlock(head, .text("\(type)(rawValue: \(literal))"))
            }
            writer.line()
            writer.allKnown(values, type)
        }
    }

    private mutating func allKnown(_ values: Enumeration, _ type: String) {
        // An error code may have several names.
        var known: Set<String> = []
        let cases = values.cases.filter { known.insert($0.value).inserted }
            .map { Layout.text("." + SwiftLiteral.member($0.name)) }
        oneLineBlock("public static var allKnown: [\(type)] {", .array("", cases))
    }

    // MARK: Writer

    private mutating func writer(_ model: Model, _ fields: [Field]) {
        line()
        block(model.extensionHead("JSONWritable")) { writer in
            writer.block("public func write(to json: inout JSONWriter)") { writer in
                writer.line(model.isArray ? "json.beginPositions()" : "json.beginObject()")
                for field in fields where !field.isAdditional {
                    writer.writeField(
                        field.key, value: field.value, expression: field.writtenExpression,
                        checked: field.checkedExpression, isSensitive: field.isSensitive)
                }
                if let field = fields.first(where: \.isAdditional) {
                    writer.writeAdditional(
                        field, besides: fields.filter { !$0.isAdditional }.map(\.key))
                }
                writer.line(model.isArray ? "json.endArray()" : "json.endObject()")
                let operands = fields.map { RuleTermEmitter.Operand($0, of: "self") }
                writer.crossRules(model.rules, sent: true, checker: "json", operands)
            }
        }
    }

    // MARK: Mirror

    /// Writes the mirror of the model, without sensitive values.
    private mutating func mirror(
        _ model: Model, fields: [Field], reflection: Model.Reflection
    ) {
        line()
        block("nonisolated extension \(model.qualifiedName): \(reflection.rawValue)") { writer in
            writer.line("/// A mirror without the values of sensitive fields.")
            writer.block("public var customMirror: Mirror") { writer in
                let children = fields.map { field in
                    let value =
                        field.isSensitive
                        ? "Redacted.text" : "self.\(SwiftLiteral.member(field.name)) as Any"
                    return Layout.text("\(SwiftLiteral.string(field.name)): \(value)")
                }
                var arguments: [Layout] = [.text("self"), .array("children: ", children)]
                if reflection == .mirror { arguments.append(.text("displayStyle: .struct")) }
                writer.expression("", .call("Mirror", arguments))
            }
        }
    }
}

extension Field {
    /// The stored property of a boxed field.
    var storage: String { "_" + name }

    /// The key with those of the objects around it.
    fileprivate var shownKey: String { path.joined(separator: ".") }

    /// The type of the stored property of a boxed field.
    fileprivate var storedType: String {
        isSwiftOptional ? "Indirect<\(swift.dropLast())>?" : "Indirect<\(swift)>"
    }

    /// Puts the value of a variable into a box.
    fileprivate func box(_ variable: String) -> String {
        isSwiftOptional ? "\(variable).map(Indirect.init)" : "Indirect(\(variable))"
    }

    /// The expression of the member's value. Null is encoded, an absent value is not.
    var writtenExpression: String {
        let name = "self." + SwiftLiteral.member(name)
        return value.isNullable && (!isOptional || hasDefault) ? "Nullable(\(name))" : name
    }

    /// The expression of the value that rules check.
    var checkedExpression: String {
        let name = "self." + SwiftLiteral.member(name)
        return value.isNullable && isOptional && !hasDefault ? name + "?.optional" : name
    }
}

extension Model {
    /// The type parameter in the declaration of the type.
    fileprivate var parameterClause: String { parameter.map { "<\($0): Sendable>" } ?? "" }

    /// The head of the extension in which it reads or writes JSON.
    func extensionHead(_ name: String) -> String {
        "nonisolated extension \(qualifiedName): \(name)"
            + (parameter.map { " where \($0): \(name)" } ?? "")
    }

    /// The protocols in the declaration of the type.
    var protocols: String {
        if case .enumeration = kind {
            return conformances.contains(.codable) ? "OpenEnum, Codable" : "OpenEnum"
        }
        // A model is coded by its own reader and writer, not by those that Swift derives.
        let names = conformances.map { $0 == .codable ? "JSONCodable" : $0.rawValue }
        return (["Sendable"] + names).joined(separator: ", ")
    }

    /// The protocol that customises how a model is shown.
    enum Reflection: String {
        case description = "RedactedDescription"
        case mirror = "CustomReflectable"
    }

    /// `nil` if the model has no sensitive fields, or keeps no unknown alternative that may be
    /// sensitive.
    var reflection: Reflection? {
        if case .union(let union) = kind {
            return union.redactsUnknown && !union.isClosed ? .description : nil
        }
        guard case .object(let fields) = kind else { return nil }
        guard fields.contains(where: \.isSensitive) else { return nil }
        // A field called `description` would replace the description of the value, so only the
        // mirror is customised.
        let isShadowed = fields.contains { ["description", "debugDescription"].contains($0.name) }
        return isShadowed ? .mirror : .description
    }
}

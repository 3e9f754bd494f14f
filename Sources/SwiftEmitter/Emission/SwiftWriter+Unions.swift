import SpecIR

/// Writes unions: an enumeration with a case for each alternative, its reader, its writer.
extension SwiftWriter {
    mutating func union(_ model: Model, _ union: Union, access: String) {
        block("\(access) enum \(model.name): \(model.protocols)") { writer in
            for item in union.cases {
                var comment = DocComment(
                    item.documentation, key: item.apiName, name: item.name)
                comment.end(item.documentation)
                comment.write(to: &writer)
                let head = item.isIndirect ? "indirect case" : "case"
                writer.line("\(head) \(SwiftLiteral.identifier(item.name))(\(item.value.swift))")
            }
            if !union.isClosed {
                writer.line(
                    "/// An alternative that the API's description does not have. It cannot be sent."
                )
                writer.line("case unknown(JSONValue)")
            }
            writer.nested(in: model)
        }
    }

    // MARK: Reader

    mutating func reader(_ model: Model, _ union: Union) {
        line()
        block("nonisolated extension \(model.qualifiedName): JSONReadable") { writer in
            writer.block(
                "public static func read(from json: inout JSONReader) -> \(model.qualifiedName)?"
            ) { $0.readerBody(union) }
        }
    }

    private mutating func readerBody(_ union: Union) {
        switch union.discriminator {
        case .key(let key), .content(_, let key):
            readTagged(
                union, call: "json.tag", key: [.text(SwiftLiteral.string(key))], cases: union.cases)
        case .onlyKey: readTagged(union, call: "json.onlyKey", key: [], cases: union.cases)
        case .kind(let objects): readByKind(union, objects)
        }
    }

    /// Writes a switch over the tag of an object.
    private mutating func readTagged(
        _ union: Union, call: String, key: [Layout], cases: [UnionCase]
    ) {
        var arguments = key
        if union.tagsAreIntegers, !key.isEmpty { arguments.append(.text("from: .int")) }
        if union.isClosed { arguments.append(.strings("known: ", cases.map(\.tag))) }
        switchOver("tag", cases: .call(call, arguments)) { writer in
            for item in cases {
                writer.branch("case \(SwiftLiteral.string(item.tag))?:") {
                    $0.readAlternative(item, in: union)
                }
            }
            if union.isClosed {
                writer.line("default: return nil")
            } else {
                writer.line("case nil: return nil")
                writer.line("default: return json.value().map(Self.unknown)")
            }
        }
    }

    /// Writes a switch over the kind of JSON.
    private mutating func readByKind(_ union: Union, _ objects: Union.Objects) {
        let objectCases = union.cases.filter { $0.kinds == [.object] }
        let isSplit = objects != .one
        let expected = Set(union.cases.flatMap(\.kinds)).sorted().map(\.words)
            .joined(separator: " or ")
        let refusal = "json.refuse(expected: \(SwiftLiteral.string(expected)))"
        switchBlock("json.kind") { writer in
            for item in union.cases where !isSplit || item.kinds != [.object] {
                let kinds = item.kinds.sorted().map { ".\($0.rawValue)?" }
                if kinds.isEmpty { continue }
                writer.branch("case \(kinds.joined(separator: ", ")):") {
                    $0.readAlternative(item, in: union)
                }
            }
            if isSplit {
                writer.line("case .object?:")
                writer.indented { $0.readObject(union, objects: objects, cases: objectCases) }
            }
            if !union.isClosed {
                writer.line("case .null?, nil: return \(refusal)")
                if Set(union.cases.flatMap(\.kinds)).count < JSONShape.allCases.count {
                    writer.line("default: return json.value().map(Self.unknown)")
                }
            } else {
                writer.line("default: return \(refusal)")
            }
        }
    }

    /// Writes a switch over what tells objects apart.
    private mutating func readObject(_ union: Union, objects: Union.Objects, cases: [UnionCase]) {
        if case .key(let key) = objects {
            return readTagged(
                union, call: "json.tag", key: [.text(SwiftLiteral.string(key))], cases: cases)
        }
        let keys = cases.map(\.tag)
        let isText = keys.allSatisfy { !$0.isEmpty && !$0.utf8.contains(0x20) }
        let list: Layout =
            isText
            ? .string("among: ", keys.joined(separator: " "))
            : .call("among: JSONKeys", [.strings("required: ", keys)])
        switchOver("key", cases: .call("json.firstKey", [list])) { writer in
            for (index, item) in cases.enumerated() {
                writer.branch("case \(index)?:") { $0.readAlternative(item, in: union) }
            }
            let expected = "an object with one of the keys \(keys.joined(separator: ", "))"
            writer.line(
                union.isClosed
                    ? "default: return json.refuse(expected: \(SwiftLiteral.string(expected)))"
                    : "default: return json.value().map(Self.unknown)")
        }
    }

    /// Writes a switch over a call, whose result gets a name if the call is too long for one line.
    private mutating func switchOver(
        _ name: String, cases call: Layout, _ body: (inout SwiftWriter) -> Void
    ) {
        if fits("switch \(call.flat) {") { return switchBlock(call.flat, body) }
        expression("let \(name) = ", call)
        switchBlock(name, body)
    }

    /// Writes the statements that read one alternative and return it.
    private mutating func readAlternative(_ item: UnionCase, in union: Union) {
        let name = "Self.\(SwiftLiteral.member(item.name))"
        let key: String?
        var only = ""
        switch union.discriminator {
        case .content(let content, _): key = content ?? item.tag
        case .onlyKey:
            key = item.tag
            only = ", isOnly: true"
        case .key, .kind: key = nil
        }
        guard let key else {
            if let expression = item.value.readExpression {
                return line("return \(expression).map(\(name))")
            }
            line("var item: \(item.value.type.swift)?")
            read(item.value, into: "item")
            return line("return item.map(\(name))")
        }
        let call = "json.content(\(SwiftLiteral.string(key))\(only))"
        if item.value.isPlain { return line("return \(call).map(\(name))") }
        closure("let content = \(call) { json -> \(item.value.swift)? in") {
            $0.readElement(item.value)
        }
        line("return content.map(\(name))")
    }

    // MARK: Writer

    mutating func writer(_ model: Model, _ union: Union) {
        line()
        block("nonisolated extension \(model.qualifiedName): JSONWritable") { writer in
            writer.block("public func write(to json: inout JSONWriter)") { writer in
                writer.switchBlock("self") { writer in
                    for item in union.cases {
                        let head = "case .\(SwiftLiteral.member(item.name))(let value):"
                        writer.branch(head) { $0.writeAlternative(item, in: union) }
                    }
                    if !union.isClosed {
                        writer.line("case .unknown(let value): json.unknownAlternative(value)")
                    }
                }
            }
        }
    }

    private mutating func writeAlternative(_ item: UnionCase, in union: Union) {
        if let call = item.writingCall(in: union) { return expression("", call) }
        switch union.discriminator {
        case .kind:
            writeValue(item.value, "value")
            sentChecks(item.value, checker: "json", expression: "value")
        case .key(let key):
            if item.tagField == nil {
                line("json.tag(\(SwiftLiteral.string(key)), \(item.tagLiteral(in: union)))")
            }
            line("json.value(value)")
            if let check = item.tagCheck { line(check) }
        case .content(let content, let tag):
            line("json.beginObject()")
            line("json.field(\(SwiftLiteral.string(tag)), \(item.tagLiteral(in: union)))")
            writeContent(item, key: content ?? item.tag)
        case .onlyKey:
            line("json.beginObject()")
            writeContent(item, key: item.tag)
        }
    }

    private mutating func writeContent(_ item: UnionCase, key: String) {
        let value = item.value.isNullable ? "Nullable(value)" : "value"
        writeField(key, value: item.value, expression: value, checked: "value", isSensitive: false)
        line("json.endObject()")
    }

    // MARK: Mirror

    /// Writes the mirror of a union whose unknown alternatives may be sensitive.
    mutating func mirror(_ model: Model, _ union: Union) {
        line()
        block("nonisolated extension \(model.qualifiedName): RedactedDescription") { writer in
            writer.line("/// A mirror without the value of an unknown alternative.")
            writer.block("public var customMirror: Mirror") { writer in
                writer.switchBlock("self") { writer in
                    for item in union.cases {
                        writer.line("case .\(SwiftLiteral.member(item.name))(let value):")
                        let child = Layout.text(
                            "\(SwiftLiteral.string(item.name)): value as Any")
                        writer.indented {
                            $0.expression(
                                "",
                                .call("Mirror", [.text("self"), .array("children: ", [child])]))
                        }
                    }
                    writer.line("case .unknown:")
                    writer.indented {
                        $0.line("Mirror(self, children: [\"unknown\": Redacted.text])")
                    }
                }
            }
        }
    }
}

extension UnionCase {
    /// The tag as an expression.
    fileprivate func tagLiteral(in union: Union) -> String {
        union.tagsAreIntegers ? SwiftLiteral.integer(tag) : SwiftLiteral.string(tag)
    }

    /// The call that writes the alternative; nil if one call does not suffice.
    fileprivate func writingCall(in union: Union) -> Layout? {
        guard case .object = value.type, value.from == .native, !value.isNullable, tagCheck == nil
        else { return nil }
        let (content, key): (String?, String?) =
            switch union.discriminator {
            case .key(let key): (nil, tagField == nil ? key : nil)
            case .content(let content, let key): (content ?? tag, key)
            case .onlyKey: (tag, nil)
            case .kind: (nil, nil)
            }
        var arguments: [Layout] = [.text("value")]
        if let content { arguments.append(.string("in: ", content)) }
        if let key {
            arguments += [.text("tag: \(tagLiteral(in: union))"), .string("at: ", key)]
        }
        return .call(content == nil ? "json.value" : "json.content", arguments)
    }

    /// The statement that compares a field with the tag, unless its type allows no other value.
    fileprivate var tagCheck: String? {
        guard let field = tagField, field.constant == nil else { return nil }
        let name = "value." + SwiftLiteral.member(field.name)
        let literal: String =
            switch field.value.type {
            case .enumeration(let type, let isInteger):
                "\(type)(rawValue: "
                    + (isInteger ? SwiftLiteral.integer(tag) : SwiftLiteral.string(tag)) + ")"
            case .integer: SwiftLiteral.integer(tag)
            default: SwiftLiteral.string(tag)
            }
        return "json.constant(\(name), \(literal))"
    }
}

extension Value {
    /// The expression that reads a whole value; `nil` if one expression does not suffice.
    fileprivate var readExpression: String? {
        guard isPlain else { return nil }
        return switch type {
        case .list: "json.list()"
        case .map: "json.dictionary()"
        default: "json.value()"
        }
    }
}

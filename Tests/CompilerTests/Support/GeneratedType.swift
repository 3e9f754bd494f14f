import TestSupport

/// A random type of a spec, and replies of it.
indirect enum GeneratedType {
    case scalar(type: String, values: [String])
    /// A list, with a rule that limits its elements.
    case list(GeneratedType, least: Int, most: Int)
    case map(GeneratedType, most: Int)
    case object(name: String, [Field])
    case union(name: String, form: Form, [(tag: String, type: GeneratedType)])

    struct Field {
        let key: String
        let isOptional: Bool
        let isNullable: Bool
        /// The keys of the nested objects that hold it.
        var steps: [String] = []
        let type: GeneratedType
    }

    /// How the alternatives of a union are told apart.
    enum Form: CaseIterable { case tag, content, named, onlyKey, constant, ownKey, kind }

    private static let scalars: [(String, [String])] = [
        ("int", ["0", "7", "-3"]), ("string", [#""a""#, #""""#, #""x y""#]),
        ("double", ["1.5", "2", "-0.25", "10"]), ("bool", ["true", "false"]),
        ("uuid", [#""3fa85f64-5717-4562-b3fc-2c963f66afa6""#]),
        ("url", [#""https://a.example/b""#, #""https://a.example/?token=abc""#]),
        ("json", ["null", "[]", #"{"a": 1}"#, "3"]),
        ("{ type: string, min-length: 8 }", [#""12345678""#, #""abcdefghij""#]),
        ("{ enum: [red, green] }", [#""red""#, #""green""#]),
        ("{ type: int, from: either }", ["1", #""2""#]),
        ("{ type: Date, as: unix }", ["1700000000"]),
    ]
    private static let keys = [
        "id", "name", "token", "password", "data", "items", "size", "note", "a", "b",
    ]

    /// - Parameter depth: How many lists, objects and unions may be inside each other.
    static func random(depth: Int, _ names: inout Int, _ random: inout SeededGenerator) -> Self {
        switch depth > 0 ? Int.random(in: 0..<9, using: &random) : 0 {
        case 0, 1:
            let (type, values) = scalars[Int.random(in: 0..<scalars.count, using: &random)]
            return .scalar(type: type, values: values)
        case 2, 3:
            let least = [0, 0, 0, 2].randomElement(using: &random) ?? 0
            return .list(
                self.random(depth: depth - 1, &names, &random), least: least,
                most: least + (Bool.random(using: &random) ? 1 : 9))
        case 4:
            return .map(
                self.random(depth: depth - 1, &names, &random),
                most: Bool.random(using: &random) ? 2 : 9)
        case 5, 6: return object(depth, &names, &random)
        default: return union(depth, &names, &random)
        }
    }

    private static func object(
        _ depth: Int, _ names: inout Int, _ random: inout SeededGenerator
    ) -> Self {
        names += 1
        let name = "Object\(names)"
        let keys = keys.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
        return .object(
            name: name,
            keys.map { key in
                Field(
                    key: key, isOptional: Int.random(in: 0..<3, using: &random) == 0,
                    isNullable: Int.random(in: 0..<4, using: &random) == 0,
                    steps: Int.random(in: 0..<8, using: &random) == 0 ? ["in_\(key)"] : [],
                    type: self.random(depth: depth - 1, &names, &random))
            })
    }

    private static func union(
        _ depth: Int, _ names: inout Int, _ random: inout SeededGenerator
    ) -> Self {
        names += 1
        let name = "Union\(names)"
        let form = Form.allCases.randomElement(using: &random) ?? .tag
        if form == .kind {
            return .union(
                name: name, form: form,
                [
                    ("", object(depth - 1, &names, &random)),
                    ("", .scalar(type: "string", values: [#""x""#])),
                    ("", .list(object(0, &names, &random), least: 0, most: 9)),
                ])
        }
        let hasAnyType = [.content, .named, .onlyKey].contains(form)
        return .union(
            name: name, form: form,
            (0..<Int.random(in: 2...4, using: &random)).map { index in
                let type =
                    hasAnyType
                    ? self.random(depth: depth - 1, &names, &random)
                    : object(depth - 1, &names, &random)
                return ("t\(index)_\(names)", type)
            })
    }

    // MARK: Spec

    /// The type as a spec writes it where it is used; models are added.
    func text(_ models: inout [String]) -> String {
        switch self {
        case .scalar(let type, _): return type
        case .list(let element, let least, let most):
            let name = alias(of: element, &models)
            var rules = least > 0 ? ", min-items: \(least)" : ""
            if most < 9 { rules += ", max-items: \(most)" }
            return "{ type: [\(name)]\(rules) }"
        case .map(let value, let most):
            let rules = most < 9 ? ", max-keys: \(most)" : ""
            return "{ type: \"{string: \(alias(of: value, &models))}\"\(rules) }"
        case .object(let name, let fields):
            models.append("  \(name):\n    fields:\n\(Self.lines(fields, &models))")
            return name
        case .union(let name, let form, let cases):
            return union(name, form, cases, &models)
        }
    }

    private static func lines(_ fields: [Field], _ models: inout [String]) -> String {
        fields.map { field in
            var text = field.type.text(&models)
            var attributes: [String] = []
            if field.isOptional { attributes.append("optional: true") }
            if field.isNullable { attributes.append("nullable: true") }
            if !field.steps.isEmpty {
                let path = (field.steps + [field.key]).joined(separator: ".")
                attributes += ["at: \(path)", "only: reply"]
            }
            if !attributes.isEmpty {
                let inner =
                    text.hasPrefix("{ ") ? String(text.dropFirst(2).dropLast(2)) : "type: \(text)"
                text = "{ \(([inner] + attributes).joined(separator: ", ")) }"
            }
            return "      \(field.key): \(text)\n"
        }.joined()
    }

    /// A name for the type in brackets: its own, or that of an alias.
    private func alias(of type: GeneratedType, _ models: inout [String]) -> String {
        let text = type.text(&models)
        guard text.hasPrefix("{") else { return text }
        let name = "Alias\(models.count)"
        models.append("  \(name): \(text)\n")
        return name
    }

    private func union(
        _ name: String, _ form: Form, _ cases: [(tag: String, type: GeneratedType)],
        _ models: inout [String]
    ) -> String {
        var lines = "  \(name):\n    one-of:\n"
        for (tag, type) in cases {
            guard case .object(let model, let fields) = type, [.constant, .ownKey].contains(form)
            else {
                let name = alias(of: type, &models)
                lines += form == .kind ? "      - \(name)\n" : "      \(tag): \(name)\n"
                continue
            }
            let own = form == .constant ? "kind: { const: \(tag) }" : "\(tag): int"
            models.append(
                "  \(model):\n    fields:\n      \(own)\n\(Self.lines(fields, &models))")
            lines += "      - \(model)\n"
        }
        switch form {
        case .tag: lines += "    tag: type\n"
        case .content: lines += "    tag: type\n    content: data\n"
        case .named: lines += "    tag: type\n    content: $tag\n"
        case .onlyKey: lines += "    tag: $key\n"
        case .constant, .ownKey, .kind: break
        }
        models.append(lines)
        return name
    }

    // MARK: Replies

    /// A value of the type as JSON.
    func reply(_ random: inout SeededGenerator) -> String {
        switch self {
        case .scalar(_, let values): return values.randomElement(using: &random) ?? "null"
        case .list(let element, let least, let most):
            let count = Int.random(in: least...min(most, least + 4), using: &random)
            return "[\((0..<count).map { _ in element.reply(&random) }.joined(separator: ", "))]"
        case .map(let value, let most):
            let keys = ["k", "l", "m", "n"].shuffled(using: &random)
                .prefix(Int.random(in: 0...min(most, 4), using: &random))
            return Self.object(keys.map { "\"\($0)\": \(value.reply(&random))" })
        case .object(_, let fields): return Self.object(Self.members(fields, &random))
        case .union(_, let form, let cases):
            guard let (tag, type) = cases.randomElement(using: &random) else { return "null" }
            switch form {
            case .kind: return type.reply(&random)
            case .onlyKey: return "{\"\(tag)\": \(type.reply(&random))}"
            case .content: return "{\"type\": \"\(tag)\", \"data\": \(type.reply(&random))}"
            case .named: return "{\"type\": \"\(tag)\", \"\(tag)\": \(type.reply(&random))}"
            case .tag, .constant, .ownKey:
                guard case .object(_, let fields) = type else { return "null" }
                let key = form == .tag ? "type" : form == .constant ? "kind" : tag
                let own = "\"\(key)\": " + (form == .ownKey ? "1" : "\"\(tag)\"")
                return Self.object(([own] + Self.members(fields, &random)).shuffled(using: &random))
            }
        }
    }

    private static func object(_ members: [String]) -> String {
        "{\(members.joined(separator: ", "))}"
    }

    private static func members(
        _ fields: [Field], _ random: inout SeededGenerator
    ) -> [String] {
        fields.compactMap { field in
            if field.isOptional, Bool.random(using: &random) { return nil }
            let isNull = field.isNullable && Bool.random(using: &random)
            let value = "\"\(field.key)\": \(isNull ? "null" : field.type.reply(&random))"
            return field.steps.reversed().reduce(value) { "\"\($1)\": {\($0)}" }
        }
    }
}

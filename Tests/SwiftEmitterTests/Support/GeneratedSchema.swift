import TestSupport

/// A random type, as a spec and as a JSON Schema (draft 2020-12) of the same meaning.
struct GeneratedSchema {
    /// The type in YAML, in flow style.
    let yaml: String
    /// The JSON Schema.
    let json: String
    /// Makes the JSON text of a value, valid or not.
    let value: (inout SeededGenerator) -> String

    /// Values of no particular type, of which most are invalid.
    private static let strays = ["null", "true", "7", "-1.5", "\"x\"", "[]", "{}", "[[]]"]

    /// - Parameter depth: How many lists, maps and objects may be inside each other.
    static func random(_ depth: Int, using random: inout SeededGenerator) -> GeneratedSchema {
        let makers = depth > 0 ? scalars + [list, list, map, object] : scalars
        let schema =
            makers.randomElement(using: &random)?(depth - 1, &random) ?? boolean(0, &random)
        return Int.random(in: 0..<6, using: &random) == 0 ? schema.nullable : schema
    }

    private typealias Maker = @Sendable (Int, inout SeededGenerator) -> GeneratedSchema

    private static let scalars: [Maker] = [integer, number, text, pattern, choice, boolean, union]

    /// The type with attributes and keywords beside its own.
    private init(
        _ yaml: [String], _ json: [String], _ value: @escaping (inout SeededGenerator) -> String
    ) {
        self.yaml = "{ \(yaml.joined(separator: ", ")) }"
        self.json = "{\(json.joined(separator: ","))}"
        self.value = { random in
            Int.random(in: 0..<8, using: &random) == 0
                ? Self.strays.randomElement(using: &random) ?? "null" : value(&random)
        }
    }

    private var nullable: GeneratedSchema {
        let value = self.value
        return GeneratedSchema(
            [String(yaml.dropFirst(2).dropLast(2)), "nullable: true"],
            ["\"anyOf\":[\(json),{\"type\":\"null\"}]"], value)
    }

    // MARK: Scalars

    private static func integer(
        _: Int, _ random: inout SeededGenerator
    ) -> GeneratedSchema {
        let low = Int.random(in: -20...20, using: &random)
        let high = low + Int.random(in: 4...30, using: &random)
        let step = Int.random(in: 2...5, using: &random)
        let rules = [
            ("min: \(low)", "\"minimum\":\(low)"), ("max: \(high)", "\"maximum\":\(high)"),
            ("multiple-of: \(step)", "\"multipleOf\":\(step)"),
        ].filter { _ in Bool.random(using: &random) }
        return GeneratedSchema(
            ["type: int"] + rules.map(\.0), ["\"type\":\"integer\""] + rules.map(\.1)
        ) { "\(Int.random(in: low - 3...high + 3, using: &$0))" }
    }

    private static func number(
        _: Int, _ random: inout SeededGenerator
    ) -> GeneratedSchema {
        let low = Double(Int.random(in: -40...40, using: &random)) / 4
        let high = low + Double(Int.random(in: 4...40, using: &random)) / 4
        return GeneratedSchema(
            ["type: double", "above: \(low)", "below: \(high)"],
            ["\"type\":\"number\"", "\"exclusiveMinimum\":\(low)", "\"exclusiveMaximum\":\(high)"]
        ) { random in
            "\(low + Double(Int.random(in: -4...44, using: &random)) / 4)"
        }
    }

    private static func text(_: Int, _ random: inout SeededGenerator) -> GeneratedSchema {
        let low = Int.random(in: 0...3, using: &random)
        let high = low + Int.random(in: 0...4, using: &random)
        return GeneratedSchema(
            ["type: string", "min-length: \(low)", "max-length: \(high)"],
            ["\"type\":\"string\"", "\"minLength\":\(low)", "\"maxLength\":\(high)"]
        ) { word(max(0, low - 1)...high + 1, using: &$0) }
    }

    private static func pattern(
        _: Int, _ random: inout SeededGenerator
    ) -> GeneratedSchema {
        let patterns = ["^[a-c]+$", "b", "^a.c", "(ab|ba){2}", "[^a]$", "^(a|bc)*$", "^.{2,3}$"]
        let pattern = patterns.randomElement(using: &random) ?? "b"
        return GeneratedSchema(
            ["type: string", "pattern: '\(pattern)'"],
            ["\"type\":\"string\"", "\"pattern\":\"\(pattern)\""]
        ) { word(0...5, using: &$0) }
    }

    private static func choice(
        _: Int, _ random: inout SeededGenerator
    ) -> GeneratedSchema {
        let words = ["red", "green", "blue", "é", ""].shuffled(using: &random).prefix(3)
        let list = words.map { "\"\($0)\"" }.joined(separator: ", ")
        return GeneratedSchema(
            ["type: string", "in: [\(list)]"], ["\"type\":\"string\"", "\"enum\":[\(list)]"]
        ) { random in
            "\"\(["red", "green", "blue", "é", "", "e"].randomElement(using: &random) ?? "")\""
        }
    }

    private static func boolean(
        _: Int, _ random: inout SeededGenerator
    ) -> GeneratedSchema {
        GeneratedSchema(["type: bool"], ["\"type\":\"boolean\""]) {
            Bool.random(using: &$0) ? "true" : "false"
        }
    }

    private static func union(
        _: Int, _ random: inout SeededGenerator
    ) -> GeneratedSchema {
        let kinds = [
            ("string", "{\"type\":\"string\"}"), ("int", "{\"type\":\"integer\"}"),
            ("bool", "{\"type\":\"boolean\"}"),
            ("[int]", "{\"type\":\"array\",\"items\":{\"type\":\"integer\"}}"),
        ].shuffled(using: &random).prefix(Int.random(in: 2...3, using: &random))
        return GeneratedSchema(
            [
                "one-of: [\(kinds.map { "\"\($0.0)\"" }.joined(separator: ", "))]",
                "closed: true",
            ],
            ["\"anyOf\":[\(kinds.map(\.1).joined(separator: ","))]"]
        ) { random in
            ["1", "\"a\"", "true", "[1, 2]", "[\"a\"]", "[]", "1.5", "{}"]
                .randomElement(using: &random) ?? "1"
        }
    }

    // MARK: Containers

    private static func list(
        _ depth: Int, _ random: inout SeededGenerator
    ) -> GeneratedSchema {
        let element = self.random(depth, using: &random)
        let low = Int.random(in: 0...2, using: &random)
        let high = low + Int.random(in: 0...3, using: &random)
        return GeneratedSchema(
            ["type: [\(element.yaml)]", "min-items: \(low)", "max-items: \(high)"],
            [
                "\"type\":\"array\"", "\"items\":\(element.json)", "\"minItems\":\(low)",
                "\"maxItems\":\(high)",
            ]
        ) { random in
            let count = Int.random(in: max(0, low - 1)...high + 1, using: &random)
            let items = (0..<count).map { _ in element.value(&random) }
            return "[\(items.joined(separator: ", "))]"
        }
    }

    private static func map(_ depth: Int, _ random: inout SeededGenerator) -> GeneratedSchema {
        let element = self.random(depth, using: &random)
        let high = Int.random(in: 1...3, using: &random)
        return GeneratedSchema(
            ["type: { string: \(element.yaml) }", "max-keys: \(high)"],
            [
                "\"type\":\"object\"", "\"additionalProperties\":\(element.json)",
                "\"maxProperties\":\(high)",
            ]
        ) { random in
            let count = Int.random(in: 0...high + 1, using: &random)
            let members = (0..<count).map { "\"k\($0)\": \(element.value(&random))" }
            return "{\(members.joined(separator: ", "))}"
        }
    }

    private static func object(
        _ depth: Int, _ random: inout SeededGenerator
    ) -> GeneratedSchema {
        let fields = ["a", "b", "c"].prefix(Int.random(in: 1...3, using: &random)).map {
            (
                name: $0, type: self.random(depth, using: &random),
                isNeeded: Bool.random(using: &random)
            )
        }
        let isClosed = Bool.random(using: &random)
        let needed = fields.filter(\.isNeeded).map { "\"\($0.name)\"" }.joined(separator: ",")
        let members = fields.map { "\"\($0.name)\":\($0.type.json)" }.joined(separator: ",")
        return GeneratedSchema(
            [
                "fields: { \(fields.map { yaml($0.name, $0.type, $0.isNeeded) }.joined(separator: ", ")) }"
            ]
                + (isClosed ? ["closed: true"] : []),
            [
                "\"type\":\"object\"", "\"required\":[\(needed)]", "\"properties\":{\(members)}",
                "\"additionalProperties\":\(!isClosed)",
            ]
        ) { random in
            var members: [String] = []
            for field in fields where Int.random(in: 0..<5, using: &random) > 0 {
                members.append("\"\(field.name)\": \(field.type.value(&random))")
            }
            if Int.random(in: 0..<4, using: &random) == 0 { members.append("\"z\": 1") }
            return "{\(members.joined(separator: ", "))}"
        }
    }

    /// A field in YAML.
    static func yaml(_ name: String, _ type: GeneratedSchema, _ isNeeded: Bool) -> String {
        guard !isNeeded else { return "\(name): \(type.yaml)" }
        return "\(name): \(type.yaml.dropLast(2)), optional: true }"
    }

    private static func word(
        _ length: ClosedRange<Int>, using random: inout SeededGenerator
    ) -> String {
        let count = Int.random(in: length, using: &random)
        let letters = (0..<count).map { _ in
            ["a", "b", "c", "é", "😀"].randomElement(using: &random) ?? "a"
        }
        return "\"\(letters.joined())\""
    }
}

/// A random template, and replies that resemble it.
public indirect enum GeneratedTemplate: Sendable {
    /// A scalar, as JSON text.
    case scalar(String)
    case list([GeneratedTemplate])
    case object([Member])

    /// A key with a value and its rules, as members of JSON.
    public struct Member: Sendable {
        let key: String
        let value: GeneratedTemplate
        let rules: [String]
    }

    /// Keys that break careless code: of Swift, of YAML, of templates, of nothing at all.
    public static let hostileKeys = [
        "", "-Rules", "x-Rules", "\"", "\\", "'", "class", "self", "Self", "Type", "selfValue",
        "hashValue", "customMirror", "init", "String", "json", "JSONValue", "yes", "no", "null",
        "true", "~", "a.b", "$ref", "type", "fields", "enum", "const", "with", "one-of", "doc",
        "optional", "additional", "min", "😀", "👩‍👩‍👧", "é", "e\u{301}", "日本", "ß", "İ", "ǆ",
        "\u{0}", "\u{1F}", "\u{7F}", "\u{85}", "\u{A0}", "\u{FEFF}", "\u{202E}", "\u{FFFE}",
        "\u{10FFFF}", "\n", " ", " a ", "a b", "# x", ": ", "- ", "? ", "{", "}", "[", "*a", "&a",
        "!!str", "%", "@", "`", "|", ">", "1", "-1", "+1", "1e5", "0x1F", "_", "__", "\\(x)",
        "$token.user_id", "${x}", "user_id", "userId", "userID", "UserID", "user-id", "token",
        "password", "access_token", "value", "value2", "a/b", "\u{301}", "²", "x²", "٣", "“a”",
        String(repeating: "a", count: 10_000), String(repeating: "\u{1}", count: 2_000),
    ]

    private static let plainKeys = [
        "id", "name", "users", "photos", "count", "first_name", "isActive", "address", "tags",
        "boxes", "categories", "status", "data", "response", "item", "items",
    ]

    /// - Parameter depth: How many lists and objects may be inside each other.
    public static func random(
        depth: Int, hostile: Bool, using random: inout SeededGenerator
    ) -> GeneratedTemplate {
        let choice = depth > 0 ? Int.random(in: 0..<6, using: &random) : 0
        switch choice {
        case 0, 1: return .scalar(scalar(hostile, &random))
        case 2: return list(depth, hostile, &random)
        default: return object(depth, hostile, &random)
        }
    }

    /// A template of an object, as replies mostly are.
    public static func object(
        _ depth: Int, _ hostile: Bool, _ random: inout SeededGenerator
    ) -> GeneratedTemplate {
        let keys = (hostile ? hostileKeys + plainKeys : plainKeys).shuffled(using: &random)
        return .object(
            keys.prefix(Int.random(in: 0...5, using: &random)).map { key in
                let value = self.random(depth: depth - 1, hostile: hostile, using: &random)
                let hasRules = Int.random(in: 0..<3, using: &random) > 0
                return Member(
                    key: key, value: value, rules: hasRules ? value.rules(&random) : [])
            })
    }

    private static func list(
        _ depth: Int, _ hostile: Bool, _ random: inout SeededGenerator
    ) -> GeneratedTemplate {
        let first = self.random(depth: depth - 1, hostile: hostile, using: &random)
        let others = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            Int.random(in: 0..<4, using: &random) == 0
                ? self.random(depth: depth - 1, hostile: hostile, using: &random)
                : first.variant(&random)
        }
        return .list(Int.random(in: 0..<8, using: &random) == 0 ? [] : [first] + others)
    }

    private static func scalar(_ hostile: Bool, _ random: inout SeededGenerator) -> String {
        let plain = [
            "null", "true", "false", "0", "7", "-3", "1.5", "-0.25", "1E3", #""""#, #""a""#,
            #""abc""#, #""Berlin""#, #""2026-01-31""#, #""no""#,
        ]
        let odd = [
            "-0", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e400",
            "1e-320", "12345678901234567890123", #""\u0000""#, #""\"\\\n""#, #""😀""#,
            #""$token.a""#,
            #""\uFEFF""#, #""é""#, #""null""#, #""0x1F""#, #""\u202e""#,
        ]
        return (hostile ? plain + odd : plain).randomElement(using: &random) ?? "null"
    }

    /// The value as another element of its list has it: keys are missing, values differ.
    private func variant(_ random: inout SeededGenerator) -> GeneratedTemplate {
        switch self {
        case .scalar(let text):
            return .scalar(Int.random(in: 0..<6, using: &random) == 0 ? "null" : text)
        case .list(let items): return .list(items.map { $0.variant(&random) })
        case .object(let members):
            let kept = members.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
            return .object(
                kept.map { Member(key: $0.key, value: $0.value.variant(&random), rules: []) })
        }
    }

    // MARK: Rules

    private func rules(_ random: inout SeededGenerator) -> [String] {
        var rules: [String] = []
        switch self {
        case .object: break
        case .list(let items):
            rules = [
                #""elementsMustBeEqualOrMoreThan": \#(max(0, items.count - 1))"#,
                #""elementsMustBeEqualOrLessThan": \#(items.count + 1)"#,
            ]
        case .scalar(let text) where text.hasPrefix("\""):
            let inner = text.dropFirst().dropLast()
            let suffix = inner.contains("\\") || inner.isEmpty ? "n" : String(inner.suffix(2))
            rules = [
                #""equalInLength": true"#, #""hasSuffix": "\#(suffix)""#,
                #""lengthMustBeEqualOrGreaterThan": \#(inner.contains("\\") ? 1 : inner.count)"#,
                #""lengthMustBeEqualOrLessThan": \#(inner.count + 1)"#,
                #""matchWithOneOf": [\#(text), "Abc", \#(text), "no"]"#,
            ]
        case .scalar(let text) where Double(text) != nil:
            let bounds = ["-9e30", "-1e-320", "-3.5", "-3", "0", "6.5", "1000", "9e30"]
            let two = bounds.indices.shuffled(using: &random).prefix(2).sorted()
            rules = [#""minimum": \#(bounds[two[0]])"#, #""maximum": \#(bounds[two[1]])"#]
        case .scalar: break
        }
        rules = rules.filter { _ in Bool.random(using: &random) }
        if Int.random(in: 0..<3, using: &random) == 0 { rules.append(#""isOptional": true"#) }
        if Int.random(in: 0..<6, using: &random) == 0 { rules.append(#""mustMatch": true"#) }
        return rules
    }

    // MARK: Texts

    /// The template.
    public var template: String { text(hasRules: true) }

    private func text(hasRules: Bool) -> String {
        switch self {
        case .scalar(let text): return text
        case .list(let items):
            return "[\(items.map { $0.text(hasRules: hasRules) }.joined(separator: ", "))]"
        case .object(let members):
            let texts = members.flatMap { member -> [String] in
                let value = "\(member.key.json): \(member.value.text(hasRules: hasRules))"
                guard hasRules, !member.rules.isEmpty else { return [value] }
                let key = (member.key + "-Rules").json
                return [value, "\(key): {\(member.rules.joined(separator: ", "))}"]
            }
            return "{\(texts.joined(separator: ", "))}"
        }
    }

    /// A reply that is like the template, but for a few values and keys.
    public func reply(using random: inout SeededGenerator) -> String {
        let strays = [
            "null", "true", "7", "-4", "1.5", "9e20", "[]", "{}", "[null]", #"{"id": 1}"#, #""x""#,
            #""ABC""#, #""Berlinn""#, #""""#, "5.0", "[1, \"x\"]", "1e999",
        ]
        if Int.random(in: 0..<10, using: &random) == 0 {
            return strays.randomElement(using: &random) ?? "null"
        }
        switch self {
        case .scalar(let text): return text
        case .list(let items):
            let more = Bool.random(using: &random) ? [] : items.prefix(2)
            return "[\((items + more).map { $0.reply(using: &random) }.joined(separator: ", "))]"
        case .object(let members):
            var texts = members.filter { _ in Int.random(in: 0..<10, using: &random) > 0 }
                .map { "\($0.key.json): \($0.value.reply(using: &random))" }
            if Int.random(in: 0..<5, using: &random) == 0 { texts.append(#""zzz": 1"#) }
            return "{\(texts.joined(separator: ", "))}"
        }
    }
}

extension String {
    /// The text as a string of JSON (RFC 8259, section 7) in ASCII.
    fileprivate var json: String {
        let units = utf16.map { unit -> String in
            if unit < 0x80, unit >= 0x20, unit != 0x22, unit != 0x5C {
                return String(Character(Unicode.Scalar(UInt8(unit))))
            }
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"" + units.joined() + "\""
    }
}

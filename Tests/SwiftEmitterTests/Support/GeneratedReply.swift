import SpecIR
import TestSupport

/// Makes replies of the methods of an API, most of them with a few mistakes.
struct GeneratedReply {
    let api: API
    private let models: [String: Model]

    init(_ api: API) {
        self.api = api
        models = api.groups.flatMap(\.models).byName
    }

    /// A whole reply of a method.
    func text(of method: Method, using random: inout SeededGenerator) -> String {
        let rules = method.reply ?? api.reply
        guard let value = method.output.values.randomElement(using: &random) else { return "{}" }
        var text = text(of: value, 6, &random)
        for step in rules.unwrap.reversed() {
            switch step {
            case .key(let key): text = object([(key, text)] + stray("error", &random))
            case .index, .each, .first: text = "[\(text)]"
            }
        }
        if Int.random(in: 0..<10, using: &random) == 0 { text = broken(text, &random) }
        return text
    }

    /// The text with changed bytes.
    private func broken(_ text: String, _ random: inout SeededGenerator) -> String {
        var bytes = Array(text.utf8)
        let signs = Array(#"{}[]",:\ux0-+.eE1tfn "#.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let sign = signs.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[place] = sign
            case 1: bytes.insert(sign, at: place)
            default: bytes.remove(at: place)
            }
        }
        return String(decoding: bytes.filter { $0 != 0x0A && $0 != 0x09 }, as: UTF8.self)
    }

    private func stray(_ key: String, _ random: inout SeededGenerator) -> [(String, String)] {
        Int.random(in: 0..<12, using: &random) == 0 ? [(key, strays(&random))] : []
    }

    private func strays(_ random: inout SeededGenerator) -> String {
        let all = [
            "null", "true", "7", "-1.5", "\"x\"", "[]", "{}", "[[]]", "1e400", "\"\\u00e9\"", "\"7\"",
            "\"2024-05-31\"", "1e2", "-9223372036854775809", "\"\"", "{\"a\": 1, \"a\": 2}",
        ]
        return all.randomElement(using: &random) ?? "null"
    }

    private func object(_ members: [(String, String)]) -> String {
        "{\(members.map { ExampleValue.text($0).json + ": " + $1 }.joined(separator: ", "))}"
    }

    private func text(of value: Value, _ depth: Int, _ random: inout SeededGenerator) -> String {
        if Int.random(in: 0..<30, using: &random) == 0 { return strays(&random) }
        if value.isNullable, Int.random(in: 0..<4, using: &random) == 0 { return "null" }
        guard value.from == .native else {
            var content = value
            content.from = .native
            content.isNullable = false
            let text = text(of: content, depth, &random)
            let isText = value.from == .string || Bool.random(using: &random)
            return isText ? ExampleValue.text(text).json : text
        }
        for rule in value.rules where Int.random(in: 0..<4, using: &random) > 0 {
            switch rule.argument {
            case .literal(let literal): return json(literal, value.type)
            case .choices(let values):
                if let literal = values.randomElement(using: &random) {
                    return json(literal, value.type)
                }
            case .number(let digits) where value.type.shapes == [.number]: return digits
            default: break
            }
        }
        return text(of: value.type, value.rules, depth, &random)
    }

    private func json(_ literal: Literal, _ type: ValueType) -> String {
        switch literal {
        case .string(let text): return ExampleValue.text(text).json
        case .integer(let digits), .number(let digits): return digits
        case .bool(let truth): return "\(truth)"
        case .enumerationCase(let name):
            guard case .enumeration(let model, let isInteger) = type,
                case .enumeration(let values)? = models[model]?.kind,
                let found = values.cases.first(where: { $0.name == name })
            else { return "\"\(name)\"" }
            return isInteger ? found.value : ExampleValue.text(found.value).json
        case .null, .list, .map: return "null"
        }
    }

    private func text(
        of type: ValueType, _ rules: [Rule], _ depth: Int, _ random: inout SeededGenerator
    ) -> String {
        let number = "\(Int.random(in: -3...300, using: &random))"
        let fraction = "\(Double(Int.random(in: -40...400, using: &random)) / 8)"
        let quoted = { (text: String) in ExampleValue.text(text).json }
        switch type {
        case .string(.native): return quoted(word(rules, &random))
        case .string(let form): return form == .int ? number : quoted(word(rules, &random))
        case .integer(_, .string), .double(.string), .decimal(.string): return quoted(number)
        case .integer: return number
        case .double, .decimal: return fraction
        case .bool(.oneZero): return "\(Int.random(in: 0...1, using: &random))"
        case .bool(.text): return quoted("true")
        case .bool(.words(let words)): return quoted(BoolForm.parts(of: words).first ?? "")
        case .bool: return "\(Bool.random(using: &random))"
        case .date(.unix), .date(.unixMilliseconds): return "17\(number.drop { $0 == "-" })"
        case .date(.unixText), .date(.unixMillisecondsText): return quoted("1717186500")
        case .date(.date): return quoted("2024-05-31")
        case .date(.localDateTime): return quoted("2024-05-31T20:15:00")
        case .date: return quoted("20\(Int.random(in: 10...39, using: &random))-05-31T20:15:00Z")
        case .duration(.clock): return quoted("00:10:00")
        case .duration(.iso8601): return quoted("PT1H30M")
        case .duration: return number
        case .url: return quoted(["https://a.example/b?c=d", "", "::", "a b"].randomElement(using: &random) ?? "")
        case .uuid: return quoted("6f1c1d3e-8b1a-4c39-9d3b-5f0e3c1d2a4b")
        case .bytes(.hex): return quoted("00ff")
        case .bytes: return quoted("AAECAw==")
        case .json, .file: return strays(&random)
        case .enumeration(let name, let isInteger):
            guard case .enumeration(let values)? = models[name]?.kind,
                Int.random(in: 0..<6, using: &random) > 0,
                let value = values.cases.randomElement(using: &random)?.value
            else { return isInteger ? number : quoted("other") }
            return isInteger ? value : quoted(value)
        case .list(let element):
            let count = depth > 0 ? Int.random(in: 0...3, using: &random) : 0
            var items = (0..<count).map { _ in text(of: element, depth - 1, &random) }
            if let first = items.first, Int.random(in: 0..<4, using: &random) == 0 {
                items.append(first)
            }
            return "[\(items.joined(separator: ", "))]"
        case .map(let key, let element):
            let count = depth > 0 ? Int.random(in: 0...3, using: &random) : 0
            return object(
                (0..<count).map { _ in
                    let name = key == .int ? "\(Int.random(in: 0...2, using: &random))" : word([], &random)
                    return (name, text(of: element, depth - 1, &random))
                })
        case .object(let name), .union(let name): return model(name, depth, &random)
        }
    }

    private func word(_ rules: [Rule], _ random: inout SeededGenerator) -> String {
        for rule in rules {
            switch rule.argument {
            case .format(let name) where Bool.random(using: &random):
                return Self.formats[name] ?? name
            case .text(let text): return text + (Bool.random(using: &random) ? "" : "x")
            case .count(let count):
                let length = max(0, count + Int.random(in: -1...1, using: &random))
                return String(repeating: "é", count: min(length, 90))
            default: break
            }
        }
        return ["a", "b", "", " ", "é", "e\u{301}", "open", "x\"\\y", "😀", "0"]
            .randomElement(using: &random) ?? ""
    }

    private static let formats = [
        "email": "a@b.example", "uri": "https://a.example/", "uuid": "6f1c1d3e-8b1a-4c39-9d3b-5f0e3c1d2a4b",
        "date": "2024-05-31", "date-time": "2024-05-31T20:15:00Z", "time": "20:15:00Z",
        "ipv4": "10.0.0.1", "ipv6": "::1", "hostname": "a.example", "json-pointer": "/a",
        "base64": "AAECAw==",
    ]

    private func model(_ name: String, _ depth: Int, _ random: inout SeededGenerator) -> String {
        guard let model = models[name] else { return "{}" }
        switch model.kind {
        case .enumeration: return "\"a\""
        case .union(let union): return self.union(union, depth, &random)
        case .object(let fields):
            if model.isArray {
                let items = fields.map { text(of: $0.value, depth - 1, &random) }
                let count = Int.random(in: 0...3, using: &random) == 0 ? 1 : 0
                return "[\((items.dropLast(count) + stray("", &random).map(\.1)).joined(separator: ", "))]"
            }
            return members(fields, 0, depth, &random)
        }
    }

    private func members(
        _ fields: [Field], _ level: Int, _ depth: Int, _ random: inout SeededGenerator
    ) -> String {
        var members: [(String, String)] = []
        var steps: [String] = []
        for field in fields {
            if field.isAdditional {
                guard case .map(_, let element) = field.value.type else { continue }
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    members.append((word([], &random), text(of: element, depth - 1, &random)))
                }
            } else if field.steps.count > level {
                if !steps.contains(field.steps[level]) { steps.append(field.steps[level]) }
            } else {
                let mayMiss = field.isOptional || field.defaultValue != nil
                let isLeftOut = Int.random(in: 0..<(mayMiss ? 2 : 20), using: &random) == 0
                if isLeftOut || mayMiss && depth < 1 { continue }
                members.append((field.key, text(of: field.value, depth - 1, &random)))
            }
        }
        for step in steps where Int.random(in: 0..<8, using: &random) > 0 {
            let inner = fields.filter { $0.steps.count > level && $0.steps[level] == step }
            members.append((step, self.members(inner, level + 1, depth, &random)))
        }
        members += stray("another", &random)
        if let first = members.first, Int.random(in: 0..<20, using: &random) == 0 {
            members.append(first)
        }
        if Int.random(in: 0..<3, using: &random) == 0 { members.shuffle(using: &random) }
        return object(members)
    }

    private func union(_ union: Union, _ depth: Int, _ random: inout SeededGenerator) -> String {
        guard depth > 0, let item = union.cases.randomElement(using: &random) else {
            return strays(&random)
        }
        let content = text(of: item.value, depth - 1, &random)
        let known = Int.random(in: 0..<8, using: &random) > 0 ? item.tag : "another"
        let tag = union.tagsAreIntegers ? known : ExampleValue.text(known).json
        switch union.discriminator {
        case .content(let key, let tagKey):
            let members = [(tagKey, tag), (key ?? item.tag, content)] + stray("more", &random)
            return object(members.shuffled(using: &random))
        case .onlyKey: return object([(known, content)] + stray("more", &random))
        case .key(let key), .kind(.key(let key)):
            guard content.hasPrefix("{"), content.count > 2, item.tagField == nil else { return content }
            return "{\(ExampleValue.text(key).json): \(tag), \(content.dropFirst())"
        case .kind: return content
        }
    }
}

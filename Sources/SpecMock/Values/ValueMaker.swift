import Foundation
import SpecDiagnostics
import SpecIR
import SpecInterpreter
import TelexJSON
import TelexScheduling

/// Makes JSON values of the types of a spec, such as replies of a server that does not exist yet.
///
/// A value obeys the rules of its type. Most rules are obeyed by construction; the others, such as
/// several patterns or rules between fields, by trying again. The same seed gives the same value.
struct ValueMaker {
    /// Makes what tells whether a value obeys all rules of a type.
    typealias Check = @Sendable (_ type: Value) -> (JSONValue) -> Bool

    /// How often a value is made again that breaks a rule.
    private static let attempts = 200
    /// The depth from which on optional parts are left out.
    private static let deep = 4

    let models: [String: Model]
    let now: Date
    var random: SeededRandom
    private let check: Check
    private let heights: [String: Int]
    /// How many more values are made before lists and maps stay empty, whatever a spec asks for.
    var budget = 20_000
    /// The number of objects around the value.
    private var depth = 0

    /// - Parameter now: The present, for dates.
    init(_ models: MockModels, seed: UInt64, now: Date, check: @escaping Check) {
        self.models = models.byName
        heights = models.heights
        random = SeededRandom(seed: seed)
        self.now = now
        self.check = check
    }

    /// Makes a value.
    ///
    /// - Parameter name: The key or the name of the value, after which texts are chosen.
    mutating func make(_ value: Value, named name: String = "") -> JSONValue {
        budget -= 1
        if value.isNullable, chance(ofHundred: depth >= Self.deep ? 100 : 15) { return .null }
        var value = value
        value.isNullable = false
        var made = plain(value, named: name)
        guard needsCheck(value) else { return made }
        let isValid = check(value)
        for _ in 0..<Self.attempts {
            if isValid(made) || budget <= 0 { break }
            made = plain(value, named: name)
        }
        return made
    }

    private func needsCheck(_ value: Value) -> Bool {
        if !value.rules.isEmpty || !value.keyRules.isEmpty { return true }
        if case .object(let name) = value.type { return models[name]?.rules.isEmpty == false }
        return false
    }

    private mutating func plain(_ value: Value, named name: String) -> JSONValue {
        if let fixed = fixed(value) { return fixed }
        let content = content(value, named: name)
        let isText = value.from == .string && content.asString == nil
        return isText ? .string(content.description) : content
    }

    /// The value that the rules `const` and `in` leave.
    private mutating func fixed(_ value: Value) -> JSONValue? {
        for rule in value.rules {
            switch rule.argument {
            case .literal(let literal): return json(of: literal, value.type)
            case .choices(let choices) where rule.name == .oneOf:
                return choices.randomElement(using: &random).map { json(of: $0, value.type) }
            default: continue
            }
        }
        return nil
    }

    private mutating func content(_ value: Value, named name: String) -> JSONValue {
        switch value.type {
        case .string(let form): text(value.rules, as: form, named: name)
        case .integer(let width, let form): integer(value.rules, width, as: form, named: name)
        case .double(let form), .decimal(let form): fraction(value.rules, as: form)
        case .bool(let form): WrittenLiteral.truth(chance(ofHundred: 50), form)
        case .date(let form): date(value.rules, form)
        case .duration(let unit): duration(unit)
        case .url: .string("https://example.com/\(word())/\(number(in: 1...999))")
        case .uuid: .string(uuid())
        case .bytes(let form): bytes(form)
        case .file: .null
        case .json: ["note": .string(phrase())]
        case .list(let element): list(of: element, value.rules, named: name)
        case .map(let key, let element): map(of: element, by: key, value, named: name)
        case .object(let name): models[name].map { object($0) } ?? .null
        case .union(let name): models[name].map { union($0) } ?? .null
        case .enumeration(let name, let isInteger): choice(of: name, isInteger)
        }
    }

    // MARK: Parts

    private mutating func choice(of name: String, _ isInteger: Bool) -> JSONValue {
        guard case .enumeration(let enumeration)? = models[name]?.kind,
            let value = enumeration.cases.randomElement(using: &random)?.value
        else { return isInteger ? 0 : "" }
        return isInteger ? WrittenLiteral.number(value) : .string(value)
    }

    private mutating func list(
        of element: Value, _ rules: [Rule], named name: String
    ) -> JSONValue {
        let count = count(rules, low: .minItems, high: .maxItems)
        let single = name.hasSuffix("s") ? String(name.dropLast()) : name
        let isUnique = rules.contains { $0.name == .unique }
        var items: [JSONValue] = []
        var attempts = 0
        while items.count < count, attempts < Self.attempts {
            attempts += 1
            let item = make(element, named: single)
            if !isUnique || !items.contains(item) { items.append(item) }
        }
        return .array(items)
    }

    private mutating func map(
        of element: Value, by key: MapKey, _ value: Value, named name: String
    ) -> JSONValue {
        let count = count(value.rules, low: .minKeys, high: .maxKeys)
        var object = JSONObject()
        for _ in 0..<Self.attempts where object.members.count < count {
            let made = make(Value(key.type, rules: value.keyRules), named: "key")
            object[made.asString ?? made.description] = make(element, named: name)
        }
        return .object(object)
    }

    /// A number of elements: few, and the fewest where the value is deep.
    private mutating func count(_ rules: [Rule], low: RuleName, high: RuleName) -> Int {
        if budget <= 0 { return 0 }
        let least = min(rules.count(of: low) ?? 0, 1000)
        let most = max(least, rules.count(of: high) ?? .max)
        let usual = depth >= Self.deep - 1 ? 0...(depth >= Self.deep ? 0 : 1) : 1...3
        return min(max(number(in: usual), least), most)
    }

    // MARK: Models

    private mutating func object(_ model: Model) -> JSONValue {
        guard case .object(let fields) = model.kind else { return .null }
        depth += 1
        defer { depth -= 1 }
        if model.isArray { return .array(fields.map { make($0.value, named: $0.key) }) }
        var object = JSONValue.object(JSONObject())
        for field in fields where !field.isAdditional && field.only != .request {
            if !field.isRequired, chance(ofHundred: omission) { continue }
            object.set(make(field.value, named: field.key), at: field.path)
        }
        return object
    }

    /// The share of optional fields that are left out, in percent.
    private var omission: Int { depth >= Self.deep ? 100 : depth >= Self.deep - 1 ? 50 : 15 }

    private mutating func union(_ model: Model) -> JSONValue {
        guard case .union(let union) = model.kind else { return .null }
        let lowest = union.cases.map { height(of: $0.value) }.min() ?? 0
        let cases = union.cases.filter { depth < Self.deep - 1 || height(of: $0.value) == lowest }
        guard let chosen = cases.randomElement(using: &random) else { return .null }
        depth += 1
        defer { depth -= 1 }
        let tag: JSONValue =
            union.tagsAreIntegers ? WrittenLiteral.number(chosen.tag) : .string(chosen.tag)
        var made = make(chosen.value, named: chosen.apiName)
        switch union.discriminator {
        case .key(let key):
            if made.asObject == nil { made = .object(JSONObject()) }
            made.set(tag, at: [key])
            return made
        case .content(let content, let key):
            return .object([key: tag, content ?? chosen.tag: made])
        case .onlyKey: return .object([chosen.tag: made])
        case .kind: return made
        }
    }

    private func height(of value: Value) -> Int { MockModels.height(of: value, heights) }

    // MARK: Chances

    mutating func number(in range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

    mutating func chance(ofHundred percent: Int) -> Bool { number(in: 1...100) <= percent }
}

extension [Rule] {
    /// The count that a rule of this name has.
    func count(of name: RuleName) -> Int? {
        lazy.compactMap { rule in
            if rule.name == name, case .count(let count) = rule.argument { count } else { nil }
        }.first
    }
}

import HTTPTypes
import SpecIR
import TelexJSON

/// Turns the pages of a list, as the spec declares them.
public struct PageWalk: Sendable {
    /// A page, and its items.
    public typealias Page = (answer: SpecCaller.Answer, items: [JSONValue])

    private let caller: SpecCaller
    private let rules: PageRules
    private let unwrap: [PathStep]
    private var arguments: CallArguments
    private var address: String?
    private var count = 0
    private var hasEnded = false

    /// Begins at the page of the arguments.
    ///
    /// - Throws: An error for a method without `pages`, and for wrong arguments.
    public init(_ caller: SpecCaller, of api: API, _ words: [String]) throws(CallError) {
        guard let rules = caller.method.pages else {
            throw CallError(
                "`\(caller.method.apiName)` has no `pages`", help: "call it without --all")
        }
        self.caller = caller
        self.rules = rules
        unwrap = (caller.method.reply ?? api.reply).unwrap
        arguments = try caller.arguments(words)
    }

    /// The next page, and its items; nil after the last one.
    ///
    /// A page that breaks the spec, or is none, is the last one.
    public mutating func next() async throws -> Page? {
        guard !hasEnded else { return nil }
        let answer =
            if let address { try await caller.call(address: address, after: arguments) } else {
                try await caller.call(arguments)
            }
        let page = answer.isSuccess ? JSONValue(reply: answer.body, at: unwrap) : nil
        let items = page.flatMap { rules.items.value(in: $0)?.asArray } ?? []
        count += items.count
        hasEnded = true
        guard let page, answer.violations.isEmpty, !items.isEmpty || !rules.endsEmpty,
            rules.more.map({ $0.value(in: page) == .bool(true) }) != false
        else { return (answer, items) }
        advance(page, items, answer)
        return (answer, items)
    }

    private mutating func advance(
        _ page: JSONValue, _ items: [JSONValue], _ answer: SpecCaller.Answer
    ) {
        switch rules.form {
        case .offset(let name, let total):
            let next = number(name, 0) + items.count
            guard total?.value(in: page)?.asInt.map({ next < $0 }) != false else { return }
            go(name, String(next))
        case .page(let name, let last):
            let current = number(name, 1)
            guard last?.value(in: page)?.asInt.map({ current < $0 }) != false else { return }
            go(name, String(current + 1))
        case .token(let name, let place): go(name, place.value(in: page)?.token)
        case .headerToken(let name, let field):
            go(name, HTTPField.Name(field).flatMap { answer.fields[$0] })
        case .lastItem(let name, let place):
            go(name, items.last.flatMap { place.value(in: $0) }?.token)
        case .address(let place): go(to: place.value(in: page)?.asString)
        case .link(let relation): go(to: answer.link(relation))
        case .merge(let place):
            guard let members = place.value(in: page)?.asObject else { return }
            for member in members.members { go(member.key, member.value.writtenText) }
        }
    }

    private func number(_ name: String, _ start: Int) -> Int {
        let parameter = caller.method.parameters.first { $0.key == name }
        if let given = arguments.text(name) { return Int(given) ?? start }
        guard case .defaulted(.integer(let digits))? = parameter?.presence else { return start }
        return Int(digits) ?? start
    }

    private mutating func go(_ name: String, _ text: String?) {
        guard let text, !text.isEmpty, arguments.text(name) != text else { return }
        arguments.set(name, text)
        hasEnded = false
    }

    private mutating func go(to next: String?) {
        guard let next, !next.isEmpty, next != address else { return }
        address = next
        hasEnded = false
    }
}

extension PageRules {
    /// Whether a page without items is the last one, though nothing says so.
    fileprivate var endsEmpty: Bool {
        switch form {
        case .offset, .page, .lastItem: true
        case .token, .headerToken, .address, .link, .merge: false
        }
    }
}

extension PageRules.Place {
    /// The value at the place.
    fileprivate func value(in page: JSONValue) -> JSONValue? {
        let value = path.reduce(page) { value, key in value?[key] }
        return value == .null ? nil : value
    }
}

extension JSONValue {
    /// The text of a token, which may be a number.
    fileprivate var token: String? {
        switch self {
        case .null, .object, .array, .bool: nil
        default: writtenText
        }
    }

    /// The part of a reply that is inside of its envelope.
    fileprivate init?(reply bytes: [UInt8], at path: [PathStep]) {
        let result = JSONReader.read(bytes, limits: JSONLimits(bytes: .max)) {
            json -> JSONValue? in json.value()
        }
        guard var value = result.value else { return nil }
        for step in path {
            let next: JSONValue? =
                switch step {
                case .key(let key): value[key]
                case .index(let index):
                    value.asArray.flatMap { $0.indices.contains(index) ? $0[index] : nil }
                case .first, .each: value.asArray?.first
                }
            guard let next else { return nil }
            value = next
        }
        self = value
    }
}

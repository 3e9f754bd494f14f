import Foundation

/// A JSON value of a message.
enum JSONTree: Codable, Hashable, Sendable {
    case null
    case flag(Bool)
    case number(Int)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else if let list = try? container.decode([JSONTree].self) {
            self = .list(list)
        } else if let object = try? container.decode([String: JSONTree].self) {
            self = .object(object)
        } else {
            // Null, or a fraction, which no member has that is read.
            self = .null
        }
    }

    /// Reads the content of a message; nil if it is no JSON.
    init?(_ data: Data) {
        guard let tree = try? JSONDecoder().decode(JSONTree.self, from: data) else { return nil }
        self = tree
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }

    /// The text of the value, its members in a fixed order.
    var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Every tree is JSON.
        return (try? encoder.encode(self)) ?? Data()
    }

    /// The value at a path of keys; null if there is none.
    subscript(path: String...) -> JSONTree {
        path.reduce(self) { value, key in
            guard case .object(let members) = value else { return .null }
            return members[key] ?? .null
        }
    }

    /// The elements of a list; empty for other values.
    var items: [JSONTree] { if case .list(let items) = self { items } else { [] } }
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Int? { if case .number(let number) = self { number } else { nil } }

    /// A member that a request cannot do without.
    func required<Value>(
        _ name: String, _ read: (JSONTree) -> Value?
    ) throws(Refusal) -> Value {
        guard let value = read(self[name]) else {
            throw Refusal(.invalidParams, "`\(name)` is missing, or of another type")
        }
        return value
    }
}

extension JSONTree: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(booleanLiteral value: Bool) { self = .flag(value) }
    init(integerLiteral value: Int) { self = .number(value) }
    init(stringLiteral value: String) { self = .text(value) }
    init(arrayLiteral elements: JSONTree...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, JSONTree)...) {
        self = .object(Dictionary(elements) { first, _ in first })
    }
}

import Foundation
import SpecIR
import TelexJSON
import TelexValues

/// A value that was read, as far as rules compare it and violations show it.
enum CheckedValue: Hashable, Sendable {
    case null
    case text(ExactText)
    case integer(Int)
    case unsigned(UInt)
    case double(Double)
    case decimal(Decimal)
    case bool(Bool)
    case date(Date)
    case duration(Duration)
    case url(URL)
    case uuid(UUID)
    case bytes(Data)
    /// The raw value of an enumeration.
    case word(String)
    case json(JSONValue)
    case list([CheckedValue])
    case map([String: CheckedValue])
    /// The fields of an object, in the order of its model; nil for absent ones.
    case object([CheckedValue?])

    /// The text, also of an enumeration's value.
    var text: String? {
        switch self {
        case .text(let text): text.text
        case .word(let text): text
        default: nil
        }
    }

    /// The value without a null.
    var unlessNull: CheckedValue? { self == .null ? nil : self }

    /// The number of elements; nil for a value without any.
    var count: Int? {
        switch self {
        case .list(let items): items.count
        case .map(let entries): entries.count
        default: nil
        }
    }

    /// The exact decimal number; nil for a value that is none.
    var number: Decimal? {
        switch self {
        case .integer(let value): RuleTerm.number(value)
        case .unsigned(let value): RuleTerm.number(value)
        case .double(let value): RuleTerm.number(value)
        case .decimal(let value): value
        default: nil
        }
    }

    /// The value of Swift that a rule between fields shows; nil for one with parts.
    var shown: Any? {
        switch self {
        case .text(let text): text.text
        case .integer(let value): value
        case .unsigned(let value): value
        case .double(let value): value
        case .decimal(let value): value
        case .bool(let value): value
        case .date(let value): value
        case .duration(let value): value
        case .word(let word): ShownWord(description: word)
        case .uuid(let value): value
        case .null, .url, .bytes, .json, .list, .map, .object: nil
        }
    }

    /// The raw value of an enumeration, which violations show without quotes.
    private struct ShownWord: Comparable, CustomStringConvertible {
        let description: String

        static func < (one: Self, other: Self) -> Bool { one.description < other.description }
    }

    /// Whether the first one is less; nil for values without an order.
    static func isLess(_ one: CheckedValue, _ other: CheckedValue) -> Bool? {
        switch (one, other) {
        case (.text(let one), .text(let other)): one.text < other.text
        case (.integer(let one), .integer(let other)): one < other
        case (.unsigned(let one), .unsigned(let other)): one < other
        case (.double(let one), .double(let other)): one < other
        case (.decimal(let one), .decimal(let other)): one < other
        case (.date(let one), .date(let other)): one < other
        case (.duration(let one), .duration(let other)): one < other
        default: nil
        }
    }
}

extension CheckedValue: CustomStringConvertible {
    /// The value in a violation, as generated types show theirs.
    var description: String {
        switch self {
        case .null: "nil"
        case .text(let text): Violation.quoted(text.text)
        case .integer(let value): value.description
        case .unsigned(let value): value.description
        case .double(let value): value.description
        case .decimal(let value): value.description
        case .bool(let value): value.description
        case .date(let value): value.description
        case .duration(let value): value.description
        case .url(let value): value.description
        case .uuid(let value): value.description
        case .bytes(let value): value.description
        case .word(let word): word
        case .json(let value): value.description
        case .list(let items): items.description
        case .map(let entries): entries.description
        case .object: "an object"
        }
    }
}

extension CheckedValue {
    /// The value of a checked literal of a type.
    init(_ literal: Literal, _ type: ValueType, words: (String) -> [EnumerationCase]) {
        switch (literal, type) {
        case (_, .json): self = .json(JSONValue(literal))
        case (.null, _): self = .null
        case (.bool(let truth), _): self = .bool(truth)
        case (.enumerationCase(let name), .enumeration(let model, _)):
            self = .word(words(model).first { $0.name == name }?.value ?? name)
        case (.enumerationCase(let name), _): self = .word(name)
        case (.string(let text), .url): self = .url(URL(literal: text))
        case (.string(let text), .uuid): self = .uuid(UUID(literal: text))
        case (.string(let text), .date): self = .date(Date(literal: text))
        case (.string(let text), _): self = .text(ExactText(text))
        case (.integer(let digits), .date(let form)):
            let unit = form == .unixMilliseconds || form == .unixMillisecondsText ? 1000.0 : 1
            self = .date(Date(timeIntervalSince1970: (Double(digits) ?? 0) / unit))
        case (.integer(let digits), _), (.number(let digits), _): self.init(digits, type)
        case (.list(let items), .list(let element)):
            self = .list(items.map { CheckedValue($0, element.type, words: words) })
        case (.map(let entries), .map(let key, let element)):
            let pairs = entries.map { entry in
                (
                    CheckedValue(entry.key, key.type, words: words).key,
                    CheckedValue(entry.value, element.type, words: words)
                )
            }
            self = .map(Dictionary(pairs) { first, _ in first })
        case (.list, _), (.map, _): self = .null
        }
    }

    /// The number of a checked literal; one beyond its type is the nearest one.
    init(_ digits: String, _ type: ValueType) {
        switch type {
        case .integer(.uint, _): self = .unsigned(UInt(digits) ?? .max)
        case .double: self = .double(Double(digits) ?? 0)
        case .decimal: self = .decimal(Decimal(literal: digits))
        case .duration: self = .duration(Duration(literal: digits))
        default: self = .integer(Int(digits) ?? (digits.hasPrefix("-") ? .min : .max))
        }
    }

    private var key: String { text ?? description }
}

extension JSONValue {
    /// The value of a literal of type `json`.
    fileprivate init(_ literal: Literal) {
        switch literal {
        case .null: self = .null
        case .bool(let truth): self = .bool(truth)
        case .string(let text), .enumerationCase(let text): self = .string(text)
        case .integer(let digits): self = Int64(digits).map(JSONValue.int) ?? .number(digits)
        case .number(let digits): self = .number(digits)
        case .list(let items): self = .array(items.map { JSONValue($0) })
        case .map(let entries):
            self = .object(
                JSONObject(
                    entries.map { entry in
                        let key = JSONValue(entry.key)
                        return JSONObject.Member(
                            key: key.asString ?? key.description, value: JSONValue(entry.value))
                    }))
        }
    }
}

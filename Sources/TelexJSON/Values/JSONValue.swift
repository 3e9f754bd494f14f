/// The properties of a request by name, for callers that know them only at run time.
public typealias Properties = [String: JSONValue]

/// Any JSON value. Numbers that are not 64-bit integers are kept as text.
///
/// Two values are equal if they have the same meaning: 1, 1.0 and 1e0 are equal, and so are objects
/// whose members are in another order. Texts are equal if their code units are.
public enum JSONValue: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number in the form of a 64-bit integer.
    case int(Int64)
    /// Any other number, as its text.
    case number(String)
    /// Text.
    case string(String)
    /// An ordered list of values.
    case array([JSONValue])
    /// Members, in order.
    case object(JSONObject)

    /// The kind of the value.
    public var kind: JSONKind {
        switch self {
        case .null: .null
        case .bool: .bool
        case .int, .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// The text, if this is text.
    public var asString: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The Boolean, if this is one.
    public var asBool: Bool? {
        if case .bool(let truth) = self { truth } else { nil }
    }

    /// The integer, if this is an integer that fits.
    public var asInt: Int? {
        exact.flatMap { $0.integer() }
    }

    /// The nearest `Double`, if this is a number within its range.
    public var asDouble: Double? {
        guard let value = numberText.flatMap(Double.init), value.isFinite else { return nil }
        return value
    }

    /// The elements, if this is an array.
    public var asArray: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members, if this is an object.
    public var asObject: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The text of the number, if this is one.
    public var numberText: String? {
        switch self {
        case .int(let value): value.description
        case .number(let text): text
        default: nil
        }
    }

    /// The value of a member; nil if this is not an object or has no such member.
    public subscript(key: String) -> JSONValue? { asObject?[key] }

    /// An element; nil if this is not an array or has no such element.
    public subscript(index: Int) -> JSONValue? {
        guard let elements = asArray, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The exact value, if this is a number.
    var exact: ExactDecimal? { numberText.flatMap(ExactDecimal.init) }
}

extension JSONValue: Hashable {
    /// Whether both have the same meaning.
    public static func == (one: JSONValue, other: JSONValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.int(let one), .int(let other)): one == other
        case (.string(let one), .string(let other)): one.isExactly(other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: one.kind == .number && other.kind == .number && one.isSameNumber(other)
        }
    }

    /// Equal values have equal hashes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        switch self {
        case .null: break
        case .bool(let truth): hasher.combine(truth)
        case .int, .number: hasher.combine(exact)
        case .string(let text): hasher.combine(ExactText(text))
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }

    private func isSameNumber(_ other: JSONValue) -> Bool {
        guard let exact, let theirs = other.exact else { return numberText == other.numberText }
        return exact == theirs
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringInterpolation,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `null`
    public init(nilLiteral: ()) {
        self = .null
    }

    /// `true` or `false`
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// An integer.
    public init(integerLiteral value: Int64) {
        self = .int(value)
    }

    /// A number.
    public init(floatLiteral value: Double) {
        self.init(value)
    }

    /// Text.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// An array.
    public init(arrayLiteral elements: JSONValue...) {
        self = .array(elements)
    }

    /// An object; for a duplicate key, the last value is kept.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { JSONObject.Member(key: $0.0, value: $0.1) }))
    }

    /// A number in its shortest form; null if it is not finite, which JSON cannot express.
    public init(_ value: Double) {
        guard value.isFinite else {
            self = .null
            return
        }
        var writer = JSONWriter()
        writer.value(value)
        let text = String(decoding: writer.bytes, as: UTF8.self)
        self = Int64(text).flatMap { text == "-0" ? nil : .int($0) } ?? .number(text)
    }
}

extension JSONValue: JSONReadable, JSONWritable {
    /// Reads any value.
    public static func read(from json: inout JSONReader) -> JSONValue? {
        switch json.kind {
        case .null: return json.isNull() ? .null : nil
        case .bool: return Bool.read(from: &json).map(JSONValue.bool)
        case .number: return json.numberValue()
        case .string: return json.text().map(JSONValue.string)
        case .array: return json.list().map(JSONValue.array)
        case .object: return JSONObject.read(from: &json).map(JSONValue.object)
        case nil:
            json.skip()
            return nil
        }
    }

    /// Writes the value. A number whose text is not a number is a violation, and null is written.
    public func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .bool(let truth): json.value(truth)
        case .int(let value): json.value(value)
        case .number(let text): json.number(text)
        case .string(let text): json.value(text)
        case .array(let elements): elements.write(to: &json)
        case .object(let object): object.write(to: &json)
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// Compact JSON.
    public var description: String {
        var writer = JSONWriter()
        write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

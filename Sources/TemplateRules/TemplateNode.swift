/// A value of a template, with its place in the text.
public struct TemplateNode: Sendable {
    /// A JSON value. Numbers stay as written.
    public indirect enum Value: Sendable {
        case null
        case bool(Bool)
        case number(String)
        case string(String)
        case array([TemplateNode])
        case object([TemplateMember])
    }

    /// The value.
    public var value: Value
    /// The offsets of its bytes in the text.
    public var range: Range<Int>

    /// Creates a value.
    public init(_ value: Value, at range: Range<Int>) {
        self.value = value
        self.range = range
    }

    /// The value of a key of an object; nil for other values and keys.
    public subscript(key: String) -> TemplateNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == key }?.value
    }
}

/// A key of an object of a template, with its value.
public struct TemplateMember: Sendable {
    /// The key.
    public var key: String
    /// The offsets of the key with its quotes.
    public var range: Range<Int>
    /// The value.
    public var value: TemplateNode

    /// Creates a member.
    public init(_ key: String, at range: Range<Int>, value: TemplateNode) {
        self.key = key
        self.range = range
        self.value = value
    }
}

/// Equal if the values are, wherever they are. Objects have the same keys in any order; numbers are
/// compared as written.
extension TemplateNode: Equatable {
    /// Whether the values are equal.
    public static func == (one: TemplateNode, other: TemplateNode) -> Bool {
        switch (one.value, other.value) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
        case (.array(let one), .array(let other)): one == other
        case (.object(let members), .object(let others)):
            members.count == others.count && have(others, all: members)
        default: false
        }
    }

    private static func have(_ members: [TemplateMember], all others: [TemplateMember]) -> Bool {
        let values = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
        return others.allSatisfy { values[$0.key] == $0.value }
    }
}

/// The kinds of JSON values.
public struct TemplateKinds: OptionSet, Sendable, Hashable {
    /// The bits of the kinds.
    public let rawValue: Int

    /// Creates a set of bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// True or false.
    public static let bool = TemplateKinds(rawValue: 1)
    /// A number of 64 bits without fraction and exponent.
    public static let integer = TemplateKinds(rawValue: 2)
    /// Any number.
    public static let number = TemplateKinds(rawValue: 4)
    /// A text.
    public static let string = TemplateKinds(rawValue: 8)
    /// A list.
    public static let array = TemplateKinds(rawValue: 16)
    /// Keys with values.
    public static let object = TemplateKinds(rawValue: 32)

    /// The names of the kinds, as messages have them.
    public var names: [String] {
        let all: [(TemplateKinds, String)] = [
            (.bool, "true or false"), (.integer, "an integer"), (.number, "a number"),
            (.string, "a string"), (.array, "an array"), (.object, "an object"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}

/// What a template asks of a value: its kind, its keys, its elements and its rules.
///
/// The elements of a list have one shape, which all samples in the template together describe: a key
/// that only some of them have is optional, and a value of several kinds may be any of these.
public struct TemplateShape: Sendable {
    /// A key of an object.
    public struct Field: Sendable {
        /// The key.
        public var key: String
        /// Whether a reply may have no such key.
        public var isOptional: Bool
        /// The shape of its value.
        public var shape: TemplateShape
    }

    /// Creates a shape that asks nothing.
    public init() {}

    /// The kinds that the value may have; empty if any will do, as where the samples are null.
    public var kinds: TemplateKinds = []
    /// Whether the value may be null.
    public var isNullable = false
    /// The keys of an object, in the order of the template.
    public var fields: [Field] = []
    /// The shape of each element of a list, none or one; none if nothing is known of them.
    public var elements: [TemplateShape] = []
    /// The rules of the value, each with its place in the text.
    public var rules: [(rule: TemplateRule, range: Range<Int>)] = []
    /// The samples of the value, without rules. All but those of list elements have exactly one.
    public var samples: [TemplateNode] = []
}

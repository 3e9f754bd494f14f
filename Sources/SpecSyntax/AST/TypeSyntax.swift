import SpecDiagnostics

/// A type as written, short (`[User]?`) or long (`{ type: [User], max-items: 5 }`).
public struct TypeSyntax: Sendable {
    /// What is written, without what is said about it.
    public indirect enum Form: Sendable {
        /// A name: a scalar type, an alias or a model.
        case named(String)
        /// `[T]`
        case list(TypeSyntax)
        /// `{K: T}`
        case map(key: TypeSyntax, value: TypeSyntax)
        /// An inline object.
        case object([ParameterSyntax])
        /// An inline enumeration.
        case enumeration(EnumerationSyntax)
        /// Something that could not be read and has been reported.
        case invalid
    }

    /// What is written.
    public var form: Form
    /// Where it is written: the type alone, without attributes.
    public var span: Span
    /// The place of a `?`, if there is one.
    public var optional: Span?
    /// The place of a `| null`, if there is one.
    public var nullable: Span?
    /// What the long form says about it.
    public var attributes = AttributesSyntax()
    /// Whether it stands as the type of a field that is called like something said of a type, such
    /// as `doc`, in an object without `fields`: likely no field was meant.
    public var isShortAttribute = false

    /// Creates a type.
    public init(_ form: Form, at span: Span) {
        self.form = form
        self.span = span
    }

    /// What to write if the field `key` of an object was meant to say something about the object.
    public static func longFormHelp(_ key: String) -> String {
        "a mapping without `fields:` holds nothing but fields; if `\(key)` is none, write "
            + "`{ \(key): …, fields: { … } }`"
    }
}

/// What the long form of a type says besides the type.
public struct AttributesSyntax: Sendable {
    /// The keys that are given, in order, without rules; what does not apply is reported there.
    public var keys: [Located<String>] = []
    /// `doc`, `link`, `deprecated`
    public var documentation = DocumentationSyntax()
    /// `key`: the JSON key or the API's parameter name, when the entry's own key is the Swift name.
    public var key: Located<String>?
    /// `from`: how a scalar is spelt in JSON.
    public var from: Located<String>?
    /// `as`: the form of a date or a Boolean.
    public var spelling: Located<String>?
    /// `default`
    public var defaultValue: YAMLNode?
    /// `const`
    public var constant: YAMLNode?
    /// `sensitive`; nil if nothing is said.
    public var isSensitive: Bool?
    /// `in`: where a base parameter goes.
    public var location: Located<String>?
    /// `join`: the separator of a list.
    public var join: Located<String>?
    /// `style`: how a list is written.
    public var style: Located<String>?
    /// `swift`
    public var swift = SwiftNamesSyntax()
    /// `conforms`: protocols of a model.
    public var conforms: [Located<String>] = []
    /// Rules, in order.
    public var rules: [RuleSyntax] = []
}

/// One rule as written.
public struct RuleSyntax: Sendable {
    /// Its normalised name, for instance `min-length`, at the place of its key.
    public var name: Located<String>
    /// Its argument.
    public var argument: YAMLNode
    /// `message`
    public var message: String?
    /// Whether `severity` is `warning`.
    public var isWarning = false
    /// `on`: `send` or `receive`.
    public var direction: Located<String>?
}

/// The values of an enumeration as written.
public struct EnumerationSyntax: Sendable {
    /// The place of the key `enum`.
    public var span: Span
    /// The cases, in order.
    public var cases: [EnumerationCaseSyntax]
    /// `type`: `string` or `int`.
    public var base: Located<String>?
}

/// One case as written.
public struct EnumerationCaseSyntax: Sendable {
    /// The name, if one is given besides the value.
    public var name: Located<String>?
    /// The value.
    public var value: YAMLNode
    /// `doc`
    public var documentation = DocumentationSyntax()
}

/// One entry of `models`.
public struct ModelSyntax: Sendable {
    /// The name.
    public var name: Located<String>
    /// What it stands for, with attributes.
    public var type: TypeSyntax
}

/// `swift: { name, type }`: names given by hand.
public struct SwiftNamesSyntax: Sendable {
    /// `name`: of the property, argument or model.
    public var name: Located<String>?
    /// `type`: of a type declared inline.
    public var type: Located<String>?
}

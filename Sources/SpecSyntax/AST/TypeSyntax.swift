import SpecDiagnostics
import SpecIR

/// A type as written, short (`[User]?`) or long (`{ type: [User], max-items: 5 }`).
public struct TypeSyntax: Sendable {
    /// The form of a type without attributes.
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
        /// Alternatives: `User | string`, or `one-of`.
        case union(UnionSyntax)
        /// An invalid type, already reported.
        case invalid
    }

    /// The form.
    public var form: Form
    /// The span of the type without attributes.
    public var span: Span
    /// The span of a `?`, if there is one.
    public var optional: Span?
    /// The span of a `| null`, if there is one.
    public var nullable: Span?
    /// The attributes of the long form.
    public var attributes = AttributesSyntax()
    /// The arguments of a generic model: `Page<User>`.
    public var arguments: [TypeSyntax] = []
    /// `with`: the models whose fields an object also has.
    public var mixins: [TypeSyntax] = []
    /// The lookups of an object.
    public var joins: [JoinSyntax] = []
    /// The rules between the fields of an object.
    public var rules: [CrossRuleSyntax] = []
    /// The span of a `closed: true`, if there is one.
    public var closed: Span?
    /// Whether it is the type of a field named like an attribute, such as `doc`, in an object
    /// without `fields`. It was probably meant as an attribute.
    public var isShortAttribute = false

    /// Creates a type.
    public init(_ form: Form, at span: Span) {
        self.form = form
        self.span = span
    }

    /// Returns the help for a field `key` that was probably meant as an attribute of the object.
    public static func longFormHelp(_ key: String) -> String {
        "a mapping without `fields:` contains only fields; if `\(key)` is not one, write "
            + "`{ \(key): …, fields: { … } }`"
    }
}

/// The attributes of a type.
public struct AttributesSyntax: Sendable {
    /// The keys of attributes.
    public enum Key: String, Sendable {
        case doc, link, deprecated, key, from
        case spelling = "as"
        case defaultValue = "default"
        case defaultUnless = "default-unless"
        case constant = "const"
        case sensitive
        case location = "in"
        case empty, clamp
        case serverDefault = "server-default"
        case join, style, swift, conforms, only, at, invalid, example, examples
        case isPublic = "public"
    }

    /// The given keys, in order, without rules; used to report attributes that do not apply.
    public var keys: [Located<Key>] = []
    /// `doc`, `link`, `deprecated`, `example` and `examples`
    public var documentation: DocumentationSyntax {
        get { ownDocumentation.first ?? DocumentationSyntax() }
        set { ownDocumentation = [newValue] }
    }
    // A list, because it is small: the frames of deep recursions hold several types.
    private var ownDocumentation: [DocumentationSyntax] = []
    /// `key`: the JSON key or the API's parameter name, when the entry's own key is the Swift name.
    public var key: Located<String>?
    /// `from`: the JSON form of a scalar, if it is not the native one.
    public var from: Located<JSONForm>?
    /// `as`: the form of a date or a Boolean, depending on the type.
    public var spelling: Located<String>?
    /// `default`
    public var defaultValue: YAMLNode?
    /// `empty`, `clamp` and `server-default`
    public var sending: SendingSyntax {
        get { ownSending.first ?? SendingSyntax() }
        set { ownSending = [newValue] }
    }
    // A list for the same reason as that of the documentation.
    private var ownSending: [SendingSyntax] = []
    /// `default-unless`: the parameters of which none may be given for the default to hold.
    public var defaultUnless: [Located<String>] = []
    /// `const`
    public var constant: YAMLNode?
    /// `sensitive`; nil if it is not set.
    public var isSensitive: Bool?
    /// `in`: the location of a base parameter.
    public var location: Located<Parameter.Location>?
    /// `join`: the separator of a list.
    public var join: Located<String>?
    /// `style`: the encoding of a list.
    public var style: Located<ListStyle>?
    /// `swift`
    public var swift = SwiftNamesSyntax()
    /// `conforms`: protocols of a model.
    public var conforms: [Located<Conformance>] = []
    /// `at`: the path to the value, through nested objects.
    public var at: Located<[String]>?
    /// `only`: the direction in which a model has the field.
    public var only: Located<Field.Direction>?
    /// `invalid`: the violations that a list or a map tolerates, with the span of the words.
    public var invalid: Located<[Tolerance]>?
    /// `public`: whether the app itself reads and writes the model.
    public var isPublic = false
    /// Rules, in order.
    public var rules: [RuleSyntax] = []

    /// The span of an attribute's key; nil if it is not given.
    public func place(of key: Key) -> Span? { keys.first { $0.value == key }?.span }
}

/// What is sent of a parameter in place of some values.
public struct SendingSyntax: Sendable {
    /// What is sent of an empty value.
    public enum Empty: String, CaseIterable, Sendable {
        case send, omit
        case byDefault = "default"
    }

    /// `empty`
    public var empty: Located<Empty>?
    /// The span of a `clamp: true`, if there is one.
    public var clamp: Span?
    /// `server-default`
    public var serverDefault: YAMLNode?
}

/// What the long form of a rule adds to its argument.
public struct RuleOptionsSyntax: Sendable {
    /// `message`
    public var message: String?
    /// Whether `severity` is `warning`.
    public var isWarning = false
    /// `on`
    public var direction = Rule.Direction.both
}

/// One rule as written.
public struct RuleSyntax: Sendable {
    /// Its name, with the span of its key, which may be a synonym.
    public var name: Located<RuleName>
    /// Its argument.
    public var argument: YAMLNode
    /// `message`, `severity` and `on`
    public var options = RuleOptionsSyntax()
    /// The span of a `case-insensitive: true`, if there is one.
    public var ignoresCase: Span?
}

/// The values of an enumeration as written.
public struct EnumerationSyntax: Sendable {
    /// A type of values.
    public enum Base: String, CaseIterable, Sendable {
        case string, int
    }

    /// The span of the key `enum`.
    public var span: Span
    /// The cases, in order.
    public var cases: [EnumerationCaseSyntax]
    /// `type`
    public var base: Located<Base>?
}

/// One case as written.
public struct EnumerationCaseSyntax: Sendable {
    /// The name, if it differs from the value.
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
    /// The type parameters of a generic model: `Page<Item>`.
    public var parameters: [Located<String>] = []
    /// Its type, with attributes.
    public var type: TypeSyntax
    /// Of an instance of a generic model: the Swift name of that model, its only type parameter, and
    /// the model in its place, by its name in the spec.
    public var instance: (model: String, parameter: String, argument: String)?
}

/// `swift: { name, type }`: names given by hand.
public struct SwiftNamesSyntax: Sendable {
    /// `name`: of the property, argument or model.
    public var name: Located<String>?
    /// `type`: of a type declared inline.
    public var type: Located<String>?
}

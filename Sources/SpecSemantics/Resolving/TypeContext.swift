import SpecDiagnostics
import SpecIR
import SpecSyntax

/// The position of a type: which types are allowed there, and how inline types are named.
struct TypeContext {
    /// The kind of position.
    enum Place {
        case field, query, path, header, form, json, part, body, reply, alias, alternative

        /// The name in messages.
        var name: String {
            switch self {
            case .field: "a field"
            case .query: "a query"
            case .path: "a path"
            case .header: "a header"
            case .form: "a form"
            case .json: "a JSON body"
            case .part: "a multipart body"
            case .body: "a body"
            case .reply: "`returns`"
            case .alias: "an alias"
            case .alternative: "an alternative"
            }
        }

        /// Whether values are received in replies.
        var isReceived: Bool { [.field, .reply, .alias].contains(self) }

        /// Whether values are written as text rather than as JSON.
        var isText: Bool {
            switch self {
            case .query, .path, .header, .form: true
            case .field, .json, .part, .body, .reply, .alias, .alternative: false
            }
        }
    }

    var place: Place
    /// The key of the type, from which an inline type gets its name.
    var key: String
    /// The key as it is written, if the type is an element and `key` is its singular.
    var writtenKey: String?
    /// The span of that key.
    var span: Span
    /// The qualified name of the type that inline types are declared in; empty: the module.
    var parent: String
    /// The names that Swift looks up inside the parent, which an inline type would hide.
    var mentioned: Set<String> = []
    /// The prefix of an inline type's name.
    var prefix = ""
    /// The part of a method that the type is in, such as `users.list.returns`.
    var part: String?
    /// The form of dates inherited from the settings.
    var dates: DateForm
    /// Whether the type is an element of a list or a map.
    var isElement = false
    /// Whether the type is an element of a list that is sent as parts of one name.
    var isListedPart = false
    /// Whether a value here may hold objects and lists of lists, because its style has a form for
    /// them.
    var takesAnyJSON = false

    /// The context of an element of a list or a map.
    func element(ofMap: Bool = false) -> TypeContext {
        var inner = self
        inner.isListedPart = !ofMap && !isElement && [.part, .alias].contains(place)
        inner.isElement = true
        inner.writtenKey = writtenKey ?? key
        inner.key = singular(key)
        return inner
    }
}

extension TypeContext {
    /// The position of the type of a parameter.
    init(_ syntax: ParameterSyntax, prefix: String, part: String? = nil, dates: DateForm) {
        let style = syntax.type.attributes.style?.value
        self.init(
            place: syntax.location.place, key: syntax.key.value, span: syntax.key.span, parent: "",
            prefix: prefix, part: part, dates: dates)
        takesAnyJSON =
            place.isText && style?.takesAnyJSON == true || place == .part && style == .json
    }
}

extension Parameter.Location? {
    /// The position of its type; that of a field without a location.
    var place: TypeContext.Place {
        switch self {
        case .path: .path
        case .query: .query
        case .header: .header
        case .form: .form
        case .json: .json
        case .part: .part
        case .body: .body
        case nil: .field
        }
    }
}

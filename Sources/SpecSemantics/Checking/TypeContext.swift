import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Where a type stands: what may stand there, and how types declared inside are named.
struct TypeContext {
    /// What kind of place it is.
    enum Place {
        case field, query, path, header, form, json, part, body, reply, alias

        /// How a message names it.
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
            }
        }

        /// Whether values are written as text rather than as JSON.
        var isText: Bool {
            switch self {
            case .query, .path, .header, .form: true
            case .field, .json, .part, .body, .reply, .alias: false
            }
        }
    }

    var place: Place
    /// The key under which the type stands, from which an inline type gets its name.
    var key: String
    /// The place of that key.
    var span: Span
    /// The qualified name of the type that inline types are declared in; empty: the module.
    var parent: String
    /// What an inline type's name begins with.
    var prefix = ""
    /// The form of dates inherited from the settings.
    var dates: DateForm
    /// Whether the type is an element of a list or a map.
    var isElement = false
    /// Whether the type is an element of a list that is sent as parts of one name.
    var isListedPart = false
    /// Whether a list here is written as one JSON text.
    var isJSONText = false

    /// The context of what a list or a map here holds.
    func element(ofMap: Bool = false) -> TypeContext {
        var inner = self
        inner.isListedPart = !ofMap && !isElement && [.part, .alias].contains(place)
        inner.isElement = true
        inner.key = singular(key)
        return inner
    }
}

extension ParameterSyntax.Location {
    var place: TypeContext.Place {
        switch self {
        case .path: .path
        case .query: .query
        case .header: .header
        case .form: .form
        case .json: .json
        case .part: .part
        case .body: .body
        case .field: .field
        }
    }
}

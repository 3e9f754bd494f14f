/// T03xx: types and values.
extension DiagnosticCode {
    static let typeCodes: [DiagnosticCode] = [
        .endlessModel, .endlessAlias, .typeNotAllowed, .badDefault, .duplicateCase, .badCase,
        .emptyEnumeration, .badMapKey, .optionalWithDefault, .optionalNotAllowed,
        .attributeDoesNotApply, .unknownDateForm, .duplicateField,
    ]

    /// A model that holds itself.
    public static let endlessModel = DiagnosticCode(
        "T0301", "a model that holds itself",
        example: .folder(
            users: """
                methods:
                  users.get: { get: users.get, returns: User }
                models:
                  User: { name: string, city: City }
                  City: { mayor: User }

                """),
        explanation: """
            Each value of the model would hold a value of the same model, which holds another, and
            so on: no such value can exist. The label shows the way round. One of the fields on the
            way may be missing or null, or is a list:

            ```yaml
            City: { mayor: User? }
            ```
            """)

    /// An alias that stands for itself.
    public static let endlessAlias = DiagnosticCode(
        "T0302", "an alias that stands for itself",
        example: .folder(
            users: """
                methods:
                  users.get: { get: users.get, returns: UserID }
                models:
                  UserID: OwnerID
                  OwnerID: UserID

                """),
        explanation: """
            A model without fields is an alias, another name for a type. These names stand for each
            other, so there is no type at the end. Let one of them stand for a type:

            ```yaml
            UserID: OwnerID
            OwnerID: { type: int, min: 1 }
            ```
            """)

    /// A type at a place where it cannot stand.
    public static let typeNotAllowed = DiagnosticCode(
        "T0303", "a type that cannot stand here",
        example: .folder(method: "query: { photo: file }\n"),
        explanation: """
            Not every value can be sent everywhere: a query, a path, a header and a form hold text,
            so an object or any JSON fits only as JSON text (`style: json`), and null cannot be told
            from text. Files are parts of a multipart body or the whole body.

            ```yaml
            post: photos.save
            multipart: { photo: file }
            ```
            """)

    /// A value that does not fit its type.
    public static let badDefault = DiagnosticCode(
        "T0304", "a value that does not fit its type",
        example: .folder(method: "query:\n  count: { type: int, default: twenty }\n"),
        explanation: """
            A `default`, a `const` and the values of `in` and `not-in` are values of the type beside
            them. An enumeration's default is one of its values as the API spells it; a date is a day
            of the calendar, a URL is written as it is sent, and a number is one that its type can
            hold: a `decimal` has 38 digits. A map has each key once, however it is spelt.

            ```yaml
            count: { type: int, default: 20 }
            ```
            """)

    /// A value listed twice.
    public static let duplicateCase = DiagnosticCode(
        "T0305", "an enumeration value is listed twice",
        example: .folder(user: "sex: { enum: { male: 1, female: 2, other: 2 }, type: int }\n"),
        explanation: """
            A reply that holds the value could not be told by its name. Often a number was not
            raised while copying lines. Give each value one name:

            ```yaml
            sex: { enum: { male: 1, female: 2, other: 3 }, type: int }
            ```
            """)

    /// A value of the wrong kind.
    public static let badCase = DiagnosticCode(
        "T0306", "an enumeration value of the wrong kind",
        example: .folder(user: "sex: { enum: { male: 1, female: two }, type: int }\n"),
        explanation: """
            The values of an enumeration are texts or, with `type: int`, integers. Lists, mappings
            and numbers with a fraction are neither.

            ```yaml
            sex: { enum: { male: 1, female: 2 }, type: int }
            ```
            """)

    /// An enumeration without values.
    public static let emptyEnumeration = DiagnosticCode(
        "T0307", "an enumeration without values",
        example: .folder(user: "sex: { enum: [] }\n"),
        explanation: """
            Nothing could be sent as a value of it. List the values that the API knows; others that
            it sends later are kept as they are. If none is known, the type is `string`.

            ```yaml
            sex: { enum: [male, female] }
            ```
            """)

    /// A type that no map key can have.
    public static let badMapKey = DiagnosticCode(
        "T0308", "a type that cannot be a map key",
        example: .folder(user: "scores: \"{double: int}\"\n"),
        explanation: """
            The keys of a JSON object are text. A map's keys are therefore `string`, `int` (spelt in
            digits) or an enumeration declared under `models`.

            ```yaml
            scores: { string: int }
            ```
            """)

    /// `?` that means nothing.
    public static let optionalWithDefault = DiagnosticCode(
        "T0309", "optional beside a default", severity: .warning,
        example: .folder(method: "query:\n  count: { type: int?, default: 20 }\n"),
        explanation: """
            With a default the value may be left out anyway, and there is always one: it is never
            `nil` in Swift. With `const` there is nothing to leave out. Drop the `?`, or drop the
            default if "no value" means something of its own to the API.

            ```yaml
            count: { type: int, default: 20 }
            ```
            """)

    /// `?` where nothing may be missing.
    public static let optionalNotAllowed = DiagnosticCode(
        "T0310", "`?` where nothing may be missing",
        example: .folder(method: "returns: \"[string?]\"\n"),
        explanation: """
            `?` says that a field or parameter may be left out. An element of a list cannot be left
            out, nor can a reply, a value in a path or a model as such. What may be null is written
            `| null`; what may be missing has its `?` at the field or parameter.

            ```yaml
            returns: "[string | null]"
            ```
            """)

    /// An attribute that means nothing here.
    public static let attributeDoesNotApply = DiagnosticCode(
        "T0311", "an attribute that does not apply",
        example: .folder(user: "name: { type: string, join: \",\" }\n"),
        explanation: """
            The long form of a type has attributes for many places, and this one means nothing at
            this place or for this type: `join` and `style` say how a list is written in a query,
            form or header, `style: brackets` and `style: indexed` only where a name may have
            brackets, `from` and `as` how a scalar is spelt, `in` where a parameter of every request
            goes; `default`, `const`, `key` and `sensitive` belong to fields and parameters, not to
            models or elements (`sensitive` also to aliases). Of `conforms`, it is a protocol that
            the model cannot have: `Identifiable` needs a field `id`, `Equatable` and `Hashable`
            need the same of all that the fields hold. Remove it, or move it to where it belongs:

            ```yaml
            query: { names: { type: [string], join: "," } }
            ```
            """)

    /// A form of dates that nobody knows.
    public static let unknownDateForm = DiagnosticCode(
        "T0312", "unknown form of dates",
        example: .folder(api: "dates: unix-time\n"),
        explanation: """
            Dates are spelt `unix` (seconds since 1970), `unix-ms`, `date-time` or `date` (RFC
            3339), or after a pattern of `yyyy`, `MM`, `dd`, `HH`, `mm`, `ss` and `SSS`, each at
            most once, with other characters in between and letters in quotes.

            ```yaml
            dates: unix
            dates: yyyy-MM-dd'T'HH:mm
            ```
            """)

    /// Two fields that read one key.
    public static let duplicateField = DiagnosticCode(
        "T0313", "a key is declared twice",
        example: .folder(user: "id: int\nuserID: { key: id, type: int }\n"),
        explanation: """
            Two fields of the model read the same key of the JSON object. `key` is the name in JSON;
            without it, the field's own name is.

            ```yaml
            User: { userID: { key: id, type: int } }
            ```
            """)
}

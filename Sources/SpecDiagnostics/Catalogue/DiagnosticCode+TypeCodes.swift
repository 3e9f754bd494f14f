/// T03xx: types and values.
extension DiagnosticCode {
    static let typeCodes: [DiagnosticCode] = [
        .endlessModel, .endlessAlias, .typeNotAllowed, .badDefault, .duplicateCase, .badCase,
        .emptyEnumeration, .badMapKey, .optionalWithDefault, .optionalNotAllowed,
        .attributeDoesNotApply, .unknownDateForm, .duplicateField, .indistinctAlternatives,
        .badUnion,
    ]

    /// A model that contains itself.
    public static let endlessModel = DiagnosticCode(
        "T0301", "a model that contains itself",
        example: .folder(
            users: """
                methods:
                  users.get: { get: users.get, returns: User }
                models:
                  User: { name: string, city: City }
                  City: { mayor: User }

                """),
        explanation: """
            Each value of the model would contain another value of the same model, and so on, so no
            such value can exist. The label shows the cycle. Make one of the fields on the cycle
            optional, nullable or a list:

            ```yaml
            City: { mayor: User? }
            ```
            """)

    /// An alias that refers to itself.
    public static let endlessAlias = DiagnosticCode(
        "T0302", "an alias that refers to itself",
        example: .folder(
            users: """
                methods:
                  users.get: { get: users.get, returns: UserID }
                models:
                  UserID: OwnerID
                  OwnerID: UserID

                """),
        explanation: """
            A model without fields is an alias, another name for a type. These names refer only to
            each other, so they have no type. Let one of them refer to a type:

            ```yaml
            UserID: OwnerID
            OwnerID: { type: int, min: 1 }
            ```
            """)

    /// A type that is not allowed in its position.
    public static let typeNotAllowed = DiagnosticCode(
        "T0303", "a type that is not allowed here",
        example: .folder(method: "query: { photo: file }\n"),
        explanation: """
            Not every value can be sent everywhere. A query, a path, a header and a form contain
            text, so an object or any JSON can only be sent as JSON text (`style: json`), and null
            cannot be distinguished from text. Files are parts of a multipart body or the whole
            body.

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
            A `default`, a `const`, an example and the values of `in` and `not-in` must be values of
            their type. An example of an object has its required fields, and no others than the type.
            The default of an enumeration is one of its values in the API; a date is a day of the
            calendar, a URL is written as it is sent, and a number must fit its type: a `decimal`
            has 38 digits. A map has each key once, in any notation.

            ```yaml
            count: { type: int, default: 20 }
            ```
            """)

    /// A value listed twice.
    public static let duplicateCase = DiagnosticCode(
        "T0305", "an enumeration value is listed twice",
        example: .folder(user: "sex: { enum: { male: 1, female: 2, other: 2 }, type: int }\n"),
        explanation: """
            A received value could not be mapped to a single name. Often a copied number was not
            changed. Give each value one name:

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
            No value of it could be sent. List the values that the API knows; unknown received
            values are kept. If none is known, use the type `string`.

            ```yaml
            sex: { enum: [male, female] }
            ```
            """)

    /// A type that no map key can have.
    public static let badMapKey = DiagnosticCode(
        "T0308", "a type that cannot be a map key",
        example: .folder(user: "scores: \"{double: int}\"\n"),
        explanation: """
            The keys of a JSON object are text. A map's keys are therefore `string`, `int` (written
            in digits), an alias of one of them, or an enumeration declared under `models`.

            ```yaml
            scores: { string: int }
            ```
            """)

    /// `?` without an effect.
    public static let optionalWithDefault = DiagnosticCode(
        "T0309", "optional with a default", severity: .warning,
        example: .folder(method: "query:\n  count: { type: int?, default: 20 }\n"),
        explanation: """
            With a default the value may be left out anyway, and it is never `nil` in Swift. A
            `const` cannot be left out. Remove the `?`, or remove the default if an absent value has
            a meaning of its own in the API.

            ```yaml
            count: { type: int, default: 20 }
            ```
            """)

    /// `?` where nothing may be missing.
    public static let optionalNotAllowed = DiagnosticCode(
        "T0310", "`?` where nothing may be missing",
        example: .folder(method: "returns: \"[string?]\"\n"),
        explanation: """
            `?` means that a field or parameter may be left out. An element of a list cannot be left
            out, nor can a reply, a value in a path or a model itself. A type that may be null is
            written `| null`; the `?` belongs to the field or parameter.

            ```yaml
            returns: "[string | null]"
            ```
            """)

    /// An attribute that does not apply.
    public static let attributeDoesNotApply = DiagnosticCode(
        "T0311", "an attribute that does not apply",
        example: .folder(user: "name: { type: string, join: \",\" }\n"),
        explanation: """
            The attribute does not apply to this position or to this type. `join` and `style` set
            how a list is encoded in a query, form or header; `style: brackets` and `style: indexed`
            apply only where a name may have brackets. `from` and `as` set how a scalar is encoded,
            and `in` sets the location of a parameter of every request. `default`, `const`, `key`
            and `sensitive` belong to fields and parameters, not to models or elements (`sensitive`
            also to aliases). `invalid` applies to lists and maps in replies, `public` to models.
            A protocol of `conforms` must be possible: `Identifiable` needs a field `id`. Remove the
            attribute, or move it:

            ```yaml
            query: { names: { type: [string], join: "," } }
            ```
            """)

    /// An unknown form of dates.
    public static let unknownDateForm = DiagnosticCode(
        "T0312", "unknown form of dates",
        example: .folder(api: "dates: unix-time\n"),
        explanation: """
            The forms of dates are `unix` (seconds since 1970), `unix-ms`, `date-time` and `date`
            (RFC 3339), `local-date-time` (without an offset, in UTC), `local-date-time +03:00` (at
            another one), or a pattern of `yyyy`, `MM` or `M`, `dd` or `d`, `HH`, `mm`, `ss` and
            `SSS`, each at most once, with other characters in between and letters in quotes.

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

    /// Alternatives of a union that cannot be told apart.
    public static let indistinctAlternatives = DiagnosticCode(
        "T0320", "alternatives that cannot be told apart",
        example: .folder(user: "size: int | double\n"),
        explanation: """
            A received value is read as one of the alternatives of a union, so each value must show
            which one it is: by its kind of JSON (a string, a number, `true` or `false`, an array, an
            object), or by a `tag`. Objects without a `tag` are told apart by a required field that
            has a different constant in each (`const`, or an enumeration with one value), or by a
            required key of each that no other one has. A date is text or a number in JSON, so it
            cannot be told from these. Keep one of the two, or tell them apart:

            ```yaml
            Shape: { one-of: { circle: Circle, square: Square }, tag: kind }
            ```
            """)

    /// A union that is not complete or contradicts itself.
    public static let badUnion = DiagnosticCode(
        "T0321", "an impossible union",
        example: .folder(
            users: """
                methods:
                  users.get: { get: users.get, returns: Attachment }
                models:
                  Attachment: { one-of: { photo: Photo, link: string }, tag: type }
                  Photo: { width: int }

                """),
        explanation: """
            With a `tag`, the alternatives are given with the values of the tag, and each is a model
            with fields, because the tag is one of its keys. A model may declare the tag as a field,
            which then is required and can have the value. With `content`, the alternative is the
            value of another key, and may have any type; so it may with `tag: $key`, where it is the
            value of the object's only key. Without a `tag`, a union has at least two alternatives.

            ```yaml
            Attachment: { one-of: { photo: Photo, link: string }, tag: type, content: value }
            ```
            """)
}

/// T033x: what models share.
extension DiagnosticCode {
    static let sharingCodes: [DiagnosticCode] = [
        .badMixin, .widerField, .badGeneric, .badJoin, .badExtraction, .badPages,
    ]

    /// A mixin that is not a model with fields.
    public static let badMixin = DiagnosticCode(
        "T0330", "a mixin that is not a model with fields",
        example: .folder(
            users: """
                methods:
                  users.get: { get: users.get, returns: User }
                models:
                  User: { with: UserID, name: string }
                  UserID: int

                """),
        explanation: """
            `with` copies the fields of other models into an object, so it names models with fields.
            A model cannot mix itself in, neither directly nor through others. A field that is
            called `with` is written under `fields`.

            ```yaml
            User: { with: Timestamps, name: string }
            Timestamps: { created: Date, updated: Date? }
            ```
            """)

    /// A field that allows more than the mixin's.
    public static let widerField = DiagnosticCode(
        "T0331", "a field that allows more than the mixin's",
        example: .folder(
            users: """
                methods:
                  users.get: { get: users.get, returns: Admin }
                models:
                  User: { id: int, name: string }
                  Admin: { with: User, name: string? }

                """),
        explanation: """
            An object may declare a field of a mixin again to make it stricter: with fewer values,
            with more rules, or required where it was optional. Otherwise a value of the object
            would not fit the mixin. The same holds for two mixins with a field of one name. Rename
            the field, or loosen it in the mixin:

            ```yaml
            User: { id: int, name: string? }
            Admin: { with: User, name: string }
            ```
            """)

    /// A generic model that is declared or used wrongly.
    public static let badGeneric = DiagnosticCode(
        "T0332", "a generic model that is declared or used wrongly",
        example: .folder(
            users: """
                methods:
                  users.get: { get: users.get, returns: "Page<User, int>" }
                models:
                  User: { id: int }
                  Page<Item>: { count: int, items: [Item] }

                """),
        explanation: """
            A use of a generic model has one type for each of its parameters. A parameter has a name
            of its own and is used in the model. A model that contains itself with arguments that
            grow, as `Page<[Item]>` inside `Page<Item>`, would never end.

            ```yaml
            users.get: { get: users.get, returns: Page<User> }
            ```
            """)

    /// A lookup whose list or field is missing or of another type.
    public static let badJoin = DiagnosticCode(
        "T0333", "a lookup of something that the model does not have",
        example: .folder(
            users: """
                methods:
                  wall.get: { get: wall.get, returns: Wall }
                models:
                  Wall:
                    posts: [Post]
                    users: [User]
                    authors: { join: posts.author, in: { users: id } }
                  Post: { from_id: int }
                  User: { id: int }

                """),
        explanation: """
            A lookup finds what the elements of one list of a model refer to in its other lists. `join`
            is a list and a field of its elements, `in` has lists of the same model, each with the field
            that is compared. The fields are all `string` or all `int`; a `-` changes the sign of an
            `int`.

            ```yaml
            authors: { join: posts.from_id, in: { users: id, groups: -id } }
            ```
            """)

    /// A value that a reply does not have.
    public static let badExtraction = DiagnosticCode(
        "T0340", "a value that the reply does not have",
        example: .folder(
            users: """
                methods:
                  wall.get: { get: wall.get, returns: Wall, extract: { first: "posts[0].txt" } }
                models:
                  Wall: { posts: [Post] }
                  Post: { text: string }

                """),
        explanation: """
            `extract` and `login` name values inside the reply of a method by paths, which begin at what
            the method returns. The reply's model tells the type of a value; a `type` of its own is
            needed where the model does not know it, and cannot be another kind of JSON. A path with
            `[*]` gives a list. A stream, a download and a reply to `head` have no such values. The
            tokens of `login` are in sensitive fields.

            ```yaml
            wall.get:
              get: wall.get
              returns: Wall
              extract: { first: "posts[0].text", texts: "posts[*].text" }
            ```
            """)

    /// Pages that do not fit the method.
    public static let badPages = DiagnosticCode(
        "T0341", "pages that do not fit the method",
        example: .folder(
            users: """
                methods:
                  wall.get:
                    get: wall.get
                    query: { offset: int }
                    returns: Wall
                    pages: { items: posts, offset: offset }
                models:
                  Wall: { posts: [Post] }
                  Post: { text: string }

                """),
        explanation: """
            `pages` names the list in the reply of a method, and how the next page is found. The list
            is a declared list or map. A parameter that says where a page begins is an `int`, or has
            the type of what the page before gave, and the first call leaves it out. `total` and
            `last` are each an `int`, `more` is a `bool`. A page at an address of a reply is read by
            `get`.

            ```yaml
            wall.get:
              get: wall.get
              query: { offset: int? }
              returns: Wall
              pages: { items: posts, offset: offset }
            ```
            """)
}

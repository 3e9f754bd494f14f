/// T07xx: names in Swift.
extension DiagnosticCode {
    static let swiftNameCodes: [DiagnosticCode] = [
        .nameCollision, .reservedName, .noSwiftName, .badSwiftName,
    ]

    /// Two names with the same Swift name.
    public static let nameCollision = DiagnosticCode(
        "T0701", "two names become one in Swift",
        example: .folder(user: "first_name: string\nfirstName: string\n"),
        explanation: """
            Swift names are made of the API's names: `first_name` and `firstName` both become
            `firstName`. They must differ in Swift, so give one of them a name of its own. A value
            of an enumeration gets its name from a key, `enum: { name: value }`, and a group from
            its file.

            ```yaml
            first_name: { type: string, swift: { name: givenName } }
            firstName: string
            ```
            """)

    /// A reserved name.
    public static let reservedName = DiagnosticCode(
        "T0702", "a name that Swift or Telex reserves",
        example: .folder(
            users: """
                methods:
                  users.get: { get: users.get, returns: [Error] }
                models:
                  Error: { code: int }

                """),
        explanation: """
            Generated code uses this name for something else: a type of Swift or of Telex. Swift
            keywords are escaped, and a field or a value with the name of a member of every value
            gets a suffix: `self` becomes `selfValue`.

            ```yaml
            Error: { fields: { code: int }, swift: { name: UserError } }
            ```
            """)

    /// A text without a letter or digit.
    public static let noSwiftName = DiagnosticCode(
        "T0703", "a text that cannot become a Swift name",
        example: .folder(user: "\"+1\": int\n\"***\": int\n"),
        explanation: """
            A Swift name is made of the letters and digits of the API's name, and this one has none.
            Choose a name; `key` keeps the API's name.

            ```yaml
            stars: { key: "***", type: int }
            ```
            """)

    /// A given name that is no identifier.
    public static let badSwiftName = DiagnosticCode(
        "T0704", "not a Swift identifier",
        example: .folder(user: "2fa: { type: bool, swift: { name: 2fa } }\n"),
        explanation: """
            `swift: { name: … }` is used as it is. It consists of letters, digits and `_` and does
            not begin with a digit; keywords are escaped where they need it.

            ```yaml
            2fa: { type: bool, swift: { name: hasTwoFactor } }
            ```
            """)
}

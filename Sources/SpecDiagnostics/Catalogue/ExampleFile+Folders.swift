/// Small spec folders that compile but for the one mistake that an example adds.
extension [ExampleFile] {
    /// An API whose `api.yaml` goes on with `api`, and whose one group is `users`.
    static func folder(api: String = "", users: String = soundGroup) -> [ExampleFile] {
        [ExampleFile("api.yaml", soundAPI + api), ExampleFile("users.yaml", users)]
    }

    /// An API whose one method returns a `User`; `user` is what its model says.
    static func folder(user: String) -> [ExampleFile] {
        folder(
            users: """
                methods:
                  users.get: { get: users.get, returns: [User] }
                models:
                  User:
                \(indented(user))
                """)
    }

    /// An API whose one method goes on with `method`.
    static func folder(method: String, api: String = "") -> [ExampleFile] {
        folder(
            api: api,
            users: """
                methods:
                  users.get:
                    get: users.get
                \(indented(method))
                """)
    }

    /// A group without mistakes.
    static let soundGroup = """
        methods:
          users.get: { get: users.get, returns: string }

        """

    /// The least that an `api.yaml` says.
    static let soundAPI = """
        telex: 1
        api: VK
        servers: { production: https://api.vk.com/method/ }

        """

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "    \($0)\n" }.joined()
    }
}

/// Small spec folders whose only mistake is the one that the example adds.
extension [ExampleFile] {
    /// An API with `api` appended to `api.yaml`, and with one group, `users`.
    static func folder(api: String = "", users: String = soundGroup) -> [ExampleFile] {
        [ExampleFile("api.yaml", soundAPI + api), ExampleFile("users.yaml", users)]
    }

    /// An API whose one method returns a `User`; `user` is the model's content.
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

    /// An API with `method` appended to its one method.
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

    /// An API whose one method returns a `User` and has a template; `method` is added to the method.
    static func folder(template: String, method: String = "", api: String = "") -> [ExampleFile] {
        let users = """
            methods:
              users.get:
                get: users.get
                returns: User
            \(indented(method))
            models:
              User: { id: int, age: { type: int, max: 150 } }

            """
        return folder(api: api, users: users)
            + [ExampleFile("templates/users.get.json", template + "\n")]
    }

    /// A group without mistakes.
    static let soundGroup = """
        methods:
          users.get: { get: users.get, returns: string }

        """

    /// A minimal `api.yaml`.
    static let soundAPI = """
        telex: 1
        api: VK
        servers: { production: https://api.vk.com/method/ }

        """

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "    \($0)\n" }.joined()
    }
}

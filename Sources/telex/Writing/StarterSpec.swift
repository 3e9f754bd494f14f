import SpecIR

/// The files of `telex new`: a small API that compiles and shows common features.
struct StarterSpec {
    /// Names and texts of the files.
    let files: [(name: String, text: String)]

    /// The Swift name of the API.
    let api: String

    /// Creates a spec whose API is named after a folder.
    init(folder: String) {
        api = Self.name(folder)
        files = [("api.yaml", Self.api(named: api)), ("users.yaml", Self.users)]
    }

    /// The folder's name in upper camel case, or `MyAPI` if it is not a Swift name.
    private static func name(_ folder: String) -> String {
        let name = OutputName.file(forSpec: folder).dropLast(".swift".count)
            .filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard let first = name.first, first.isLetter else { return "MyAPI" }
        // The suffix avoids collisions with Swift types, for instance for a folder `string`. The
        // group `users` of the starter declares `UsersAPI`.
        let full = name.lowercased().hasSuffix("api") ? name : name + "API"
        return full.lowercased() == "usersapi" ? "MyAPI" : full
    }

    private static func api(named name: String) -> String {
        """
        # The API as a whole. Each other YAML file of this folder is a group of methods.
        telex: 1                      # the version of this language
        api: \(name)
        doc: What this API is, in a sentence.

        servers:                      # the first one is the default
          production: https://api.example.com/v1/
          local:                      # `{…}` is filled in by the app
            url: http://127.0.0.1:{port}/v1/
            variables: { port: "8080" }

        headers:                      # sent with every request; `parameters:` go into the query
          Accept: application/json

        # How a request carries the token, and what "log in again" looks like. Remove it if there
        # are no accounts.
        auth:
          oauth2:
            token: bearer
            expired: { status: 401 }

        # Where a failed reply says why, and the codes that your app wants to know by name.
        errors:
          at: error
          code: code
          message: message
          cases:
            notFound: not_found
            tooManyRequests: { code: too_many_requests, retry: true }

        timeout: 15s
        dates: date-time              # how dates are written: date-time, unix, unix-ms, date

        """
    }

    private static let users = """
        # A group: `client.users.list()` in Swift. Types are words; `?` marks what may be missing.
        doc: People.

        methods:
          users.list:
            get: users                # verb: path, added to the server's address
            doc: All users, page by page.
            query:
              page:  { type: int, default: 1, min: 1 }
              limit: { type: int, default: 20, min: 1, max: 100 }
              role:  Role?
            returns: [User]

          users.get:
            get: users/{id}           # `{id}` is a parameter of the path
            path: { id: int }
            returns: User

          users.create:
            post: users
            json:
              name:  { type: string, min-length: 1, max-length: 64 }
              email: Email
            returns: User

          users.delete:
            delete: users/{id}
            path: { id: int }
            returns: nothing

        models:
          User:
            doc: One person.
            fields:
              id: int
              name: string
              email: { type: Email, sensitive: true }    # never in logs
              role: Role
              created_at: Date
              avatar: { url: url, width: int? }          # a model of its own, declared inline

          Email: { type: string, format: email }         # a type that carries a rule
          Role: { enum: [admin, member, guest] }         # a value unknown today is kept

        """
}

import TelexCompiler

/// A spec of any size with the structure of a real API. Every method has a list and paging
/// arguments. Every group has models of about ten fields with rules, an enumeration and an inline
/// model.
enum SyntheticSpec {
    static func folder(methods count: Int, perGroup: Int = 15) -> SpecFolder {
        var files = [file("api.yaml", api)]
        for start in stride(from: 0, to: count, by: perGroup) {
            let group = start / perGroup
            let methods = min(perGroup, count - start)
            files.append(file("group\(group).yaml", self.group(group, methods)))
        }
        return SpecFolder(shownPath: "specs", files: files)
    }

    private static func file(_ path: String, _ text: String) -> SpecFolder.File {
        SpecFolder.File(relativePath: path, shownPath: path, bytes: Array(text.utf8))
    }

    private static let api = """
        telex: 1
        api: Big
        servers: { production: https://api.example.com/ }
        parameters: { v: "5.199" }
        auth: { oauth2: { token: { in: query, name: access_token } } }
        success: { status: 200..299, absent: error }
        unwrap: response
        errors: { at: error, code: error_code, message: error_msg, cases: { expired: 5 } }
        dates: unix

        """

    private static func group(_ group: Int, _ methods: Int) -> String {
        var text = "methods:\n"
        for method in 0..<methods { text += self.method(group, method) }
        text += "models:\n"
        for method in 0..<methods { text += model(group, method) }
        return text
            + "  Kind\(group):\n    enum: [first, second, third, fourth, fifth]\n"
    }

    private static func method(_ group: Int, _ method: Int) -> String {
        """
          group\(group).method\(method):
            get: group\(group).method\(method)
            doc: Returns the things of kind \(method), newest first.
            query:
              ids: { type: [string], max-items: 1000, join: "," }
              offset: { type: int, default: 0, min: 0 }
              count: { type: int, default: 20, min: 1, max: 100 }
              kind: Kind\(group)?
            returns: { count: int, items: [Thing\(group)x\(method)] }

        """
    }

    private static func model(_ group: Int, _ method: Int) -> String {
        """
          Thing\(group)x\(method):
            doc: A thing.
            fields:
              id: int
              title: { type: string, max-length: 200, doc: What people see. }
              description: string?
              created: Date
              kind: Kind\(group)
              likes: { count: int, user_likes: bool01 }
              photo_50: url?
              owner_id: int
              tags: [string]
              rating: { type: double?, min: 0, max: 5 }

        """
    }
}

import TelexCompiler
import Testing

@testable import SpecLanguageServer

@Suite("A rename")
struct RenameTests {
    private static let files = [
        "users.yaml": """
        methods:
          get:
            get: users/{id}
            path: { id: int }
            query: { from: int?, to: int? }
            rules: [{ expr: from < to }]
            returns: User
        models:
          User: { id: int, city: "City?" }
          City: { name: string }

        """,
        "posts.yaml": """
        capabilities: { Reading: [list] }
        methods:
          posts.list: { get: posts, returns: [Post], deprecated: { use: users.get } }
        models:
          Post: { author: User, at: City? }

        """,
        "templates/users.get.json": #"{ "id": 1, "city": { "name": "Ulm" } }"# + "\n",
    ]

    private static func session() -> EditorSession {
        var session = EditorSession(files)
        session.open("users.yaml")
        session.open("posts.yaml")
        return session
    }

    /// The lines that differ after a rename, by their files.
    private func changes(_ place: String, in path: String, to name: String) -> [String] {
        var session = Self.session()
        let edit = session.request(
            "textDocument/rename", session.place(place, in: path, ["newName": .text(name)]))
        let new = session.applied(edit)
        #expect(edit["code"] == .null, "\(edit["message"])")
        #expect(
            TelexCompiler.check(
                SpecOnDisk.folder(["api.yaml": EditorSession.api].merging(new) { _, own in own })
            )
            .diagnostics.isEmpty)
        return new.keys.sorted().flatMap { file in
            guard let old = Self.files[file] else { return file == "api.yaml" ? [] : [file] }
            let pairs = zip(old.split(separator: "\n"), (new[file] ?? "").split(separator: "\n"))
            return pairs.filter { $0 != $1 }.map { "\(file): \($1.drop { $0 == " " })" }
        }
    }

    @Test("a rename of a model changes all files of the spec")
    func model() {
        #expect(
            changes("Ci‸ty: { name", in: "users.yaml", to: "Town") == [
                "posts.yaml: Post: { author: User, at: Town? }",
                #"users.yaml: User: { id: int, city: "Town?" }"#,
                "users.yaml: Town: { name: string }",
            ])
    }

    @Test("a rename of a method changes its uses with and without the group, and its template")
    func method() {
        #expect(
            changes("  g‸et:\n", in: "users.yaml", to: "find") == [
                "posts.yaml: posts.list: { get: posts, returns: [Post], deprecated: { use: users.find } }",
                "templates/users.find.json", "users.yaml: find:",
            ])
        #expect(
            changes("Reading: [l‸ist]", in: "posts.yaml", to: "all") == [
                "posts.yaml: capabilities: { Reading: [all] }",
                "posts.yaml: posts.all: { get: posts, returns: [Post], deprecated: { use: users.get } }",
            ])
    }

    @Test("a rename of a field changes the templates")
    func field() {
        #expect(
            changes("ci‸ty:", in: "users.yaml", to: "place") == [
                #"templates/users.get.json: { "id": 1, "place": { "name": "Ulm" } }"#,
                #"users.yaml: User: { id: int, place: "City?" }"#,
            ])
    }

    @Test("a rename of a parameter changes paths and rules")
    func parameter() {
        #expect(
            changes("path: { i‸d", in: "users.yaml", to: "user") == [
                "users.yaml: get: users/{user}", "users.yaml: path: { user: int }",
            ])
        #expect(
            changes("expr: fr‸om", in: "users.yaml", to: "start") == [
                "users.yaml: query: { start: int?, to: int? }",
                "users.yaml: rules: [{ expr: start < to }]",
            ])
    }

    @Test(
        "a rename that the compiler refuses is none",
        arguments: [
            ("Ci‸ty: { name", "User", "`User` cannot be the name: `User` has no field"),
            (
                "Ci‸ty: { name", "string",
                "`string` cannot be the name: `string` is a type of the language"
            ),
            ("Ci‸ty: { name", "a b", "a name consists of letters, digits and `_`, `-`, `.`"),
            ("Ci‸ty: { name", "", "a name consists of letters, digits and `_`, `-`, `.`"),
            ("retu‸rns", "x", "there is no name here"),
        ])
    func refused(place: String, name: String, message: String) {
        var session = Self.session()
        let reply = session.request(
            "textDocument/rename",
            session.place(place, in: "users.yaml", ["newName": .text(name)]))
        #expect(reply["code"] == -32803)
        #expect(reply["message"].text?.hasPrefix(message) == true, "\(reply)")
    }

    @Test("an editor learns beforehand what can be renamed, and the version that edits are for")
    func preparation() {
        var session = Self.session()
        func prepared(_ place: String) -> JSONTree {
            session.request("textDocument/prepareRename", session.place(place, in: "users.yaml"))
        }
        #expect(prepared("returns: Us‸er")["placeholder"] == "User")
        #expect(prepared("retu‸rns: User") == .null)
        session.type((session.texts["users.yaml"] ?? "") + "# more\n", in: "users.yaml")
        let edit = session.request(
            "textDocument/rename",
            session.place("returns: Us‸er", in: "users.yaml", ["newName": "Person"]))
        let versions = edit["documentChanges"].items.map { $0["textDocument", "version"] }
        #expect(versions == [2, 3])
    }

    @Test("an editor that cannot move files cannot rename a method with a template of its name")
    func template() {
        var session = EditorSession(Self.files, capabilities: [:])
        session.open("users.yaml")
        let reply = session.request(
            "textDocument/rename",
            session.place("  g‸et:\n", in: "users.yaml", ["newName": "find"]))
        #expect(
            reply["message"]
                == "the editor cannot rename the method's template, which is called like it")
    }

    @Test(
        "any name of a real spec can be renamed, or the compiler says why not",
        arguments: ["vk", "bookshelf"])
    func realSpec(name: String) async throws {
        let files = try SpecOnDisk.files(name)
        var (session, refused, count) = (try EditorSession(spec: name), [String](), 0)
        for path in files.keys.sorted() where path.hasSuffix(".yaml") {
            session.open(path)
            let outline = session.request("textDocument/documentSymbol", session.document(path))
            let entries = outline.items + outline.items.flatMap { $0["children"].items.prefix(2) }
            // Every tenth one, because each is a check of the spec.
            for (index, entry) in entries.enumerated() where index % 10 == 0 {
                // Tests beside this one get their turns.
                await Task.yield()
                count += 1
                let name = (entry["name"].text ?? "") + "Renamed"
                let edit = session.request(
                    "textDocument/rename",
                    session.document(path).with([
                        "position": entry["selectionRange", "start"], "newName": .text(name),
                    ]))
                if let message = edit["message"].text {
                    refused.append(message)
                    continue
                }
                let check = TelexCompiler.check(SpecOnDisk.folder(session.applied(edit)))
                #expect(check.diagnostics.isEmpty, "\(name): \(check.diagnostics.all)")
            }
        }
        #expect(count >= 5)
        #expect(refused.count * 10 < count, "\(refused)")
    }
}

extension JSONTree {
    /// The object with further members.
    fileprivate func with(_ more: [String: JSONTree]) -> JSONTree {
        guard case .object(let members) = self else { return self }
        return .object(members.merging(more) { first, _ in first })
    }
}

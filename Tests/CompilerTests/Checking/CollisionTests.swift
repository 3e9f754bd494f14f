import Foundation
import SpecSemantics
import Testing

@Suite("Collisions of Swift names are errors with both spans")
struct CollisionTests {
    /// The message of the one diagnostic, and what its span and its notes underline.
    private func told(_ analysis: Analysis) -> [String] {
        guard analysis.codes.count == 1, let diagnostic = analysis.bag.all.first else {
            return analysis.marks
        }
        let places = [diagnostic.span] + diagnostic.notes.compactMap(\.span)
        return [diagnostic.message]
            + places.map { analysis.sources[$0.file].text(of: $0) }
    }

    @Test("colliding parameters of a method are an error with both spans, wherever they go")
    func parameters() {
        let analysis = Analysis(
            users:
                "methods:\n  get: { get: a, query: { user_id: int }, headers: { User-ID: int } }\n")
        #expect(
            told(analysis) == [
                "`User-ID` and `user_id` both become `userID` in method `get`", "User-ID",
                "user_id",
            ])
    }

    @Test("a method's parameter wins over one of its group and one of every request")
    func everyRequest() throws {
        let analysis = Analysis(
            users: """
                headers: { X-V: "6", X-W: "1" }
                methods:
                  get: { get: a, headers: { x-v: int } }

                """,
            api: "headers: { X-V: \"5\" }\n")
        #expect(analysis.rendered.isEmpty)
        let method = try #require(analysis.method("users.get"))
        #expect(method.parameters.map(\.key) == ["X-W", "x-v"])
    }

    @Test("colliding methods of a group, and methods of the API, are errors with both spans")
    func methods() {
        let inGroup = Analysis(users: "methods:\n  get_all: { get: a }\n  getAll: { get: b }\n")
        #expect(inGroup.codes == ["T0701"])
        let inAPI = Analysis([
            "api.yaml": Analysis.smallAPI, "a.yaml": "methods: { b.get: { get: a } }\n",
            "b.yaml": "methods: { get: { get: b }, b/get: { get: c } }\n",
        ])
        #expect(inAPI.codes == ["T0203", "T0701"])
    }

    @Test("colliding models of different files are an error with both spans")
    func models() {
        let analysis = Analysis([
            "api.yaml": Analysis.smallAPI,
            "a.yaml":
                "methods: { get: { get: a, returns: UserName } }\nmodels: { UserName: { x: int } }\n",
            "b.yaml":
                "methods: { get: { get: b, returns: user_name } }\nmodels: { user_name: { y: int } }\n",
        ])
        #expect(
            told(analysis) == [
                "model `user_name` and model `UserName` both become `UserName` in the module",
                "user_name", "UserName",
            ])
    }

    @Test("a model that collides with what is generated for a group is an error with both spans")
    func group() {
        let analysis = Analysis(
            users:
                "methods: { get: { get: a, returns: UsersFake } }\nmodels: { UsersFake: { x: int } }\n"
        )
        #expect(analysis.codes == ["T0701"])
        #expect(analysis.bag.all.first?.message.contains("group `users.yaml`") == true)
    }

    @Test("two files of one name are reported once")
    func files() {
        let analysis = Analysis([
            "api.yaml": Analysis.smallAPI, "users.yaml": "models: { A: int }\n",
            "users.yml": "models: { B: int }\n",
        ])
        #expect(analysis.codes == ["T0701"])
        #expect(analysis.bag.all.first?.help?.contains("rename") == true)
    }

    @Test("colliding inline types inside a model or the module are errors with both spans")
    func inline() {
        let nested = Analysis(
            users: """
                methods: { get: { get: a, returns: User } }
                models:
                  User: { last_seen: { x: int }, lastSeens: [{ y: int }] }
                """)
        #expect(
            told(nested) == [
                "the type of `lastSeens` and the type of `last_seen` both become `LastSeen` in model `User`",
                "lastSeens", "last_seen",
            ])
        let module = Analysis(
            users: """
                methods: { get: { get: a, returns: { x: int } }, two: { get: b, returns: UsersGetReply } }
                models: { UsersGetReply: { x: int } }
                """)
        #expect(module.codes == ["T0701"])
    }

    @Test("an inline type with a name of its own may not shadow a model of a sibling field")
    func hiding() {
        let hiding = Analysis(
            users: """
                methods: { get: { get: a, returns: Order } }
                models:
                  Order: { owner: User, user: { fields: { id: int }, swift: { type: User } } }
                  User: { id: int }
                """)
        #expect(
            told(hiding) == [
                "the type declared here shadows model `User`, which is used in its scope", "user",
                "User",
            ])
    }

    @Test(
        "an inline type that would shadow a model of its scope gets the name of its own model in front",
        arguments: [
            ("{ owner: User, user: { id: int } }", "Order.OrderUser"),
            ("{ user: { owner: User } }", "Order.OrderUser"),
            ("{ owners: Users, user: { id: int } }", "Order.OrderUser"),
            ("{ order: { enum: [asc, desc] } }", "Order.OrderOrder"),
            ("{ items: { order: { enum: [asc, desc] } } }", "Order.Items.ItemsOrder"),
            ("{ user: { id: int } }", "Order.User"),
            ("{ by: { user: { id: int } }, owner: User }", "Order.By.User"),
        ])
    func toldApart(order: String, name: String) {
        let analysis = Analysis(
            users: """
                methods: { get: { get: a, returns: [Order] }, two: { get: b, returns: Users } }
                models:
                  Order: \(order)
                  User: { id: int }
                  Users: [User]
                """)
        #expect(analysis.rendered.isEmpty)
        #expect(analysis.model(name) != nil)
    }

    @Test("colliding values of an enumeration, and error cases, are errors with both spans")
    func values() {
        let enumeration = Analysis(
            users:
                "methods: { get: { get: a, query: { sort: { enum: [new_first, newFirst] } } } }\n")
        #expect(enumeration.codes == ["T0701"])
        #expect(enumeration.bag.all.first?.help?.contains("enum: {") == true)
        let errors = Analysis(
            users: "methods: { get: { get: a } }\n",
            api: "errors: { code: c, cases: { not_found: 1, notFound: 2 } }\n")
        #expect(errors.codes == ["T0701"])
    }

    @Test(
        "names that Swift or Telex reserves are errors",
        arguments: ["Error", "string", "Data", "JSONReader", "Type", "Self", "Date", "APIPatterns"])
    func reserved(name: String) {
        let analysis = Analysis(
            users:
                "methods: { get: { get: a, returns: \(name) } }\nmodels: { \(name): { x: int } }\n")
        #expect(analysis.marks == ["T0702: \(name)"])
    }

    /// The declarations inside the manager's class and its extensions.
    private static func managerProperties(in source: String) -> [String] {
        let bodies = source.matches(
            of: #/(?ms)^(?:[a-z ]*class|extension|[a-z ]*extension) APIManager\b.*?^}$/#)
        return bodies.flatMap {
            $0.output.matches(of: #/(?m)^    public (?:[a-z()]+ )*(?:let|var) (\w+)/#)
        }.map { String($0.output.1) }
    }

    @Test("the names of all public properties of a manager are reserved")
    func reservedProperties() throws {
        let folder = LanguageReferenceTests.root.appending(path: "Sources")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        var found: Set<String> = ["self"]
        for file in files where file.hasPrefix("Telex") && file.hasSuffix(".swift") {
            let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            found.formUnion(Self.managerProperties(in: source))
        }
        #expect(found == ReservedNames.managerProperties)
        let sample =
            "extension APIManager: A {\n    public var oddOne: Int { 1 }\n    let b = 1\n}\n"
        #expect(Self.managerProperties(in: sample) == ["oddOne"])
    }

    @Test(
        "a group has no name of its manager's properties",
        arguments: ReservedNames.managerProperties.sorted())
    func managerProperties(name: String) {
        let analysis = Analysis([
            "api.yaml": Analysis.smallAPI, "\(name).yaml": "methods: { get: { get: a } }\n",
        ])
        #expect(analysis.codes == ["T0702"])
    }

    @Test("a model has no name of what is generated for a group")
    func groupTypes() {
        for end in ["API", "Methods", "Fake", "Requests", "Mapper", "Patterns"] {
            let analysis = Analysis(
                users: """
                    methods: { get: { get: a, returns: Users\(end) } }
                    models: { Users\(end): { x: int } }
                    """)
            #expect(analysis.codes == ["T0701"], "\(end)")
        }
    }

    @Test("keywords get backticks, or a suffix where backticks are not possible")
    func keywords() {
        let analysis = Analysis(
            users: """
                methods:
                  import: { get: a, query: { class: int, in: int, default: int }, returns: Thing }
                models:
                  Thing: { case: int, self: int }
                """)
        #expect(analysis.marks.isEmpty)
        let thing = analysis.model("Thing")
        guard case .object(let fields) = thing?.kind else { return #expect(thing != nil) }
        #expect(fields.map(\.name) == ["case", "selfValue"])
    }

    @Test("an explicit name resolves a collision, for the property and its type")
    func given() {
        let analysis = Analysis(
            users: """
                methods: { get: { get: a, returns: User } }
                models:
                  User:
                    last_seen: { fields: { x: int }, swift: { name: wasHere, type: WasHere } }
                    lastSeen: { fields: { y: int } }
                """)
        #expect(analysis.rendered.isEmpty)
        #expect(analysis.field("User", "wasHere")?.value.type == .object("User.WasHere"))
    }
}

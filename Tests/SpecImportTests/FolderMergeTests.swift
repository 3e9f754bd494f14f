import SpecImport
import Testing

@Suite("Merging a new import with an edited folder")
struct FolderMergeTests {
    private static let api = "telex: 1\napi: Shop\n"
    private static let users =
        "doc: Users.\n\nmethods:\n  users.get: { get: users, returns: [int] }\n"
    private static let goods = """
        methods:
          goods.get: { get: goods, returns: Good }

        models:
          Good: { id: int }
          Tag: { id: int }

        """

    private static func folder(
        goods: String? = goods, users: String? = users, _ others: [String: String] = [:]
    ) -> [String: String] {
        var files = others
        files["api.yaml"] = api
        files["goods.yaml"] = goods
        files["users.yaml"] = users
        return files
    }

    private static let withoutTag = goods.replacing("  Tag: { id: int }\n", with: "")

    private static func merge(_ ours: [String: String], _ theirs: [String: String]) -> Merged {
        let merged = Merged(base: folder(), ours: ours, theirs: theirs)
        #expect(merged.problems == "")
        let again = Merged(base: theirs, ours: merged.files, theirs: theirs)
        #expect(again.result.changes.isEmpty, "a second update changes nothing")
        #expect(again.conflicts == "")
        return merged
    }

    // MARK: Failures

    @Test("a merge reports mistakes in the YAML of the folder, and merges nothing")
    func badYAML() {
        let merged = Merged(
            base: Self.folder(), ours: Self.folder(goods: "methods: [\n"), theirs: Self.folder())
        #expect(merged.problems.hasPrefix("goods.yaml:"))
        #expect(merged.result.changes.isEmpty)
    }

    @Test("a merge reports an alias whose anchor the description has removed")
    func lostAnchor() {
        let merged = Merged(
            base: Self.folder(),
            ours: Self.folder(
                goods: Self.goods.replacing("Good: { id: int }", with: "Good: { id: &a int }")
                    .replacing("Tag: { id: int }", with: "Tag: { id: *a }")),
            theirs: Self.folder(goods: Self.goods.replacing("  Good: { id: int }\n", with: "")))
        #expect(
            merged.problems
                == "goods.yaml:1:1: error: a merge would leave a mistake: no anchor `&a` precedes "
                + "this alias [T1005]\n"
                + "goods.yaml:1:1: note: help: write the values of aliases out\n")
    }

    @Test(
        "a merge refuses a file into which nothing can be merged, if something would be",
        arguments: [
            "[goods]\n", "models: &m { A: int }\n", "doc: &m { A: int }\nmodels: *m\n",
            "models: A\n",
        ])
    func fixed(text: String) {
        let ours = Self.folder(goods: text)
        let more = Self.folder(goods: Self.goods + "  New: int\n")
        let merged = Merged(base: Self.folder(), ours: ours, theirs: more)
        #expect(merged.problems.contains("error: nothing can be merged into this value [T1005]"))
        #expect(Merged(base: Self.folder(), ours: ours, theirs: Self.folder()).files == ours)
    }

    @Test("merging a new import with an edited folder fills a section that is empty")
    func emptySection() {
        let merged = Self.merge(
            Self.folder(users: Self.users + "models: # none\n"),
            Self.folder(users: Self.users + "\nmodels:\n  New: int\n"))
        #expect(merged.files["users.yaml"] == Self.users + "models: # none\n  New: int\n")
    }

    @Test("a merge contradicts where a changed method was removed with its file")
    func removedFile() {
        let merged = Self.merge(
            Self.folder(users: nil),
            Self.folder(users: Self.users.replacing("[int]", with: "[string]")))
        #expect(
            merged.conflicts.hasPrefix(
                "record/users.yaml:4:14: error: the description changed `users.get`"))
        #expect(merged.files == Self.folder(users: nil))
    }

    @Test("a merge contradicts where a file was removed whose method was edited")
    func removedByDescription() {
        let edited = Self.users.replacing("[int]", with: "[string]")
        let merged = Self.merge(Self.folder(users: edited), Self.folder(users: nil))
        #expect(
            merged.conflicts.hasPrefix(
                "users.yaml:2:3: error: the description has removed `users.get`"))
        #expect(
            merged.files["users.yaml"]
                == "methods:\n  users.get: { get: users, returns: [string] }\n")
    }

    // MARK: Moves

    @Test("a merge follows a model and a method that were moved to other files")
    func moved() {
        let tags = "models:\n  # moved\n  Tag: { id: int }\n"
        let merged = Self.merge(
            Self.folder(goods: Self.withoutTag, ["own/tags.yaml": tags]),
            Self.folder(goods: Self.goods.replacing("Tag: { id: int", with: "Tag: { id: string")))
        #expect(merged.conflicts == "")
        #expect(
            merged.files
                == Self.folder(
                    goods: Self.withoutTag,
                    ["own/tags.yaml": tags.replacing("int", with: "string")]))
    }

    @Test("a merge follows a model into the description's other file, unless its file was edited")
    func placed() {
        let theirs = Self.folder(
            goods: Self.withoutTag, ["models.yaml": "models:\n  Tag: { id: int, name: string }\n"])
        #expect(Self.merge(Self.folder(), theirs).files == theirs)
        let edited = Self.goods.replacing("get: goods", with: "get: wares")
        let merged = Self.merge(Self.folder(goods: edited), theirs)
        #expect(merged.conflicts == "")
        #expect(
            merged.files
                == Self.folder(
                    goods: edited.replacing(
                        "Tag: { id: int }", with: "Tag: { id: int, name: string }")))
    }

    @Test("a merge moves what was not edited into a file that was")
    func placedInEdited() {
        let merged = Self.merge(
            Self.folder(users: Self.users + "# mine\n"),
            Self.folder(
                goods: Self.withoutTag, users: Self.users + "\nmodels:\n  Tag: { id: int }\n"))
        #expect(
            merged.files
                == Self.folder(
                    goods: Self.withoutTag,
                    users: Self.users + "\nmodels:\n  Tag: { id: int }\n# mine\n"))
        #expect(merged.result.counts == SpecMerge.Counts())
    }

    @Test("a merge adds to a file that was renamed, and changes its settings")
    func renamed() {
        let merged = Self.merge(
            Self.folder(users: nil, ["people.yml": "# mine\n" + Self.users]),
            Self.folder(
                users: "doc: All users.\n\nmethods:\n  users.get: { get: users, returns: [int] }\n"
                    + "  users.add: { post: users }\n"))
        #expect(merged.conflicts == "")
        #expect(
            merged.files
                == Self.folder(
                    users: nil,
                    [
                        "people.yml": """
                        # mine
                        doc: All users.

                        methods:
                          users.get: { get: users, returns: [int] }
                          users.add: { post: users }

                        """
                    ]))
    }

    // MARK: Files

    @Test("a merge adds and removes files, and keeps those of one's own")
    func files() {
        let own = [
            "own.yaml": "methods:\n  get: { get: own }\n", "more.yaml": "models: { A: int }\n",
        ]
        let news = ["news.yaml": "methods:\n  news.get: { get: news }\n"]
        let merged = Self.merge(Self.folder(own), Self.folder(goods: nil, news))
        #expect(merged.conflicts == "")
        #expect(merged.files == Self.folder(goods: nil, own.merging(news) { first, _ in first }))
    }

    @Test("a merge does not bring back what was removed, but adds what is new beside it")
    func removed() {
        let ours = Self.folder(goods: nil)
        #expect(Self.merge(ours, Self.folder()).files == ours)
        let more = "  goods.add: { post: goods }\n"
        let theirs = Self.folder(goods: Self.goods.replacing("\nmodels", with: more + "\nmodels"))
        #expect(Self.merge(ours, theirs).files == Self.folder(goods: "methods:\n" + more))
    }

    @Test("a merge adds to a file of one's own that has the name of a new one")
    func sameName() {
        let own = ["own.yaml": "methods:\n  own.get: { get: own }\n"]
        let merged = Self.merge(
            Self.folder(own), Self.folder(["own.yaml": "methods:\n  own.add: { post: own }\n"]))
        #expect(
            merged.files["own.yaml"]
                == "methods:\n  own.add: { post: own }\n  own.get: { get: own }\n")
    }

    @Test("merging a new import with an edited folder counts methods, models and settings")
    func counts() {
        let merged = Self.merge(
            Self.folder(
                goods: Self.goods.replacing("get: goods", with: "get: wares"),
                users: Self.users.replacing("doc: Users.", with: "doc: People.")),
            Self.folder(
                goods: """
                    methods:
                      goods.get: { get: goods, returns: Good }
                      goods.add: { post: goods }

                    models:
                      Good: { id: string, name: string }
                      New: { id: int }

                    """,
                users: Self.users.replacing("Users.", with: "All."), ["n.yaml": "doc: New\n"]))
        var counts = SpecMerge.Counts()
        (counts.added, counts.changed, counts.removed) = (3, 1, 1)
        (counts.kept, counts.conflicts) = (1, 1)
        #expect(merged.result.counts == counts)
    }
}

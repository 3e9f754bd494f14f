import SpecIR
import Testing

@Suite("A generic model becomes one model for each use")
struct GenericTests {
    private func analysis(returns: String, _ models: String) -> Analysis {
        Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: \(returns) }
                models:
                \(models.split(separator: "\n").map { "  \($0)\n" }.joined())
                """)
    }

    private static let page = """
        Page<Item>: { count: int, items: [Item], next: Page<Item>? }
        User: { id: int }

        """

    @Test(
        "instances are named after the model and the arguments",
        arguments: [
            ("Page<User>", "PageUser"), ("\"Page<[int]>\"", "PageIntList"),
            ("Page<string | null>", "PageOptionalString"),
            ("Page<Page<User>>", "PagePageUser"), ("\"Page<{string: User}>\"", "PageUserByString"),
        ])
    func names(use: String, name: String) {
        let analysis = analysis(returns: use, Self.page)
        #expect(analysis.codes.filter { $0 != "T0205" } == [])
        #expect(analysis.method("users.get")?.output == .value(Value(.object(name))))
    }

    @Test("an instance has the fields of the model with the argument")
    func fields() throws {
        let analysis = analysis(returns: "Page<User>", Self.page)
        let items = try #require(analysis.field("PageUser", "items"))
        #expect(items.value.type == .list(Value(.object("User"))))
        let next = try #require(analysis.field("PageUser", "next"))
        #expect(next.isOptional && next.isIndirect)
        #expect(analysis.model("Page") == nil)
    }

    @Test("an alias of an instance gives it its name, everywhere")
    func alias() {
        let analysis = analysis(
            returns: "Page<User>", Self.page + "Users: Page<User>\nAgain: Page<User>\n")
        #expect(analysis.method("users.get")?.output == .value(Value(.object("Users"))))
        #expect(analysis.model("PageUser") == nil)
    }

    @Test("several parameters, aliases, mixins and inline types are generic as well")
    func shapes() {
        let analysis = analysis(
            returns: "\"Result<User, [int]>\"",
            """
            Result<A, B>: { with: Base<A>, b: List<B>, more: { a: A? } }
            Base<T>: { first: T }
            List<T>: { type: [T], max-items: 3 }
            User: { id: int }
            """)
        #expect(analysis.codes == [])
        #expect(analysis.field("ResultUserIntList", "first")?.value.type == .object("User"))
        let list = analysis.field("ResultUserIntList", "b")?.value
        #expect(list?.rules == [Rule(.maxItems, .count(3))])
        #expect(analysis.field("ResultUserIntList.More", "a")?.isOptional == true)
    }

    @Test("instances that differ in nothing but a model share a structure, declared with the first")
    func structures() throws {
        let analysis = analysis(
            returns: "\"Result<Page<User>, Page<Note>>\"",
            Self.page + """
                Result<A, B>: { a: A, b: B, all: Page<Word>? }
                Note: { text: string, words: Page<int>? }
                Word: { one-of: { user: User, note: Note } }
                """)
        #expect(analysis.codes == [])
        let first = try #require(analysis.model("PageUser")?.generic)
        #expect((first.structure, first.argument) == ("Page", "User"))
        let structure = try #require(first.declaration.first)
        #expect(structure.parameter == "Item" && structure.name == "Page")
        guard case .object(let fields) = structure.kind else { return #expect(Bool(false)) }
        #expect(fields.map(\.value.type.swift) == ["Int", "[Item]", "Page"])
        #expect(
            analysis.model("PageNote")?.generic == GenericUse(structure: "Page", argument: "Note"))
        #expect(analysis.model("PageWord")?.generic?.argument == "Word")
        #expect(analysis.model("PageInt")?.generic == nil)
        #expect(analysis.model("ResultPageUserPageNote")?.generic == nil)
    }

    @Test(
        "an instance stays a type of its own where Swift could not write the structure",
        arguments: [
            // Its rule needs a field of the elements.
            "Page<Item>: { items: { type: [Item], unique-by: id } }",
            "Page<Item>: { items: { type: [Item], unique: true } }",
            // The conformance would have to be of the argument.
            "Page<Item>: { conforms: [Equatable], fields: { items: [Item] } }",
            // A nested type is one of each structure.
            "Page<Item>: { items: [Item], kind: { enum: [a, b] } }",
            // The names mean something else.
            "Page<Item>: { swift: { name: Users }, fields: { items: [Item] } }",
            "Page<item>: { items: [item] }",
            // The uses are not the same.
            "Page<Item>: { items: [Item], first: User? }",
        ])
    func apart(page: String) {
        let analysis = analysis(
            returns: "\"Result<Page<User>, Page<Note>>\"",
            page + "\n" + """
                Result<A, B>: { a: A, b: B }
                User: { id: int }
                Note: { id: int }
                """)
        #expect(analysis.codes == [])
        let pages = analysis.api?.groups.flatMap(\.models).filter { $0.name.hasPrefix("Page") }
        #expect(pages?.allSatisfy { $0.generic == nil } == true)
    }

    @Test(
        "wrong uses of a generic model are reported at their place",
        arguments: [
            ("Page", "T0332: Page"), ("\"Page<User, int>\"", "T0332: Page<User, int>"),
            ("User<int>", "T0332: User<int>"), ("Page<int?>", "T0332: int"),
            ("Page<Usr>", "T0201: Usr"), ("Page<Page>", "T0332: Page"),
            ("Page<User", "T0112: "), ("Page<>", "T0112: >"),
        ])
    func uses(use: String, mark: String) {
        let analysis = analysis(returns: use, Self.page)
        #expect(analysis.marks.contains(mark), "\(analysis)")
        #expect(analysis.api == nil)
    }

    @Test(
        "wrong declarations of a generic model are reported at their place",
        arguments: [
            ("Page<T, T>: { a: T }", "T0332: T"), ("Page<T>: { a: int }", "T0332: T"),
            ("Page<int>: { a: int }", "T0332: int"), ("Page<User>: { a: User }", "T0332: User"),
            ("Page<[T]>: { a: T }", "T0112: Page<[T]>"),
            ("Page<T>: { a: Itme, b: T }", "T0201: Itme"),
            ("Page<T>: { a: T }\nPage: { b: int }", "T0202: Page"),
        ])
    func declarations(declaration: String, mark: String) {
        let analysis = analysis(returns: "User", declaration + "\nUser: { id: int }\n")
        #expect(analysis.marks.contains(mark), "\(analysis)")
    }

    @Test("a generic model without uses is a warning")
    func unused() {
        let analysis = analysis(returns: "User", Self.page)
        #expect(analysis.marks == ["T0205: Page"])
    }

    @Test(
        "a model that contains ever more models is an error",
        arguments: [
            "A<T>: { next: \"A<[T]>?\" }", "A<T>: { next: B<T>? }\nB<T>: { next: \"[A<[T]>]\" }",
            "A<T>: { next: \"A<[T]>?\", other: \"A<{string: T}>?\", third: \"A<[[T]]>?\" }",
        ])
    func endless(models: String) {
        let analysis = analysis(returns: "A<int>", models)
        #expect(analysis.codes.contains("T0332"), "\(analysis)")
        #expect(analysis.api == nil)
    }

    @Test("arguments that double in length are refused in time")
    func doubling() {
        let chain = (0..<40).map { "P\($0)<T>: { next: \"P\($0 + 1)<Pair<T, T>>?\", a: T }\n" }
        let analysis = analysis(
            returns: "P0<int>", chain.joined() + "P40<T>: { a: T }\nPair<A, B>: { a: A, b: B }\n")
        #expect(analysis.codes.contains("T0010"), "\(analysis.codes)")
    }
}

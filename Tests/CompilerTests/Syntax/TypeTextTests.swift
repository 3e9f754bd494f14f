import SpecDiagnostics
import Testing

@testable import SpecSyntax

@Suite("Types written as text")
struct TypeTextTests {
    private func read(_ yaml: String) -> (YAMLNode, SourceFile)? {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let file = sources.add(path: "a.yaml", text: yaml)
        return YAMLReader.read(file, into: &bag).map { ($0, file) }
    }

    /// A type in functional notation, for instance `list(named(a)?)`.
    private func shown(_ type: TypeSyntax) -> String {
        let base =
            switch type.form {
            case .named(let name): name
            case .list(let element): "list(\(shown(element)))"
            case .map(let key, let value): "map(\(shown(key)), \(shown(value)))"
            case .union(let union):
                "union(\(union.alternatives.map { shown($0.type) }.joined(separator: ", ")))"
            case .object, .enumeration, .invalid: "?"
            }
        return base + (type.optional == nil ? "" : "?") + (type.nullable == nil ? "" : "|null")
    }

    @Test(
        "short forms of types are read from text",
        arguments: [
            ("string", "string"), ("int?", "int?"), ("User | null", "User|null"),
            ("User?|null", "User?|null"), ("'[User]'", "list(User)"), ("'[User]?'", "list(User)?"),
            ("'[User?]'", "list(User?)"), ("'[[int]]'", "list(list(int))"),
            ("'{string: int}'", "map(string, int)"), ("'{ K : [T] }?'", "map(K, list(T))?"),
            ("\"{string: T | null}\"", "map(string, T|null)"), ("'  int  '", "int"),
            ("vk.User", "vk.User"), ("größe?", "größe?"),
            ("\"[ User | null ] | null\"", "list(User|null)|null"),
            ("User | string", "union(User, string)"), ("'T | [T]'", "union(T, list(T))"),
            ("A|B | C?", "union(A, B, C)?"), ("A | B? | null", "union(A, B)?|null"),
            ("null | A", "A|null"), ("A | null | B", "union(A, B)|null"), ("null", "null"),
            (
                "'[A | B] | {string: A | B | null}'",
                "union(list(union(A, B)), map(string, union(A, B)|null))"
            ),
            ("A | null | null", "union(A, null)|null"),
        ])
    func forms(yaml: String, expected: String) throws {
        let (node, _) = try #require(read(yaml))
        var parser = TypeTextParser(node)
        let type = parser.parse()
        #expect(type.map(shown) == expected)
        #expect(parser.problem == nil)
    }

    @Test(
        "an invalid type is underlined at the first wrong character",
        arguments: [
            ("'[User'", "", "`]`"), ("'{string int}'", "i", "`:`"), ("'{string: int'", "", "`}`"),
            ("int??", "?", "the end of the type"), ("User | ", "", "a type"),
            ("'| null'", "|", "a type"),
            ("'Page<User'", "", "`>`"), ("'Page<>'", ">", "a type"),
            ("int string", "s", "the end of the type"), ("größe!", "!", "the end of the type"),
            ("'größe | !'", "!", "a type"),
            ("User? | string", "?", "`?` after the last alternative"),
            ("'äö €'", "€", "the end of the type"),
        ])
    func problems(yaml: String, underlined: String, expected: String) throws {
        let (node, file) = try #require(read(yaml))
        var parser = TypeTextParser(node)
        let type = parser.parse()
        #expect(type?.span == nil)
        let problem = try #require(parser.problem)
        #expect(problem.expected == expected)
        #expect(file.text(of: parser.character(at: problem.offset)) == underlined)
    }

    @Test("a million brackets give one diagnostic")
    func deep() {
        for brackets in [
            String(repeating: "[", count: 1_000_000), String(repeating: "{a:", count: 300_000),
        ] {
            #expect(Analysis(users: "models: { A: '\(brackets)' }\n").codes == ["T0010"])
        }
    }

    @Test(
        "the spans of names, `?` and `| null` are exact, also in quotes")
    func places() {
        let analysis = Analysis(
            users: """
                methods:
                  get: { get: a, path: { ä: int }, query: { größe: "[Größe]?", ü: Maß | null } }
                  all: { get: b, returns: "{string: Länge}" }
                  old: { get: "ä/{ö/ü}", returns: [String, x] }
                """)
        #expect(
            analysis.marks == [
                "T0503: ä", "T0201: Größe", "T0201: Maß", "T0201: Länge", "T0502: {ö/ü}",
                "T0112: [String, x]",
            ])
    }
}

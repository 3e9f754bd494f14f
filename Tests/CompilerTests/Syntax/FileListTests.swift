import SpecIR
import Testing

@Suite("A multipart body has lists of files")
struct FileListTests {
    private func method(_ part: String, _ section: String = "multipart") -> Analysis {
        Analysis(
            users: """
                methods: { get: { post: a, \(section): \(part) } }
                models: { Files: [file] }
                """)
    }

    @Test("a multipart body has lists of files, inline or as an alias, with rules for each file")
    func allowed() throws {
        let analysis = method(
            "{ a: { type: [file], max-items: 2, items: { max-size: 5MiB } }, b: Files }")
        let parameters = try #require(analysis.method("users.get")).parameters
        let file = Value(.file, rules: [Rule(.maxSize, .size(5_242_880))])
        #expect(parameters.map(\.value.type) == [.list(file), .list(Value(.file))])
    }

    @Test(
        "a multipart body has no lists of lists of files, no nulls among files and no file maps",
        arguments: ["[[file]]", "[Files]", "\"[file | null]\"", "\"{string: file}\""])
    func refused(type: String) {
        #expect(method("{ a: \(type) }").codes.first == "T0303")
    }

    @Test(
        "each file of a list in a multipart body is a separate part",
        arguments: [("style: brackets", "brackets"), ("join: \",\"", "\",\"")])
    func styles(style: String, mark: String) {
        #expect(method("{ a: { type: [file], \(style) } }").marks == ["T0311: \(mark)"])
        #expect(method("{ a: { type: [file], style: repeat }, b: Files }").rendered.isEmpty)
    }

    @Test(
        "bodies other than multipart have no lists of files", arguments: ["json", "query", "form"])
    func elsewhere(section: String) {
        #expect(method("{ a: Files }", section).codes == ["T0303"])
        #expect(method("{ a: [file] }", section).codes == ["T0303"])
    }
}

import Foundation
import SpecDiagnostics
import SpecFormatting
import SpecIR
import SpecSyntax
import TestSupport
import Testing

@Suite("Formatted specs")
struct FormatterTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let catalogue = root.appending(
        path: "Sources/TelexCompiler/TelexCompiler.docc")

    /// The folders of `specs` and of the pages: files by path.
    private static func folders() throws -> [String: [String: String]] {
        var folders: [String: [String: String]] = [:]
        let specs = root.appending(path: "specs")
        for path in try FileManager.default.subpathsOfDirectory(atPath: specs.path) {
            guard let slash = path.firstIndex(of: "/"), OutputName.isInput(path) else { continue }
            let file = String(path[path.index(after: slash)...])
            folders[String(path[..<slash]), default: [:]][file] = try String(
                contentsOf: specs.appending(path: path), encoding: .utf8)
        }
        for page in SpecPage.names(in: catalogue) {
            for (name, files) in try SpecPage(catalogue.appending(path: "\(page).md")).folders {
                folders["\(page) \(name)"] = files
            }
        }
        return folders
    }

    /// The formatted text of a file, and what was reported.
    private static func format(
        _ text: String, as file: String = "users.yaml"
    ) -> (text: String?, codes: [String]) {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let source = sources.add(path: file, text: text)
        let result = SpecFormatter.format(source, as: JSONSchema(ofFile: file), into: &bag)
        return (result, bag.all.map(\.code.id))
    }

    @Test("a formatted spec describes the same API, and formatting it again changes nothing")
    func same() async throws {
        let folders = try Self.folders()
        #expect(folders.count > 60)
        for (name, files) in folders {
            // Tests beside this one get their turns.
            await Task.yield()
            var formatted = files
            for (file, text) in files where OutputName.isSpec(file) {
                let (once, codes) = Self.format(text, as: file)
                #expect(codes == [], "\(name) \(file)")
                formatted[file] = once
                let twice = Self.format(once ?? "", as: file).text
                #expect(twice == once, "\(name) \(file)")
            }
            let (before, after) = (Analysis(files), Analysis(formatted))
            #expect(before.api == after.api, "\(name)")
            #expect(before.codes.sorted() == after.codes.sorted(), "\(name)")
        }
    }

    @Test("a spec with lines missing, repeated or moved is formatted for good, or reported")
    func mutants() async throws {
        var random = SeededGenerator(50)
        var count = 0
        for (_, files) in try Self.folders().sorted(by: { $0.key < $1.key }) {
            await Task.yield()
            for (file, text) in files.sorted(by: { $0.key < $1.key })
            where OutputName.isSpec(file) && text.utf8.count < 3000 {
                var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                let index = lines.indices.randomElement(using: &random) ?? 0
                switch Int.random(in: 0..<4, using: &random) {
                case 0: lines.remove(at: index)
                case 1: lines.insert("      # a remark", at: index)
                case 2: lines.insert(lines.randomElement(using: &random) ?? "", at: index)
                default: lines.insert("", at: index)
                }
                let (once, codes) = Self.format(lines.joined(separator: "\n"), as: file)
                guard let once else {
                    #expect(codes != [])
                    #expect(!codes.contains("T0811"), "\(file) \(lines.joined(separator: "\n"))")
                    continue
                }
                count += 1
                #expect(Self.format(once, as: file).text == once, "\(once)")
            }
        }
        #expect(count > 50)
    }

    @Test("a formatted file has keys in order, what fits in braces, and comments at their places")
    func example() {
        let text = """
            # About the file.

            # About the models.
            models:
              Role: {enum: ['admin',  "member"]}   # who may what
              # About people.
              User:
                fields: {id: int, name: { max-length: 64, doc: "What, exactly?", type: string },
                  bio: string?}
                doc: A person.

            methods:


              users.list:
                returns: [User]     # the newest first
                query:
                  # how many
                  limit: int?
                get: users
                # the end of the method
              users.get: { returns: User, get: "users/{id}",
                 path: {id: int} }
              users.find:
                get: "users/{text}/a-path-that-is-rather-long-for-one-line"
                path: { text: string }
                doc: Finds the people whose names begin with the text, in the order of their names, as the page of people shows them.
                returns: [User]
            # the end
            """
        #expect(
            Self.format(text).text == """
                # About the file.

                methods:
                  users.list:
                    get: users
                    query:
                      # how many
                      limit: int?
                    returns: [User]  # the newest first
                    # the end of the method
                  users.get: { get: "users/{id}", path: { id: int }, returns: User }
                  users.find:
                    get: users/{text}/a-path-that-is-rather-long-for-one-line
                    doc: >-
                      Finds the people whose names begin with the text, in the order of their names, as the page of
                      people shows them.
                    path: { text: string }
                    returns: [User]

                # About the models.
                models:
                  Role: { enum: ["admin", "member"] }  # who may what
                  # About people.
                  User:
                    doc: A person.
                    fields: { id: int, name: { type: string, max-length: 64, doc: "What, exactly?" }, bio: string? }
                # the end

                """)
    }

    @Test(
        "a file with aliases, with a mistake of YAML or without keys is reported, and not formatted"
    )
    func refused() {
        #expect(Self.format("models: { A: &a { id: int }, B: *a }\n").codes == ["T0811"])
        #expect(Self.format("- a\n").codes == ["T0811"])
        #expect(Self.format("models: [\n").text == nil)
        #expect(Self.format("models: [\n").codes == ["T0004"])
    }

    @Test(
        "a text keeps its meaning in its notation",
        arguments: [
            ("doc: |\n  a\n\n  b\n", "doc: |\n  a\n\n  b\n"), ("doc: 'it''s'\n", "doc: \"it's\"\n"),
            ("doc: \"a \\\"b\\\"\"\n", "doc: 'a \"b\"'\n"), ("doc: \"5\"\n", "doc: \"5\"\n"),
            ("doc: a\n  b\n", "doc: a b\n"), ("doc: >-\n  a\n  b\n", "doc: a b\n"),
            ("doc: \"a: b\"\n", "doc: \"a: b\"\n"), ("doc: \"a, b\"\n", "doc: a, b\n"),
            (
                "\u{FEFF}doc: a\r\n\r\n\r\n# b\r\npath: { a: int }\r\n",
                "\u{FEFF}doc: a\r\n\r\n# b\r\npath: { a: int }\r\n"
            ),
            ("doc: | # why\n  a\n  b\n", "# why\ndoc: |\n  a\n  b\n"),
        ])
    func texts(text: String, expected: String) {
        #expect(Self.format(text).text == expected)
        #expect(Self.format(expected).text == expected)
    }
}

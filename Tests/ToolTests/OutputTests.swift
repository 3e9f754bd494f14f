import SpecIR
import SwiftEmitter
import Testing

@testable import TelexCompiler

@Suite("Output changes, without a file system")
struct OutputTests {
    @Test(
        "a Swift file is named after its spec file",
        arguments: [
            ("api.yaml", "API.swift"), ("api.yml", "API.swift"), ("users.yaml", "Users.swift"),
            ("media/photo-albums.yaml", "Media+PhotoAlbums.swift"),
            ("a_b.c d.yml", "ABCD.swift"), ("sub/api.yaml", "Sub+Api.swift"),
        ])
    func names(spec: String, swift: String) {
        #expect(OutputName.file(forSpec: spec) == swift)
    }

    @Test("output changes only visible YAML is part of a spec")
    func specs() {
        #expect(OutputName.isSpec("a/b.yaml"))
        #expect(OutputName.isSpec("b.yml"))
        for path in ["b.json", ".b.yaml", "a/.b/c.yaml", "yaml", "b.yaml~"] {
            #expect(!OutputName.isSpec(path), "\(path)")
        }
    }

    @Test("output changes only visible JSON in the folder `templates` is a template")
    func templates() {
        #expect(OutputName.isTemplate("templates/users.get.json"))
        for path in [
            "users.get.json", "templates/.a.json", "templates/a/b.json", "a/templates/b.json",
            "templates/a.yaml", "templates/json", "Templates/a.json", "/templates/a.json",
        ] {
            #expect(!OutputName.isTemplate(path), "\(path)")
        }
        let files = OutputName.files(forSpecs: ["users.yaml": 1, "templates/users.get.json": 1])
        #expect(files == ["API+Methods.swift", "API+Templates.swift", "API.swift", "Users.swift"])
        #expect(OutputName.files(forSpecs: ["users.yaml": 1]).count == 3)
    }

    @Test("visible JSON in a folder inside of `templates` is read, and no template")
    func misplacedTemplates() {
        #expect(OutputName.isMisplacedTemplate("templates/a/b.json"))
        #expect(OutputName.isInput("templates/a/b.json"))
        for path in [
            "templates/b.json", "templates/.a/b.json", "templates/a/.b.json", "templates/a/b.txt",
            "a/templates/b/c.json", "/templates/a/b.json",
        ] {
            #expect(!OutputName.isMisplacedTemplate(path), "\(path)")
        }
    }

    @Test("the table of templates is removed with the last template")
    func removedTemplates() {
        let text = SwiftEmitter.header + "all files: …\n"
        let result = changes([:], ["API+Templates.swift": text, "Templates.swift": text])
        #expect(result.changes.map(\.name) == ["API+Templates.swift"])
    }

    @Test("a further part of a file is removed when its spec is small again")
    func removedParts() {
        let text = SwiftEmitter.header + "users.yaml: …\n"
        let found = ["Users.swift", "Users+3.swift", "Users+1.swift", "Users+x.swift"]
        let result = changes(
            ["Users.swift": text], Dictionary(uniqueKeysWithValues: found.map { ($0, text) }))
        #expect(result.changes.map(\.name) == ["Users+3.swift"])
        #expect(
            OutputName.files(forSpecs: ["users.yaml": 3, "api.yaml": 1])
                == [
                    "API+Methods.swift", "API.swift", "Users+2.swift", "Users+3.swift",
                    "Users.swift",
                ])
        let sizes = [0, 24_576, 24_577, 100_000]
        #expect(sizes.map { OutputName.parts(forSpec: "a.yaml", size: $0) } == [1, 1, 2, 5])
        #expect(OutputName.parts(forSpec: "api.yml", size: 100_000) == 1)
    }

    private func changes(
        _ generated: [String: String], _ existing: [String: String]
    ) -> OutputChanges {
        OutputChanges(
            generated: generated.map { GeneratedFile(name: $0.key, text: $0.value) },
            existing: existing.map {
                OutputChanges.Existing(name: $0.key, bytes: Array($0.value.utf8))
            })
    }

    @Test("files are equal, changed, missing, left over or foreign")
    func kinds() {
        func ours(_ source: String, _ rest: String = "") -> String {
            SwiftEmitter.header + source + ": …\n" + rest
        }
        let result = changes(
            [
                "Equal.swift": ours("equal.yaml"), "Changed.swift": ours("changed.yaml", "2"),
                "Missing.swift": ours("missing.yaml"), "Foreign.swift": ours("foreign.yaml"),
                "Taken.swift": ours("taken.yaml"),
            ],
            [
                "Equal.swift": ours("equal.yaml"), "Changed.swift": ours("changed.yml", "1"),
                "Le+Ft.swift": ours("le/ft.yaml", "3"), "Foreign.swift": "mine", "Mine.swift": "",
                "API+Methods.swift": ours("all files"),
                // Copies under other names, which are foreign.
                "Extras.swift": ours("equal.yaml"), "Taken.swift": ours("equal.yaml"),
                "All.swift": ours("all files"), "Cut.swift": SwiftEmitter.header + "cut.yaml",
            ])
        let names = [
            "API+Methods.swift", "Changed.swift", "Foreign.swift", "Le+Ft.swift", "Missing.swift",
            "Taken.swift",
        ]
        #expect(result.changes.map(\.name) == names)
        #expect(result.changes.map { $0.new == nil } == [true, false, false, true, false, false])
        #expect(result.foreign == ["Foreign.swift", "Taken.swift"])
        let same = ["A.swift": ours("a.yaml")]
        #expect(changes(same, ["A.swift": ours("a.yaml"), "Mine.swift": "mine"]).isEmpty)
    }

    @Test("a diff has three lines of context, and one hunk for differences that are near")
    func diff() {
        let old = (1...20).map { "\($0)\n" }.joined()
        let new = old.replacing("\n4\n", with: "\nfour\n").replacing("\n18\n", with: "\n18\n18½\n")
        #expect(
            UnifiedDiff(path: "f", old: old, new: new).text == """
                --- a/f
                +++ b/f
                @@ -1,7 +1,7 @@
                 1
                 2
                 3
                -4
                +four
                 5
                 6
                 7
                @@ -16,5 +16,6 @@
                 16
                 17
                 18
                +18½
                 19
                 20

                """)
    }

    @Test("a diff shows added and removed files, and a missing last line break")
    func diffEdges() {
        #expect(
            UnifiedDiff(path: "f", old: nil, new: "a\nb").text
                == "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n"
        )
        #expect(
            UnifiedDiff(path: "f", old: "a\n", new: nil).text
                == "--- a/f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n")
        #expect(UnifiedDiff(path: "f", old: "a", new: "a").text == "")
        #expect(
            UnifiedDiff(path: "/tmp/f", old: nil, new: "a\n").text
                == "--- /dev/null\n+++ b/tmp/f\n@@ -0,0 +1,1 @@\n+a\n")
    }

    @Test("a diff of large texts without a common line stays small in time and memory")
    func largeDiff() {
        let old = (0..<50_000).map { "a\($0)\n" }.joined()
        let new = (0..<50_000).map { "b\($0)\n" }.joined()
        let lines = UnifiedDiff(path: "f", old: old, new: new).text.split(separator: "\n")
        #expect(lines.count == 100_003)
    }

    @Test("the order of files makes no difference")
    func order() {
        let files = [
            ("api.yaml", "telex: 1\napi: Shop\nservers: { a: https://a.example/ }\n"),
            ("a.yaml", "methods:\n  list: { get: a, returns: [string] }\n"),
            ("b.yaml", "methods:\n  find: { get: b, returns: nothing }\n"),
        ].map {
            SpecFolder.File(relativePath: $0.0, shownPath: $0.0, bytes: Array($0.1.utf8))
        }
        let forward = TelexCompiler.compile(SpecFolder(shownPath: ".", files: files))
        let backward = TelexCompiler.compile(SpecFolder(shownPath: ".", files: files.reversed()))
        #expect(
            forward.files.map(\.name) == ["A.swift", "API+Methods.swift", "API.swift", "B.swift"])
        #expect(forward.files == backward.files)
    }
}

import SpecDiagnostics
import SpecImport
import SpecSyntax
import Testing

/// A merge of folders that are given as texts by path.
struct Merged {
    let result: SpecMerge
    let files: [String: String]

    init(base: [String: String], ours: [String: String], theirs: [String: String]) {
        var sources = SourceMap()
        func specs(_ files: [String: String], _ folder: String = "") -> [SpecFile] {
            files.map {
                SpecFile(
                    path: $0.key, source: sources.add(path: folder + $0.key, text: $0.value))
            }
        }
        let sides = (specs(base, "base/"), specs(ours), specs(theirs, "record/"))
        result = SpecMerge(base: sides.0, ours: sides.1, theirs: sides.2, in: sources)
        var files = ours
        for (path, bytes) in result.changes {
            files[path] = bytes.map { String(decoding: $0, as: UTF8.self) }
        }
        self.files = files
    }

    /// Merges one file.
    init(_ base: String, _ ours: String, _ theirs: String) {
        self.init(base: ["a.yaml": base], ours: ["a.yaml": ours], theirs: ["a.yaml": theirs])
    }

    /// The one file, empty without it.
    var text: String { files["a.yaml"] ?? "" }

    var conflicts: String { LineRenderer().render(result.conflicts, in: result.sources) }
    var problems: String { LineRenderer().render(result.problems, in: result.sources) }
}

/// A case of the table: texts of one file.
struct MergeCase: CustomTestStringConvertible, Sendable {
    let name: String
    let base: String
    let ours: String
    let theirs: String
    let merged: String
    var conflicts: [String] = []

    init(
        _ name: String, _ base: String, _ ours: String, _ theirs: String, gives merged: String,
        conflicts: [String] = []
    ) {
        (self.name, self.base, self.ours, self.theirs) = (name, base, ours, theirs)
        self.merged = merged
        self.conflicts = conflicts
    }

    var testDescription: String { name }
}

@Suite("Merging a new import with an edited spec")
struct SpecMergeTests {
    /// Edits that the new import contradicts: the text stays.
    static let contradictions = [
        MergeCase(
            "both changed a value",
            "models:\n  A: { id: int, name: string }\n",
            "models:\n  A: { id: uuid, name: string } # mine\n",
            "models:\n  A: { id: string, name: string }\n",
            gives: "models:\n  A: { id: uuid, name: string } # mine\n",
            conflicts: [
                "a.yaml:2:8: error: the description changed `id` of `A` from `int` to `string`, "
                    + "and the spec has `uuid`"
            ]),
        MergeCase(
            "the description removed a field that was edited",
            "models:\n  A:\n    id: int\n    name: string\n",
            "models:\n  A:\n    id: int\n    name: { type: string, max-length: 5 }\n",
            "models:\n  A:\n    id: int\n",
            gives: "models:\n  A:\n    id: int\n    name: { type: string, max-length: 5 }\n",
            conflicts: [
                "a.yaml:4:5: error: the description has removed `name` of `A`, which was `string`, "
                    + "and the spec has `{ type: string, max-length: 5 }`"
            ]),
        MergeCase(
            "the description changed a field that was removed",
            "models:\n  A: { id: int, name: string, age: int }\n",
            "models:\n  A: { id: int }\n",
            "models:\n  A: { id: int, name: int, age: string }\n",
            gives: "models:\n  A: { id: int }\n",
            conflicts: [
                "record/a.yaml:2:23: error: the description changed `name` of `A` from `string` to "
                    + "`int`, and the spec has removed it",
                "record/a.yaml:2:33: error: the description changed `age` of `A` from `int` to "
                    + "`string`, and the spec has removed it",
            ]),
        MergeCase(
            "the description changed a method that was removed",
            "methods:\n  a.get: { get: a }\n  a.set: { post: a }\n",
            "methods:\n  a.set: { post: a }\n",
            "methods:\n  a.get: { get: b }\n  a.set: { post: a }\n",
            gives: "methods:\n  a.set: { post: a }\n",
            conflicts: [
                "record/a.yaml:2:10: error: the description changed `a.get` from `{ get: a }` to "
                    + "`{ get: b }`, and the spec has removed it"
            ]),
        MergeCase(
            "the description removed a method that was edited",
            "methods:\n  a.get: { get: a }\n  a.set: { post: a }\n",
            "methods:\n  a.get: { get: a, retry: 3 }\n  a.set: { post: a }\n",
            "methods:\n  a.set: { post: a }\n",
            gives: "methods:\n  a.get: { get: a, retry: 3 }\n  a.set: { post: a }\n",
            conflicts: [
                "a.yaml:2:3: error: the description has removed `a.get`, which was `{ get: a }`, "
                    + "and the spec has `{ get: a, retry: 3 }`"
            ]),
        MergeCase(
            "both added a key differently, and a line is added above",
            "models:\n  A:\n    id: int\n",
            "models:\n  A:\n    id: int\n    name: string\n",
            "models:\n  A:\n    age: int\n    id: int\n    name: string?\n",
            gives: "models:\n  A:\n    age: int\n    id: int\n    name: string\n",
            conflicts: [
                "a.yaml:5:5: error: the description added `name` of `A` as `string?`, "
                    + "and the spec has `string`"
            ]),
        MergeCase(
            "a list counts as one value",
            "models:\n  A: { enum: [a, b] }\n", "models:\n  A: { enum: [a, b, c] }\n",
            "models:\n  A: { enum: [a, b, d] }\n", gives: "models:\n  A: { enum: [a, b, c] }\n",
            conflicts: [
                "a.yaml:2:8: error: the description changed `enum` of `A` from `[a, b]` to "
                    + "`[a, b, d]`, and the spec has `[a, b, c]`"
            ]),
        MergeCase(
            "an anchor would be changed with its aliases",
            "models:\n  A:\n    id: int\n    name: int\n",
            "models:\n  A:\n    id: &t int\n    name: *t\n",
            "models:\n  A:\n    id: string\n    name: string\n",
            gives: "models:\n  A:\n    id: &t int\n    name: *t\n",
            conflicts: [
                "a.yaml:3:5: error: the description changed `id` of `A` from `int` to `string`, "
                    + "and the spec has `int`",
                "a.yaml:4:5: error: the description changed `name` of `A` from `int` to `string`, "
                    + "and the spec has `int`",
            ]),
    ]

    /// Edits of both sides, which stay both.
    static let agreements = [
        MergeCase(
            "nothing changed", "models:\n  A: int\n", "models: {A:  int}  # mine\n",
            "models:\n  A: int\n", gives: "models: {A:  int}  # mine\n"),
        MergeCase(
            "both changed the same", "models:\n  A: int\n", "models: # mine\n  A:   string\n",
            "models:\n  A: string\n", gives: "models: # mine\n  A:   string\n"),
        MergeCase(
            "a value changes, and its line keeps spaces and comment",
            "models:\n  A:\n    id: int\n    b: int\n",
            "models:\n  A:\n    id:   int   # the key\n    b: uuid\n",
            "models:\n  A:\n    id: string\n    b: int\n",
            gives: "models:\n  A:\n    id:   string   # the key\n    b: uuid\n"),
        MergeCase(
            "a value becomes long",
            "models:\n  A:\n    id: int\n    b: int\n",
            "models:\n  A:\n    id: int # the key\n    b: uuid\n",
            "models:\n  A:\n    id: { type: int, doc: \"\(String(repeating: "long ", count: 20))x\" }\n    b: int\n",
            gives: """
                models:
                  A:
                    id: # the key
                      type: int
                      doc: >-
                        long long long long long long long long long long long long long long long long long long
                        long long x
                    b: uuid

                """),
        MergeCase(
            "a long value becomes short",
            "models:\n  A:\n    id:\n      type: int\n      doc: x\n    b: int\n",
            "models:\n  A:\n    id: # the key\n      type: int\n      doc: x\n    b: uuid\n",
            "models:\n  A:\n    id: int\n    b: int\n",
            gives: "models:\n  A:\n    id: int # the key\n    b: uuid\n"),
        MergeCase(
            "fields are added behind their neighbours",
            "models:\n  A:\n    b: int\n    d: int\n", "models:\n  A:\n    b: int\n    d: uuid\n",
            "models:\n  A:\n    a: int\n    b: int\n    c: int\n    c2: int\n    d: int\n    e: int\n",
            gives:
                "models:\n  A:\n    a: int\n    b: int\n    c: int\n    c2: int\n    d: uuid\n    e: int\n"
        ),
        MergeCase(
            "fields are added to braces, and removed from them",
            "models:\n  A: { b: int, c: int, d: int, e: int }\n",
            "models:\n  A: {b: int,  c: int, d: uuid, e: int}\n",
            "models:\n  A: { a: int, d: int, f: int }\n",
            gives: "models:\n  A: {a: int, d: uuid, f: int}\n"),
        MergeCase(
            "all fields are replaced", "models:\n  A:\n    b: int\n  C: int\n",
            "models:\n  A:\n    # mine\n    b: int\n  C: uuid\n",
            "models:\n  A:\n    d: int\n  C: int\n",
            gives: "models:\n  A:\n    d: int\n  C: uuid\n"),
        MergeCase(
            "the comments right above go with an entry, others stay",
            "methods:\n  a.get: { get: a }\n  a.set: { post: a }\n",
            "# file\nmethods:\n  # section\n\n  # about get\n  a.get: { get: a }\n\n  # about set\n  a.set: { post: a, retry: 3 }\n",
            "methods:\n  a.set: { post: a }\n",
            gives:
                "# file\nmethods:\n  # section\n\n  # about set\n  a.set: { post: a, retry: 3 }\n"),
        MergeCase(
            "the last line has no line break", "models:\n  A: int\n", "models:\n  A: uuid",
            "models:\n  A: int\n  B: int\n", gives: "models:\n  A: uuid\n  B: int\n"),
        MergeCase(
            "a section is added, and another one removed",
            "methods:\n  a.get:\n    get: a\n    query: { id: int }\n    retry: 1\n",
            "methods:\n  a.get:\n    get: a\n    query: { id: int }\n    retry: 2\n",
            "methods:\n  a.get:\n    get: a\n    retry: 1\n    headers: { X-A: string }\n",
            gives: "methods:\n  a.get:\n    get: a\n    retry: 2\n    headers: { X-A: string }\n"),
        MergeCase(
            "a parameter of one's own stays in a section that was removed",
            "methods:\n  a.get: { get: a, query: { id: int, b: int } }\n",
            "methods:\n  a.get: { get: a, query: { id: int, mine: int, b: int } }\n",
            "methods:\n  a.get: { get: a }\n",
            gives: "methods:\n  a.get: { get: a, query: { mine: int } }\n"),
        MergeCase(
            "the description adds models", "methods:\n  a.get: { get: a }\n",
            "methods:\n  get: { get: a, retry: 3 }\n",
            "methods:\n  a.get: { get: a }\n\nmodels:\n  A: { id: int }\n  B: int\n",
            gives:
                "methods:\n  get: { get: a, retry: 3 }\n\nmodels:\n  A: { id: int }\n  B: int\n"),
        MergeCase(
            "the description removes the models",
            "methods:\n  a.get: { get: a }\n\nmodels:\n  A: int\n",
            "methods:\n  a.get: { get: a, retry: 3 }\n\nmodels:\n  A: int\n",
            "methods:\n  a.get: { get: a }\n", gives: "methods:\n  a.get: { get: a, retry: 3 }\n"),
        MergeCase(
            "the description has proposals in comments",
            "methods:\n  a.get: { get: a }\n", "methods:\n  a.get: { get: b }\n",
            "methods:\n  a.get: { get: a }\n\n  a.list:\n    get: l\n    # pages: x\n    returns: [int]\n",
            gives:
                "methods:\n  a.get: { get: b }\n\n  a.list:\n    get: l\n    # pages: x\n    returns: [int]\n"
        ),
        MergeCase(
            "a type with attributes on both sides",
            "models:\n  A: { b: string }\n", "models:\n  A: { b: string? }\n",
            "models:\n  A: { b: { type: string, doc: Text } }\n",
            gives: "models:\n  A: { b: { type: string?, doc: Text } }\n"),
        MergeCase(
            "a type with attributes becomes one without",
            "models:\n  A: { b: { type: string, doc: Text } }\n",
            "models:\n  A: { b: { type: string, doc: Text, max-length: 3 } }\n",
            "models:\n  A: { b: string? }\n",
            gives: "models:\n  A: { b: { type: string?, max-length: 3 } }\n"),
        MergeCase(
            "an object gets a text, and its fields go on",
            "models:\n  A: { b: int, c: int }\n", "models:\n  A: { b: uuid, c: int }\n",
            "models:\n  A: { doc: Text, fields: { b: int, c: string } }\n",
            gives: "models:\n  A: { doc: Text, fields: { b: uuid, c: string } }\n"),
        MergeCase(
            "an object with comments gets a text",
            "models:\n  A:\n    b: int\n    c: int\n  D: int\n",
            "models:\n  A:\n    # mine\n    b: int\n\n    c: { type: int, min: 1 } # c\n    # end\n  D: int\n",
            "models:\n  A:\n    doc: Text\n    fields:\n      b: int\n      c: int?\n  D: int\n",
            gives:
                "models:\n  A:\n    doc: Text\n    fields:\n      # mine\n      b: int\n\n      c: { type: int?, min: 1 } # c\n      # end\n  D: int\n"
        ),
        MergeCase(
            "a parameter called `fields` is no long form",
            "methods:\n  a.get: { get: a, query: { b: int } }\n",
            "methods:\n  a.get: { get: a, query: { b: uuid } }\n",
            "methods:\n  a.get: { get: a, query: { b: int, fields: string } }\n",
            gives: "methods:\n  a.get: { get: a, query: { b: uuid, fields: string } }\n"),
        MergeCase(
            "carriage returns stay", "models:\n  A: int\n  B: int\n",
            "models:\r\n  A: uuid # mine\r\n  B: int # b\r\n", "models:\n  A: int\n  B: string\n",
            gives: "models:\r\n  A: uuid # mine\r\n  B: string # b\r\n"),
        MergeCase(
            "line breaks of other systems stay", "models:\n  A: int\n  B: int\n",
            "models:\r  A: uuid # mine\r  B: int # b\r",
            "models:\n  A: int\n  B: string\n  C: int\n",
            gives: "models:\r  A: uuid # mine\r  B: string # b\r  C: int\n"),
        MergeCase(
            "the comment at the start of a file stays", "doc: A\nmodels:\n  A: int\n",
            "# mine\ndoc: A\nmodels:\n  A: uuid\n", "models:\n  A: int\n",
            gives: "# mine\nmodels:\n  A: uuid\n"),
        MergeCase(
            "a comment may have `&`", "models:\n  A:\n    b: int\n    c: int\n",
            "models:\n  A: # b & c\n    b: uuid\n    c: int",
            "models:\n  A:\n    b: int\n    d: int\n    e: int\n",
            gives: "models:\n  A: # b & c\n    b: uuid\n    d: int\n    e: int\n"),
        MergeCase(
            "entries are added behind one with `? `", "models:\n  A:\n    b: int\n",
            "models:\n  A:\n    ? b\n    : int\n", "models:\n  A:\n    b: int\n    c: int\n",
            gives: "models:\n  A:\n    ? b\n    : int\n    c: int\n"),
        MergeCase(
            "settings are entries, too", "doc: A\nauth: none\nmethods:\n  a.get: { get: a }\n",
            "# head\ndoc: Mine\nauth: none\nmethods:\n  a.get: { get: a }\n",
            "doc: A\ntimeout: 3s\nmethods:\n  a.get: { get: a }\n",
            gives: "# head\ndoc: Mine\ntimeout: \"3s\"\nmethods:\n  a.get: { get: a }\n"),
        MergeCase(
            "a file without edits is that of the new import", "models:\n  A: int\n",
            "models:\n  A: int\n", "# other\nmodels: { B: int }\n",
            gives: "# other\nmodels: { B: int }\n"),
    ]

    @Test(
        "merging a new import with an edited spec keeps the text where both sides differ",
        arguments: contradictions)
    func contradicting(example: MergeCase) {
        let merged = Merged(example.base, example.ours, example.theirs)
        #expect(merged.problems == "")
        #expect(merged.text == example.merged)
        let lines = merged.conflicts.split(separator: "\n").filter { $0.contains("T1005") }
        #expect(lines.count == example.conflicts.count, "\(merged.conflicts)")
        for (line, expected) in zip(lines, example.conflicts) {
            #expect(line.hasPrefix(expected + " [T1005]"), "\(line)")
        }
        #expect(merged.result.counts.conflicts == example.conflicts.count)
        expectNoChange(after: merged, example.theirs)
    }

    @Test(
        "merging a new import with an edited spec keeps the edits of both sides",
        arguments: agreements)
    func agreeing(example: MergeCase) {
        let merged = Merged(example.base, example.ours, example.theirs)
        #expect(merged.problems == "")
        #expect(merged.conflicts == "")
        #expect(merged.text == example.merged)
        expectNoChange(after: merged, example.theirs)
    }

    private func expectNoChange(after merged: Merged, _ theirs: String) {
        let again = Merged(
            base: ["a.yaml": theirs], ours: merged.files, theirs: ["a.yaml": theirs])
        #expect(again.result.changes.isEmpty)
        #expect(again.conflicts == "")
    }
}

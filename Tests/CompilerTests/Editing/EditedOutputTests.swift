import Foundation
import SpecIR
import TelexCompiler
import TestSupport
import Testing

/// The files after an edit, by a slice, are compared with those of a whole run.
@Suite("The output after an edit")
struct EditedOutputTests {
    /// A spec with all that makes one declaration depend on another.
    private static let spec = [
        "api.yaml": """
        telex: 1
        api: Shop
        servers: { production: https://shop.example/ }
        generate: [fakes, requests]
        auth: { login: { token: { in: bearer }, refresh: { method: session.renew, token: token }, expired: 401 } }
        errors: { at: error, code: code, message: text, model: Problem }
        """,
        "goods.yaml": """
        doc: What the shop sells.

        methods:
          goods.list:
            get: goods
            doc: Lists goods.
            query:
              limit: { type: int, default: 20, min: 1, max: 100, doc: How many. }
              sort: { type: { enum: [name, price] }, swift: { type: Order }, doc: By what. }
            returns: Page<Good>
          goods.search:
            get: goods/search
            query:
              text: { type: Words, default: all }
              sort: { type: { enum: [name, price] }, swift: { type: Order }, doc: By what. }
            returns: Page<Good>
          goods.offers: { get: offers, returns: { offers: [Offer], best: Named } }
          goods.add:
            post: goods
            json: { good: Good, tags: [Tag], doc: string }
            returns: { id: int, at: { type: string, doc: Where it is. } }

        models:
          Good:
            doc: A good.
            with: [Named]
            fields:
              price: { type: int, min: 0, default: 3, doc: In cents. }
              kind: Kind
              doc: string?
          Page<Item>:
            doc: A part of a list.
            fields: { items: [Item], total: { type: int, doc: Of all. } }
          Named:
            fields: { name: { type: string, max-length: 20, doc: What people see. } }
          Offer: { with: Named, cents: int }
          Kind: { enum: { food: Can be eaten., other: { value: other, doc: All else. } } }
          Words: { type: string, max-length: 9, doc: What is looked for. }
          Tag:
            fields: { word: { type: string, doc: The word. } }

        """,
        "session.yaml": """
        methods:
          session.renew:
            post: session
            auth: none
            doc: Renews.
            returns: { token: string }
        models:
          Problem:
            fields: { reason: { type: string?, doc: Why. } }
          Unchanged: { public: true, fields: { good: Good } }

        """,
    ]

    private static func files(_ spec: [String: String]) -> [SpecFolder.File] {
        spec.map {
            SpecFolder.File(relativePath: $0.key, shownPath: $0.key, bytes: Array($0.value.utf8))
        }
    }

    private static func outputs(_ files: [SpecFolder.File]) -> [OutputChanges.Existing]? {
        let result = TelexCompiler.compile(SpecFolder(shownPath: "spec", files: files))
        guard result.diagnostics.isEmpty else { return nil }
        return result.files.map { .init(name: $0.name, bytes: Array($0.text.utf8)) }
    }

    /// The output of the spec.
    private static let usual = outputs(files(spec))

    /// The files after an edit, if a slice tells them; they are compared with those of a whole run.
    private static func edited(
        _ old: [SpecFolder.File], _ new: [SpecFolder.File], _ outputs: [OutputChanges.Existing]
    ) -> [OutputChanges.Existing]? {
        let result = EditedOutputs(of: outputs, from: old, to: new, parts: nil)
        guard let result else { return nil }
        let whole = Self.outputs(new)
        #expect(whole?.map(\.name) == result.files.map(\.name))
        for (file, other) in zip(result.files, whole ?? []) where file.bytes != other.bytes {
            Issue.record("\(file.name) differs:\n\(String(decoding: file.bytes, as: UTF8.self))")
        }
        let changed = zip(outputs, result.files).filter { $0.bytes != $1.bytes }.map(\.1.name)
        #expect(result.changes.map(\.name).sorted() == changed.sorted())
        return result.files
    }

    /// A replacement of text in one file of the spec.
    struct Edit: Sendable, CustomTestStringConvertible {
        let file: String, old: String, new: String
        var testDescription: String { "\(old) → \(new)" }

        init(_ old: String, _ new: String, in file: String = "goods.yaml") {
            (self.file, self.old, self.new) = (file, old, new)
        }
    }

    private static func apply(_ edit: Edit) throws -> [SpecFolder.File] {
        var spec = spec
        let text = try #require(spec[edit.file])
        try #require(text.contains(edit.old))
        spec[edit.file] = text.replacingOccurrences(of: edit.old, with: edit.new)
        return files(spec)
    }

    @Test(
        "documentation and rules of a method or model are compiled by a slice",
        arguments: [
            Edit("Lists goods.", "Lists what there is."), Edit("How many.", "How many? \\"),
            Edit("Where it is.", "Where."),
            Edit("max: 100", "max: 50"), Edit("min: 1, max: 100, ", ""),
            Edit("    doc: Lists goods.\n", ""),
            Edit("post: goods\n", "post: goods\n    doc: |\n      Adds\n\n      a good.\n"),
            Edit("A good.", "A Good."), Edit("In cents.", "'Cents: ¢'"), Edit("min: 0", "min: 2"),
            Edit("What people see.", "What it is called."), Edit("max-length: 20", "length: 4"),
            Edit("All else.", "All."), Edit("max-length: 9", "max-length: 8"),
            Edit("What is looked for.", "Words."),
            Edit("word: { type", "word: { min-length: 1, type"),
            Edit("  goods.add:\n", "  # More.\n  goods.add: # And more.\n"),
            Edit("Renews.", "Renews the token.", in: "session.yaml"),
            Edit("Why.", "The reason.", in: "session.yaml"),
        ])
    func small(_ edit: Edit) throws {
        let outputs = try #require(Self.usual)
        #expect(try Self.edited(Self.files(Self.spec), Self.apply(edit), outputs) != nil)
    }

    @Test(
        "everything else is compiled as a whole",
        arguments: [
            Edit("What the shop sells.", "What is sold."),
            Edit("telex: 1", "doc: A shop.\ntelex: 1", in: "api.yaml"),
            Edit("limit: { type: int,", "limit: { type: uint,"), Edit("default: 20", "default: 30"),
            Edit("get: goods\n", "get: good\n"), Edit("doc: string }", "doc: int }"),
            Edit("doc: string?", "doc: string"), Edit("kind: Kind", "kind: Kind?"),
            Edit("returns: { id: int", "returns: { number: int"), Edit("Kind", "Sort"),
            Edit("goods.add", "goods.put"), Edit("default: all", "default: some"),
            Edit("limit: {", "most: {"), Edit("with: [Named]\n", ""),
            Edit("  Kind:", "  Other: { public: true, fields: { a: int } }\n  Kind:"),
            Edit("doc: A good.", "doc: &text A good."), Edit("Can be eaten.", "Food."),
            Edit("A good.", "\"A \\u0067ood.\""), Edit("reason:", "cause:", in: "session.yaml"),
            Edit("max-length: 9", "max-length: 2"), Edit("min: 0", "min: 4"),
            Edit("min: 0", "min: x"),
            Edit("A good.", "A good. # telex:ignore T0412 it is"), Edit("doc: A good.", "doc: [A"),
            Edit("expired: 401", "expired: 403", in: "api.yaml"), Edit("Of all.", "Of others."),
        ])
    func large(_ edit: Edit) throws {
        let outputs = try #require(Self.usual)
        #expect(try Self.edited(Self.files(Self.spec), Self.apply(edit), outputs) == nil)
    }

    // MARK: Random edits

    /// The specs of the repository, and that of this file.
    private static func specs() throws -> [[SpecFolder.File]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "specs")
        var specs: [String: [String: String]] = ["": spec]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            guard let slash = path.firstIndex(of: "/"), OutputName.isInput(path) else { continue }
            let file = String(path[path.index(after: slash)...])
            specs[String(path[..<slash]), default: [:]][file] = try String(
                contentsOf: folder.appending(path: path), encoding: .utf8)
        }
        return specs.sorted { $0.key < $1.key }.map { files($0.value) }
    }

    /// A change of one place in a text: mostly of documentation and rules, else of anything.
    private static func mutate(_ text: String, _ random: inout SeededGenerator) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let chosen = lines.indices.filter {
            lines[$0].contains(#/\b(doc|min|max|length|items)\b/#)
        }
        let isSmall = Int.random(in: 0..<3, using: &random) > 0
        let index = (isSmall ? chosen : Array(lines.indices)).randomElement(using: &random) ?? 0
        let word = text.matches(of: #/\w+/#).randomElement(using: &random).map { "\($0.output)" }
        let line = lines[index]
        switch isSmall
            ? Int.random(in: 0..<3, using: &random) : Int.random(in: 3..<9, using: &random)
        {
        case 0: lines[index] = line.replacing(#/doc: \w+/#, with: { "\($0.output) \(word ?? "")" })
        case 1: lines[index] = line.replacing(#/\d+/#, with: { "1\($0.output)" })
        case 2:
            lines[index] = line.replacing(#/, (doc|min|max)[^,}]*/#, with: "", maxReplacements: 1)
        case 3: lines.remove(at: index)
        case 4: lines.insert(line, at: index)
        case 5: lines[index] = line.replacing(#/\w+/#, with: word ?? "", maxReplacements: 1)
        case 6: lines[index] = line.replacing(#/\w+$/#, with: word ?? "")
        case 7: lines.swapAt(index, lines.indices.randomElement(using: &random) ?? 0)
        default:
            lines[index] =
                line
                + (["?", " # Why.", ",", " &a", "\\u0041"].randomElement(using: &random) ?? "")
        }
        return lines.joined(separator: "\n")
    }

    @Test("after random edits one upon the other, a slice makes the files of a whole run")
    func random() throws {
        var random = SeededGenerator(52)
        var sliced = 0
        for var files in try Self.specs() {
            guard var outputs = Self.outputs(files) else { continue }
            for _ in 0..<8 {
                let groups = files.indices.filter {
                    OutputName.isSpec(files[$0].relativePath)
                        && !OutputName.isAPI(files[$0].relativePath)
                }
                guard let index = groups.randomElement(using: &random) else { break }
                var new = files
                let text = String(decoding: files[index].bytes, as: UTF8.self)
                new[index].bytes = Array(Self.mutate(text, &random).utf8)
                guard let result = Self.edited(files, new, outputs) else { continue }
                (files, outputs) = (new, result)
                sliced += 1
            }
        }
        #expect(sliced > 30)
    }
}

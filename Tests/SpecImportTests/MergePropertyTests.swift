import SpecDiagnostics
import SpecSyntax
import TelexCompiler
import TestSupport
import Testing

@Suite("Edits that do not touch the same entry")
struct MergePropertyTests {
    @Test("edits of different entries always merge without conflict, to a spec that says both")
    func disjoint() async {
        await onThreadForLongTests {
            for seed in 1...250 {
                var generator = SeededGenerator(UInt64(seed))
                let edited = EditedSpecs(&generator)
                let base = edited.base.files(layout: nil)
                let theirs = edited.theirs.files(layout: nil)
                var ours = edited.ours.files(layout: generator)
                // An unedited file is as it was written.
                for (path, text) in edited.ours.files(layout: nil) where base[path] == text {
                    if Bool.random(using: &generator) { ours[path] = text }
                }
                let merged = Merged(base: base, ours: ours, theirs: theirs)
                let shown = "seed \(seed)\nours: \(ours)\nmerged: \(merged.files)"
                #expect(merged.problems == "", "\(shown)")
                #expect(merged.conflicts == "", "\(shown)")
                #expect(Spec(of: merged.files) == edited.both.normal, "\(shown)")
                #expect(!Imported.diagnostics(of: merged.files).contains("error:"), "\(shown)")
                let again = Merged(base: theirs, ours: merged.files, theirs: theirs)
                #expect(again.result.changes.isEmpty, "\(shown)")
                #expect(Merged(base: base, ours: base, theirs: theirs).files == theirs)
                #expect(Merged(base: base, ours: ours, theirs: base).files == ours)
            }
        }
    }
}

/// A value of a spec, with types in their long form.
private indirect enum Tree: Equatable {
    case word(String)
    case map([String: Tree])

    /// The value of a path of keys; setting nil removes it.
    subscript(path: [String]) -> Tree? {
        get {
            guard let key = path.first else { return self }
            guard case .map(let entries) = self else { return nil }
            return entries[key]?[Array(path.dropFirst())]
        }
        set {
            guard let key = path.first, case .map(var entries) = self else { return }
            if path.count == 1 {
                entries[key] = newValue
            } else {
                entries[key, default: .map([:])][Array(path.dropFirst())] = newValue
            }
            self = .map(entries)
        }
    }
}

/// Methods and models, each in a file.
private struct Spec: Equatable {
    var parts: [String: Tree] = [:]
    var places: [String: String] = [:]

    static func == (left: Self, right: Self) -> Bool { left.parts == right.parts }

    /// Without sections that became empty.
    var normal: Spec {
        var spec = self
        for name in parts.keys where parts[name]?[["query"]] == .map([:]) {
            spec.parts[name]?[["query"]] = nil
        }
        return spec
    }
}

/// A spec, and what both sides made of it.
private struct EditedSpecs {
    private(set) var base = Spec()
    private(set) var ours = Spec()
    private(set) var theirs = Spec()
    /// What both edits say.
    private(set) var both = Spec()

    private static let words = ["int", "string", "bool", "uuid", "Date", "double"]
    private static let files = ["a", "b", "models"]

    init(_ generator: inout SeededGenerator) {
        for index in 0..<Int.random(in: 1...4, using: &generator) {
            add("m\(index)", Self.method("m\(index)", &generator), &generator)
        }
        for index in 0..<Int.random(in: 1...4, using: &generator) {
            add("M\(index)", Self.model(&generator), &generator)
        }
        (ours, theirs, both) = (base, base, base)
        for name in base.parts.keys.sorted() { edit(name, &generator) }
        for side in ["o", "t"] where Bool.random(using: &generator) {
            let part = Self.method("\(side)new", &generator)
            change(side == "o", "\(side)new") { $0 = part }
            let file = Self.files.randomElement(using: &generator)!
            if side == "o" { ours.places["onew"] = file } else { theirs.places["tnew"] = file }
        }
    }

    private mutating func add(_ name: String, _ part: Tree, _ generator: inout SeededGenerator) {
        base.parts[name] = part
        base.places[name] = Self.files.randomElement(using: &generator)
    }

    private static func type(_ generator: inout SeededGenerator) -> Tree {
        var type = ["type": Tree.word(words.randomElement(using: &generator)!)]
        if Int.random(in: 0..<3, using: &generator) == 0 { type["doc"] = .word("Text") }
        return .map(type)
    }

    private static func types(_ count: Int, _ generator: inout SeededGenerator) -> Tree {
        var types: [String: Tree] = [:]
        for index in 0..<count { types["f\(index)"] = type(&generator) }
        return .map(types)
    }

    private static func method(_ name: String, _ generator: inout SeededGenerator) -> Tree {
        var method = ["get": Tree.word(name), "returns": .word("[int]")]
        let count = Int.random(in: 0...3, using: &generator)
        if count > 0 { method["query"] = types(count, &generator) }
        return .map(method)
    }

    private static func model(_ generator: inout SeededGenerator) -> Tree {
        var model = ["fields": types(Int.random(in: 1...4, using: &generator), &generator)]
        if Bool.random(using: &generator) { model["doc"] = .word("Model") }
        return .map(model)
    }

    /// Changes one side, and what both say.
    private mutating func change(_ isOurs: Bool, _ name: String, _ body: (inout Tree?) -> Void) {
        if isOurs { body(&ours.parts[name]) } else { body(&theirs.parts[name]) }
        body(&both.parts[name])
    }

    /// Lets each side edit other entries of a method or model, or one of them remove it.
    private mutating func edit(_ name: String, _ generator: inout SeededGenerator) {
        func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
        if chance(3) {
            if chance(2) { ours.places[name] = "moved" } else { theirs.places[name] = "models" }
        }
        if chance(6) { return change(chance(2), name) { $0 = nil } }
        let section = name.hasPrefix("m") ? "query" : "fields"
        if case .map(let fields)? = base.parts[name]?[[section]] {
            for field in fields.keys.sorted() {
                editField(name, [section, field], &generator)
            }
        }
        for (side, isOurs) in [("o", true), ("t", false)] {
            if chance(3) {
                let type = Self.type(&generator)
                change(isOurs, name) { $0?[[section, "\(side)\(name)"]] = type }
            }
            if chance(4), section == "query" {
                let key = isOurs ? "retry" : "timeout"
                change(isOurs, name) { $0?[[key]] = .word(isOurs ? "none" : "3s") }
            }
        }
        if chance(3) {
            let doc = chance(2) ? Tree.word("Other") : nil
            change(chance(2), name) { $0?[["doc"]] = doc }
        }
    }

    private mutating func editField(
        _ name: String, _ path: [String], _ generator: inout SeededGenerator
    ) {
        func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
        // The first field stays, so that a model has one.
        if chance(6), path.last != "f0" { return change(chance(2), name) { $0?[path] = nil } }
        if chance(3) {
            let word = Self.words.randomElement(using: &generator)!
            change(chance(2), name) { $0?[path + ["type"]] = .word(word) }
        }
        if chance(3) {
            let doc = chance(2) ? Tree.word("Another") : nil
            change(chance(2), name) { $0?[path + ["doc"]] = doc }
        }
        if chance(4) { change(chance(2), name) { $0?[path + ["deprecated"]] = .word("true") } }
    }
}

// MARK: - Text

extension Spec {
    /// The files of the spec.
    ///
    /// - Parameter layout: What chooses between braces and lines, comments and blank lines; nil: the
    ///   layout of an import.
    func files(layout: SeededGenerator?) -> [String: String] {
        var writer = SpecWriter(generator: layout ?? SeededGenerator(0), isRandom: layout != nil)
        var files = ["api.yaml": "telex: 1\napi: Shop\nservers: { a: \"https://a.example/\" }\n"]
        for file in Set(places.values).sorted() {
            var text = ""
            for (section, start) in [("methods", ["m", "o", "t"]), ("models", ["M"])] {
                let names = parts.keys.filter { name in
                    places[name] == file && start.contains(String(name.prefix(1)))
                }
                guard !names.isEmpty else { continue }
                text += (text.isEmpty ? "" : "\n") + "\(section):\n"
                for name in names.sorted() {
                    let isModel = section == "models"
                    let part = writer.shortened(parts[name]!, isType: isModel)
                    writer.write(isModel ? name : "a.\(name)", part, 2, &text)
                }
            }
            if !text.isEmpty { files["\(file).yaml"] = text }
        }
        return files
    }

    /// The spec of files.
    init(of files: [String: String]) {
        for (path, text) in files where path != "api.yaml" {
            var sources = SourceMap()
            var bag = DiagnosticBag()
            let root = YAMLReader.read(sources.add(path: path, text: text), into: &bag)
            for section in root?.entries ?? [] {
                for entry in section.value.entries {
                    let isModel = section.key.text == "models"
                    let name = isModel ? entry.key.text : String(entry.key.text.dropFirst(2))
                    #expect(parts[name] == nil, "\(name) is written once")
                    parts[name] = Tree(entry.value, isType: isModel)
                }
            }
        }
    }
}

extension Tree {
    init(_ node: YAMLNode, isType: Bool = false) {
        guard node.kind == .mapping else {
            self = isType ? .map(["type": .word(node.text)]) : .word(Self.text(node))
            return
        }
        let keys = node.entries.map(\.key.text)
        if isType, !keys.contains("fields"), !keys.contains("type") {
            self = .map(["fields": Self.types(node)])
            return
        }
        let hasTypes = ["query", "fields"]
        self = .map(
            Dictionary(
                node.entries.map { entry in
                    let key = entry.key.text
                    return (
                        key, hasTypes.contains(key) ? Self.types(entry.value) : Tree(entry.value)
                    )
                }, uniquingKeysWith: { $1 }))
    }

    private static func types(_ node: YAMLNode) -> Tree {
        .map(
            Dictionary(
                node.entries.map { ($0.key.text, Tree($0.value, isType: true)) },
                uniquingKeysWith: { $1 }))
    }

    private static func text(_ node: YAMLNode) -> String {
        node.kind == .sequence ? "[\(node.items.map(\.text).joined(separator: ", "))]" : node.text
    }
}

/// Writes trees in many layouts.
private struct SpecWriter {
    var generator: SeededGenerator
    let isRandom: Bool

    private mutating func chance(_ count: Int) -> Bool {
        isRandom && Int.random(in: 0..<count, using: &generator) == 0
    }

    mutating func write(_ key: String, _ tree: Tree, _ indent: Int, _ text: inout String) {
        let space = String(repeating: " ", count: indent)
        if chance(6) { text += "\n" }
        if chance(5) { text += space + "# above \(key)\n" }
        text += space + (chance(5) ? "\"\(key)\"" : key) + ":"
        if case .map(let entries) = tree, !entries.isEmpty, isRandom ? !chance(3) : indent < 6 {
            text += chance(5) ? " # beside \(key)\n" : "\n"
            for name in order(entries) { write(name, entries[name]!, indent + 2, &text) }
        } else {
            text += " " + flow(tree) + (chance(5) ? " # behind \(key)" : "") + "\n"
        }
    }

    private mutating func flow(_ tree: Tree) -> String {
        switch tree {
        case .word(let word): return word
        case .map(let entries):
            let parts = order(entries).map { "\($0): \(flow(entries[$0]!))" }
            return "{ " + parts.joined(separator: chance(3) ? ",  " : ", ") + " }"
        }
    }

    private mutating func order(_ entries: [String: Tree]) -> [String] {
        isRandom ? entries.keys.sorted().shuffled(using: &generator) : entries.keys.sorted()
    }

    /// A method or model with types in their short form, where that exists.
    mutating func shortened(_ part: Tree, isType: Bool) -> Tree {
        guard case .map(var entries) = part else { return part }
        let isLong = isType && chance(5)
        for section in ["query", "fields"] {
            guard case .map(var types)? = entries[section] else { continue }
            for name in types.keys.sorted() { types[name] = shortened(types[name]!, isType: true) }
            entries[section] = .map(types)
        }
        guard isType, !isLong, entries.count == 1 else { return .map(entries) }
        return entries["fields"] ?? entries["type"] ?? .map(entries)
    }
}

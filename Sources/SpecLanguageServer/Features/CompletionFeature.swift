import SpecDiagnostics
import SpecIR
import SpecSyntax
import TelexCompiler

/// Lists what may stand at a place.
enum CompletionFeature: Feature {
    struct Item: Encodable {
        let label: String
        let kind: Int
        let detail: String?
        let documentation: MarkupContent?
        let textEdit: TextEdit
        /// What the client compares with the word; it may ignore items without the same beginning.
        let filterText: String
        /// The order of the list.
        let sortText: String
    }

    struct List: Encodable {
        let isIncomplete: Bool
        let items: [Item]
    }

    static let method = "textDocument/completion"
    static let capabilities: [String: JSONTree] = [
        "completionProvider": ["triggerCharacters": [" ", "[", "{", "|", "<", "."]]
    ]

    static func answer(_ params: DocumentPosition, _ workspace: inout Workspace) -> List {
        guard let cursor = workspace.cursor(params) else { return List(isIncomplete: false, items: []) }
        var word = WordPlace(at: cursor.offset, in: cursor.file)
        var candidates = Completion(cursor, word).candidates
        if candidates.isEmpty {
            // What may be the name of a method may be a path, too.
            word = WordPlace(at: cursor.offset, in: cursor.file, isStep: true)
            candidates = Completion(cursor, word).candidates
        }
        let range = workspace.encoding.range(of: word.range, in: cursor.file)
        let items = candidates.enumerated().map { index, candidate in
            let order = String(index)
            return Item(
                label: candidate.text, kind: candidate.kind.rawValue, detail: candidate.detail,
                documentation: candidate.documentation.map { MarkupContent(value: $0) },
                textEdit: TextEdit(range: range, newText: candidate.text + candidate.ending),
                filterText: candidate.text,
                sortText: String(repeating: "0", count: max(0, 4 - order.count)) + order)
        }
        return List(isIncomplete: false, items: items)
    }
}

/// What may stand in the place of a word. The spec is parsed with a word of its own in that place:
/// what the grammar and the symbols say of it holds for all that may stand there.
struct Completion {
    struct Candidate {
        /// The kinds of the protocol.
        enum Kind: Int {
            case method = 2, field = 5, variable = 6, property = 10, enumMember = 20, file = 17
            case structure = 22, keyword = 14, constant = 21
        }

        let text: String
        let kind: Kind
        var detail: String?
        var documentation: String?
        /// What follows a key.
        var ending = ""
    }

    private(set) var candidates: [Candidate] = []
    private let snapshot: SpecSnapshot
    private let word: WordPlace

    /// A word that no spec has.
    private static let probe = "telexCompletionProbe"

    init(_ cursor: Cursor, _ word: WordPlace) {
        snapshot = cursor.snapshot
        self.word = word
        var folder = snapshot.folder
        guard let index = folder.files.firstIndex(where: { $0.shownPath == cursor.path }),
            OutputName.isSpec(folder.files[index].relativePath)
        else { return }
        folder.files[index].bytes = probed(cursor.file.bytes)
        let (spec, sources) = folder.parsed()
        guard let source = sources.files.first(where: { $0.path == cursor.path }),
            let trace = SpecParser.trace(
                SpecFile(path: folder.files[index].relativePath, source: source))
        else { return }
        if word.isKey {
            addKeys(trace)
        } else {
            addWords(trace)
        }
        addNames(SymbolCollector(spec, sources, files: Set(sources.files.map(\.id))), source.id)
    }

    /// The text with a word that is complete by YAML's rules, so that the rest of the line stays what it
    /// is.
    private func probed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        bytes.insert(contentsOf: word.closing.utf8, at: word.line.upperBound)
        let value = word.isKey && !word.hasColon ? ": \(Self.probe)" : ""
        bytes.replaceSubrange(word.range, with: (Self.probe + value).utf8)
        return bytes
    }

    // MARK: Keys

    private mutating func addKeys(_ trace: GrammarTrace) {
        guard
            let mapping = trace.mappings.last(where: { mapping in
                mapping.node.entries.contains { $0.key.text == Self.probe }
            })
        else { return }
        let present = Set(mapping.node.entries.map(\.key.text))
        let rules = mapping.takesRules ? fittingRules(in: mapping, trace) : []
        for key in mapping.keys.filter({ !rules.contains($0) }) + rules
        where !present.contains(key) {
            candidates.append(
                Candidate(
                    text: key, kind: rules.contains(key) ? .keyword : .property,
                    detail: mapping.name, documentation: KeyText.text(of: key, in: mapping),
                    ending: word.hasColon ? "" : ": "))
        }
    }

    /// The rules for the type of a mapping; all if the type is not known.
    private func fittingRules(in mapping: GrammarTrace.Mapping, _ trace: GrammarTrace) -> [String] {
        let family =
            mapping.name == "a type"
            ? RuleFamily(of: mapping.node, in: snapshot)
            : trace.mappings.lazy.compactMap {
                RuleFamily(ofPart: mapping.node.span, in: $0.node, of: snapshot)
            }.first
        return RuleName.allCases.filter { rule in
            rule != .constant && (family.map { rule.row.families.contains($0) } ?? true)
        }.map(\.rawValue)
    }

    // MARK: Values

    private mutating func addWords(_ trace: GrammarTrace) {
        let place = Int32(word.range.lowerBound)
        guard let choice = trace.choices.last(where: { $0.span.contains(place) }) else { return }
        candidates += choice.words.map { Candidate(text: $0, kind: .enumMember) }
    }

    private mutating func addNames(_ collector: SymbolCollector, _ file: FileID) {
        let (index, offset) = (collector.index, word.range.lowerBound)
        guard let found = index.occurrence(at: offset, in: file) else {
            let offers = index.offers.first {
                $0.key.file == file && $0.key.contains(Int32(offset))
            }
            return add(offers?.value ?? [], .field)
        }
        guard found.symbol.name.contains(Self.probe), !found.isDeclaration else { return }
        if let names = index.offers[found.span] { return add(names, .variable) }
        switch found.symbol.kind {
        case .model:
            addModels(index, at: offset, in: file)
        case .method: add(index.declarations(of: .method).map(\.symbol.name).sorted(), .method)
        case .template: add(index.declarations(of: .template).map(\.symbol.name), .file)
        case let kind:
            add(index.declarations(of: kind).map(\.symbol.name), .constant)
            if kind == .errorCase, snapshot.spec.api != nil { add(["transport"], .keyword) }
        }
    }

    private mutating func addModels(_ index: SymbolIndex, at offset: Int, in file: FileID) {
        for declaration in index.declarations(of: .model) {
            candidates.append(
                Candidate(
                    text: declaration.symbol.name, kind: .structure,
                    detail: declaration.type.map(TypeWords.text),
                    documentation: declaration.text))
        }
        for name in TypeNames.scalars.sorted() {
            candidates.append(
                Candidate(
                    text: name, kind: .keyword,
                    documentation: KeyMeanings.all.meaning(ofType: name)?.sentence))
        }
    }

    private mutating func add(_ names: [String], _ kind: Candidate.Kind) {
        var known = Set(candidates.map(\.text))
        for name in names where !name.contains(Self.probe) && known.insert(name).inserted {
            candidates.append(Candidate(text: name, kind: kind))
        }
    }
}

extension RuleFamily {
    /// The family of the type that a mapping describes; nil if it says none.
    fileprivate init?(of node: YAMLNode, in snapshot: SpecSnapshot) {
        if node.value(of: "enum") != nil {
            self = .enumeration
        } else if node.value(of: "fields") != nil || node.value(of: "one-of") != nil {
            self = .other
        } else if let type = node.value(of: "type") {
            let text = type.text.drop { $0 == " " }
            self.init(of: type.kind == .sequence ? "[" : String(text), in: snapshot, depth: 0)
        } else {
            return nil
        }
    }

    /// The family of the elements of a list, or of the keys or values of a map, whose rules stand in a
    /// mapping of their own.
    fileprivate init?(ofPart part: Span, in node: YAMLNode, of snapshot: SpecSnapshot) {
        guard let entry = node.entries.first(where: { $0.value.span == part }),
            let type = node.value(of: "type")
        else { return nil }
        let text = type.items.first?.text ?? type.text
        let sides = text.drop { "[{ ".contains($0) }.split(separator: ":", maxSplits: 1)
        let isValue = entry.key.text == "values"
        guard let side = isValue ? sides.last : sides.first else { return nil }
        self.init(of: String(side.drop { $0 == " " }), in: snapshot, depth: 0)
    }

    private init?(of type: String, in snapshot: SpecSnapshot, depth: Int) {
        let name = type.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        switch name {
        case "" where type.hasPrefix("["): self = .list
        case "" where type.hasPrefix("{"): self = .map
        case "int", "int32", "uint": self = .integer
        case "double", "decimal": self = .fraction
        case "string": self = .text
        case "Date": self = .date
        case "file": self = .file
        case _ where TypeNames.scalars.contains(String(name)): self = .other
        default:
            guard depth < 16, let model = snapshot.symbols.named(.model, String(name))?.type else {
                return nil
            }
            if case .enumeration = model.form {
                self = .enumeration
            } else {
                self.init(of: TypeWords.text(model), in: snapshot, depth: depth + 1)
            }
        }
    }
}

import SpecDiagnostics
import SpecIR
import SpecSemantics
import SpecSyntax
import TelexCompiler

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
                    detail: mapping.name, documentation: mapping.explanation(of: key),
                    ending: word.hasColon ? "" : ": "))
        }
    }

    /// The rules for the type of a mapping; all if the type is not known.
    private func fittingRules(in mapping: GrammarTrace.Mapping, _ trace: GrammarTrace) -> [String] {
        let type = trace.types.last { $0.span == mapping.node.span }?.value
        let family = type.flatMap { RuleFamily(of: $0, in: snapshot.symbols) }
        return RuleName.allCases.filter { rule in
            rule != .constant && (family.map { rule.row.families.contains($0) } ?? true)
        }.map(\.rawValue)
    }

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
        case .model: addTypes(index)
        case .method: add(index.declarations(of: .method).map(\.symbol.name).sorted(), .method)
        case .template: add(index.declarations(of: .template).map(\.symbol.name), .file)
        case let kind:
            add(index.declarations(of: kind).map(\.symbol.name), .constant)
            if kind == .errorCase { add(["transport"], .keyword) }
        }
    }

    private mutating func addTypes(_ index: SymbolIndex) {
        for declaration in index.declarations(of: .model) {
            candidates.append(
                Candidate(
                    text: declaration.symbol.name, kind: .structure,
                    detail: declaration.type?.shown,
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
    /// The family of a type; nil if the type is not known.
    fileprivate init?(of type: TypeSyntax, in symbols: SymbolIndex, depth: Int = 0) {
        switch type.form {
        case .list: self = .list
        case .map: self = .map
        case .enumeration: self = .enumeration
        case .object, .union: self = .other
        case .named(let name) where TypeNames.scalars.contains(name): self.init(ofScalar: name)
        case .named(let name):
            guard depth < 16, let model = symbols.named(.model, name)?.type else { return nil }
            self.init(of: model, in: symbols, depth: depth + 1)
        case .invalid: return nil
        }
    }
}

import SpecDiagnostics
import SpecSyntax

/// A thing that a spec names.
struct Symbol: Hashable {
    enum Kind: String {
        case model, typeParameter, method, parameter, field, template
        case server, scheme, session, queue, errorCase
    }

    let kind: Kind
    /// Its name; of a method, with the group.
    let name: String
    /// The place of its name where it is declared; nil if the spec declares none of this name.
    let place: Span?
}

/// A place that names a symbol.
struct Occurrence {
    let symbol: Symbol
    /// The name alone, without quotes.
    let span: Span
    let isDeclaration: Bool
}

/// A symbol where it is declared.
struct Declaration {
    let symbol: Symbol
    /// The name with what belongs to it.
    let whole: Span
    /// What it is declared in, such as a group or a method; empty for the API.
    let owner: String
    /// The type of a model, a field or a parameter.
    let type: TypeSyntax?
    /// `doc`
    let text: String?
}

/// The symbols of a spec, with all places that name them.
struct SymbolIndex {
    /// The declarations, in the order of the files.
    private(set) var declarations: [Declaration] = []
    private(set) var occurrences: [FileID: [Occurrence]] = [:]
    /// The names that may stand where a name of a narrow scope is unknown.
    var offers: [Span: [String]] = [:]
    /// The method that a template belongs to by its name alone, by the name of the file.
    var namedTemplates: [String: Symbol] = [:]
    private var places: [Symbol: Int] = [:]
    private var taken: Set<Span> = []

    /// The symbol that is named at an offset; at the end of its name, too.
    func occurrence(at offset: Int, in file: FileID) -> Occurrence? {
        occurrences[file]?.filter { Int($0.span.start) <= offset && offset <= Int($0.span.end) }
            .min { $0.span.end - $0.span.start < $1.span.end - $1.span.start }
    }

    func declaration(of symbol: Symbol) -> Declaration? { places[symbol].map { declarations[$0] } }

    /// All places that name a symbol, in order.
    func all(of symbol: Symbol) -> [Occurrence] {
        occurrences.values.joined().filter { $0.symbol == symbol }.sorted { $0.span < $1.span }
    }

    func declarations(of kind: Symbol.Kind) -> [Declaration] {
        declarations.filter { $0.symbol.kind == kind }
    }

    /// The first declaration of a name.
    func named(_ kind: Symbol.Kind, _ name: String) -> Declaration? {
        declarations.first { $0.symbol.kind == kind && $0.symbol.name == name }
    }

    mutating func declare(_ declaration: Declaration) {
        let symbol = declaration.symbol
        guard let span = symbol.place, places[symbol] == nil else { return }
        places[symbol] = declarations.count
        declarations.append(declaration)
        add(Occurrence(symbol: symbol, span: span, isDeclaration: true))
    }

    /// Adds a place that names a symbol. Only the first symbol of a place counts.
    mutating func use(_ symbol: Symbol, at span: Span) {
        add(Occurrence(symbol: symbol, span: span, isDeclaration: false))
    }

    private mutating func add(_ occurrence: Occurrence) {
        guard taken.insert(occurrence.span).inserted else { return }
        occurrences[occurrence.span.file, default: []].append(occurrence)
    }
}

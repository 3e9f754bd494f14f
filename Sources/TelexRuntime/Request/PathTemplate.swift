/// Text with `{name}` parameters in it.
struct PathTemplate: Sendable {
    /// A stretch of the text.
    enum Piece: Equatable, Sendable {
        case literal(String)
        case parameter(String)
    }

    private(set) var pieces: [Piece] = []

    /// Takes a text apart. A brace without its partner is a literal.
    init(_ text: String) {
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"),
            let close = rest[open...].firstIndex(of: "}")
        {
            add(literal: rest[..<open])
            pieces.append(.parameter(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        add(literal: rest)
    }

    private mutating func add(literal: Substring) {
        if !literal.isEmpty { pieces.append(.literal(String(literal))) }
    }
}

/// A text that contains `{name}` parameters.
struct PathTemplate: Sendable {
    /// A literal or a parameter in the text.
    package enum Piece: Equatable, Sendable {
        case literal(String)
        case parameter(String)
    }

    package private(set) var pieces: [Piece] = []

    /// Splits a text into pieces. An unmatched brace is literal.
    package init(_ text: String) {
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

/// The part of Swift's lexical structure that distinguishes code from comments and literals (The
/// Swift Programming Language, Lexical Structure).
struct Lexer {
    enum Token: Equatable {
        case comment(String)
        /// A literal, by its value.
        case string(String)
        case word(String)
        case mark(Unicode.Scalar)
    }

    private var rest: ArraySlice<Unicode.Scalar>

    /// The tokens of a text; `nil` if a literal does not end.
    static func tokens(_ text: String) -> [Token]? {
        var lexer = Lexer(rest: Array(text.unicodeScalars)[...])
        var tokens: [Token] = []
        while let first = lexer.rest.first {
            guard let token = lexer.next(first) else { return nil }
            if token != .mark(" "), token != .mark("\n") { tokens.append(token) }
        }
        return tokens
    }

    private mutating func next(_ first: Unicode.Scalar) -> Token? {
        if starts(with: "//") { return .comment(text(of: take { $0 != "\n" && $0 != "\r" })) }
        if starts(with: "/*") { return nil }
        if starts(with: "\"\"\"") { return spread() }
        if first == "\"" { return string() }
        if first == "`" {
            rest.removeFirst()
            let name = take { $0 != "`" }
            guard rest.popFirst() != nil else { return nil }
            return .word(text(of: name))
        }
        let word = take { $0 == "_" || $0.properties.isXIDContinue }
        if !word.isEmpty { return .word(text(of: word)) }
        rest.removeFirst()
        return .mark(first)
    }

    private mutating func string() -> Token? {
        rest.removeFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "\"" { return .string(String(value)) }
            if scalar == "\n" || scalar == "\r" { return nil }
            guard let scalar = scalar == "\\" ? escape() : scalar else { return nil }
            value.append(scalar)
        }
        return nil
    }

    /// A multi-line literal in which every line break but the last is escaped. The indentation of
    /// its end delimiter is removed.
    private mutating func spread() -> Token? {
        rest.removeFirst(3)
        guard rest.popFirst() == "\n" else { return nil }
        var lines: [ArraySlice<Unicode.Scalar>] = []
        while !rest.isEmpty {
            let line = take { $0 != "\n" }
            let text = line.drop { $0 == " " }
            if text.starts(with: "\"\"\"".unicodeScalars) {
                rest = text.dropFirst(3) + rest
                return value(of: lines, indentation: line.count - text.count)
            }
            lines.append(line)
            rest = rest.dropFirst()
        }
        return nil
    }

    private func value(of lines: [ArraySlice<Unicode.Scalar>], indentation: Int) -> Token? {
        var value = String.UnicodeScalarView()
        for (index, line) in lines.enumerated() {
            let isLast = index == lines.count - 1
            guard line.prefix(indentation).allSatisfy({ $0 == " " }) else { return nil }
            var lexer = Lexer(rest: line.dropFirst(indentation))
            while let scalar = lexer.rest.popFirst() {
                if scalar == "\\", lexer.rest.isEmpty, !isLast { break }
                if lexer.rest.isEmpty, !isLast { return nil }
                guard let scalar = scalar == "\\" ? lexer.escape() : scalar else { return nil }
                value.append(scalar)
            }
        }
        return .string(String(value))
    }

    private mutating func escape() -> Unicode.Scalar? {
        switch rest.popFirst() {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "\"": return "\""
        case "\\": return "\\"
        case "u":
            guard rest.popFirst() == "{" else { return nil }
            let digits = text(of: take { $0 != "}" })
            guard rest.popFirst() == "}" else { return nil }
            return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
        default: return nil
        }
    }

    private func starts(with text: String) -> Bool { rest.starts(with: text.unicodeScalars) }

    private mutating func take(_ isPart: (Unicode.Scalar) -> Bool) -> ArraySlice<Unicode.Scalar> {
        let taken = rest.prefix(while: isPart)
        rest = rest.dropFirst(taken.count)
        return taken
    }

    private func text(of scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}

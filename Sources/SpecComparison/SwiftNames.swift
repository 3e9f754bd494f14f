/// The names in a Swift file that may refer to declarations of others: without comments and texts, but
/// with the code inside of texts.
struct SwiftNames {
    /// A name at its place.
    struct Use {
        /// The name as names are compared.
        var name: String
        /// The line, from 1.
        var line: Int
        /// Whether a dot stands before it.
        var isMember: Bool
        /// The name before the dot, if there is one.
        var owner: String?
        /// Whether a colon follows, as behind the label of an argument.
        var isLabel: Bool
    }

    /// All names, in order.
    private(set) var uses: [Use] = []
    private let text: [Character]
    private var place = 0
    private var line = 1
    /// The name that a dot may follow.
    private var last: String?
    private var isBehindDot = false

    /// Reads a file.
    init(_ text: String) {
        self.text = Array(text)
        code(untilParenthesis: false)
    }

    /// A name as it is compared: those of Swift differ from those of a spec by case and separators.
    static func normal(_ name: some StringProtocol) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private func peek(_ offset: Int = 0) -> Character? {
        place + offset < text.count ? text[place + offset] : nil
    }

    private mutating func step() {
        if text[place].isNewline { line += 1 }
        place += 1
    }

    /// Reads code to the end, or to the parenthesis that closes an interpolation.
    private mutating func code(untilParenthesis: Bool) {
        var depth = 0
        while let character = peek() {
            if character == "/", peek(1) == "/" || peek(1) == "*" {
                comment()
            } else if character == "\"" || character == "#" {
                string()
            } else if character.isLetter || character == "_" || character == "`" {
                name()
            } else {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
                if untilParenthesis, depth < 0 { return step() }
                punctuation(character)
                step()
            }
        }
    }

    private mutating func punctuation(_ character: Character) {
        if character == "." {
            isBehindDot = true
        } else if !character.isWhitespace, !"?!".contains(character) {
            (last, isBehindDot) = (nil, false)
        }
    }

    private mutating func name() {
        let start = line
        var name = ""
        while let character = peek(),
            character.isLetter || character.isNumber || "_`".contains(character)
        {
            name.append(character)
            step()
        }
        let use = Use(
            name: Self.normal(name), line: start, isMember: isBehindDot,
            owner: isBehindDot ? last : nil, isLabel: peek() == ":")
        uses.append(use)
        (last, isBehindDot) = (use.name, false)
    }

    private mutating func comment() {
        if peek(1) == "/" {
            while let character = peek(), !character.isNewline { step() }
            return
        }
        var depth = 0
        repeat {
            if peek() == "/", peek(1) == "*" {
                depth += 1
                step()
            } else if peek() == "*", peek(1) == "/" {
                depth -= 1
                step()
            }
            if peek() != nil { step() }
        } while depth > 0 && peek() != nil
    }

    /// Reads a text with its interpolations; a `#` that begins none is passed.
    private mutating func string() {
        var signs = ""
        while peek() == "#" {
            signs += "#"
            step()
        }
        guard peek() == "\"" else { return }
        let quotes = peek(1) == "\"" && peek(2) == "\"" ? "\"\"\"" : "\""
        for _ in quotes { step() }
        while let character = peek() {
            if isNext("\\" + signs + "(") {
                for _ in 0..<(signs.count + 2) { step() }
                code(untilParenthesis: true)
            } else if character == "\\", signs.isEmpty {
                step()
                if peek() != nil { step() }
            } else if isNext(quotes + signs) {
                for _ in quotes + signs { step() }
                break
            } else if character.isNewline, quotes.count == 1 {
                break
            } else {
                step()
            }
        }
        (last, isBehindDot) = (nil, false)
    }

    private func isNext(_ part: String) -> Bool { text[place...].starts(with: part) }
}

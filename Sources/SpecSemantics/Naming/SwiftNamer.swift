import SpecSyntax

/// Derives Swift names from API names (Swift API Design Guidelines: lower camel case for values,
/// upper camel case for types, acronyms uniformly up- or down-cased).
package struct SwiftNamer {
    /// Lower-cased words with the spelling they have inside a name.
    private var acronyms: [String: String] = [
        "id": "ID", "url": "URL", "uri": "URI", "uuid": "UUID", "http": "HTTP", "https": "HTTPS",
        "html": "HTML", "json": "JSON", "xml": "XML", "api": "API", "ip": "IP", "sms": "SMS",
    ]

    package init() {}

    /// A namer that spells words as `names` of the API says.
    init(_ api: APISyntax) {
        for name in api.names { add(name.word.value, spelt: name.spelling.value) }
    }

    /// Adds the spelling of a word, which overrides a built-in one.
    mutating func add(_ word: String, spelt spelling: String) {
        acronyms[word.lowercased()] = spelling
    }

    /// A name in lower camel case, or `nil` if the text has no letter and no digit.
    package func lowerCamel(_ text: String) -> String? {
        let words = Self.words(text)
        guard let first = words.first else { return nil }
        let head = first.lowercased()
        return legal(head + words.dropFirst().map(capitalized).joined())
    }

    /// A name in upper camel case, or `nil` if the text has no letter and no digit.
    package func upperCamel(_ text: String) -> String? {
        let words = Self.words(text)
        return words.isEmpty ? nil : legal(words.map(capitalized).joined())
    }

    /// A type name in upper camel case; a well-formed name stays as it is.
    package func typeName(_ text: String) -> String? {
        if let first = text.first, first.isUppercase, Self.isIdentifier(text) { return text }
        return upperCamel(text)
    }

    private func capitalized(_ word: String) -> String {
        let lower = word.lowercased()
        if let spelling = acronyms[lower] { return spelling }
        if lower.hasSuffix("s"), let spelling = acronyms[String(lower.dropLast())] {
            return spelling + "s"
        }
        return lower.prefix(1).uppercased() + lower.dropFirst()
    }

    private func legal(_ name: String) -> String {
        name.first.map(\.isNumber) == true ? "_" + name : name
    }

    /// Splits at characters other than letters and digits, and where case changes:
    /// `photo_maxURLSize` is `photo`, `max`, `URL`, `Size`. A number keeps its sign: `-1` is
    /// `minus`, `1`.
    package static func words(_ text: String) -> [String] {
        var words = sign(of: text).map { [$0] } ?? []
        let bytes = Array(text.utf8)
        // Characters take far longer than bytes.
        if bytes.allSatisfy({ $0 < 0x80 }) {
            split(bytes.map(Letter.init), into: &words) {
                String(decoding: bytes[$0], as: UTF8.self)
            }
        } else {
            let characters = Array(text)
            split(characters.map(Letter.init), into: &words) { String(characters[$0]) }
        }
        return words
    }

    /// What a letter of a name says about where a word begins and ends.
    private enum Letter {
        case capital, small, smallS, other, separator

        init(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "s"): self = .smallS
            case 0x61...0x7A: self = .small
            case 0x41...0x5A: self = .capital
            case 0x30...0x39: self = .other
            default: self = .separator
            }
        }

        init(_ character: Character) {
            if let byte = character.asciiValue {
                self.init(byte)
            } else if !isOtherNamePart(character) {
                self = .separator
            } else {
                self = character.isUppercase ? .capital : character.isLowercase ? .small : .other
            }
        }
    }

    /// The word for the sign of a number, so that `+1` and `-1` get different names.
    private static func sign(of text: String) -> String? {
        guard text.dropFirst().first?.isNumber == true else { return nil }
        return ["+": "plus", "-": "minus"][text.prefix(1)]
    }

    /// The text with words for the signs at its beginning and before digits; nil without signs.
    package static func spellingSigns(in text: String) -> String? {
        let spelt = text.replacing(#/(^[+-](?=.)|[+-](?=\d))/#) {
            $0.output.0 == "+" ? " plus " : " minus "
        }
        return spelt == text ? nil : spelt
    }

    /// - Parameter word: Returns the text of these letters.
    private static func split(
        _ letters: [Letter], into words: inout [String], word: (Range<Int>) -> String
    ) {
        var start = 0
        for index in 0...letters.count {
            let isEnd = index == letters.count || letters[index] == .separator
            guard isEnd || index > start && beginsWord(letters, index) else { continue }
            if index > start { words.append(word(start..<index)) }
            start = isEnd ? index + 1 : index
        }
    }

    /// Whether a letter that is not the first of its part begins a word: a capital letter after
    /// another one only if it ends an acronym, and not its plural, as in `userIDs`.
    private static func beginsWord(_ letters: [Letter], _ index: Int) -> Bool {
        guard letters[index] == .capital else { return false }
        if letters[index - 1] != .capital { return true }
        guard index + 1 < letters.count else { return false }
        guard letters[index + 1] == .smallS else { return letters[index + 1] == .small }
        return index + 2 < letters.count && letters[index + 2] != .separator
            && letters[index + 2] != .capital
    }

    private static func isOtherNamePart(_ character: Character) -> Bool {
        (character.isLetter || character.isNumber) && isIdentifier("a\(character)")
    }

    /// Whether a text is a Swift identifier without backticks (The Swift Programming Language,
    /// Lexical Structure), restricted to letters, digits and `_`.
    package static func isIdentifier(_ text: String) -> Bool {
        // A single `_` is a pattern in Swift, not a name.
        if text == "_" { return false }
        if text.utf8.allSatisfy(\.isNamePart) {
            return text.utf8.first.map { !$0.isDigit } == true
        }
        guard let first = text.unicodeScalars.first,
            first == "_" || first.properties.isXIDStart
        else { return false }
        return text.unicodeScalars.allSatisfy {
            $0 == "_" || $0.properties.isXIDContinue && $0.value != 0xB7
        }
    }
}

/// The singular of an English plural, for the name of a list's element.
package func singular(_ word: String) -> String {
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    for ending in ["sses", "xes", "ches", "shes"] where word.hasSuffix(ending) {
        return String(word.dropLast(2))
    }
    for ending in ["ss", "us", "is"] where word.hasSuffix(ending) { return word }
    return word.hasSuffix("s") && word.count > 2 ? String(word.dropLast()) : word
}

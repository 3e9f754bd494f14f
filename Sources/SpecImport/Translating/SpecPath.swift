import SpecSemantics
import SpecSyntax

/// A path as a spec writes it.
struct SpecPath {
    /// A placeholder of the path.
    struct Placeholder {
        /// Its name in the spec.
        var name: String
        /// What the description has in the braces.
        var source: String
        var expression: PlaceholderExpression
    }

    private(set) var text = ""
    /// The placeholders, in order.
    private(set) var placeholders: [Placeholder] = []
    /// The query that the path has, as some descriptions tell operations apart.
    private(set) var constants: [(name: String, value: String)] = []
    /// Whether the path has something that a spec cannot say.
    private(set) var isCorrected = false
    /// What placeholders have besides their names, and a spec cannot say.
    private(set) var lost: [String] = []

    init(_ path: String) {
        var rest = path.trimmed[...]
        isCorrected = rest.count != path.count
        var plain = ""
        while let index = rest.firstIndex(where: { "{?#".contains($0) }), rest[index] == "{" {
            plain += rest[..<index]
            let inner = rest[rest.index(after: index)...]
            if let end = Self.end(of: inner) {
                plain += placeholder(String(inner[..<end]))
                rest = inner[inner.index(after: end)...]
            } else {
                isCorrected = true
                rest = inner
            }
        }
        let end = rest.firstIndex { "?#".contains($0) } ?? rest.endIndex
        readQuery(rest[end...])
        text = corrected(plain + rest[..<end])
    }

    /// The placeholder of a parameter: by its name in the braces, with or without signs, or in
    /// another case.
    func placeholder(of parameter: String) -> Placeholder? {
        let name = PlaceholderExpression(parameter).name
        return placeholders.first { $0.source == parameter }
            ?? placeholders.first { $0.expression.name == name && !name.isEmpty }
            ?? placeholders.first { $0.expression.name.lowercased() == name.lowercased() }
    }

    /// Writes a sign before a placeholder.
    mutating func write(_ sign: String, before placeholder: Placeholder) {
        for braces in ["{\(placeholder.name)}", "{+\(placeholder.name)}"] {
            text = text.replacing(braces, with: sign + braces)
        }
    }

    // MARK: Placeholders

    /// Where the brace is that closes an expression, which may have braces itself.
    private static func end(of text: Substring) -> String.Index? {
        var depth = 0
        for index in text.indices {
            if text[index] == "{" { depth += 1 }
            guard text[index] == "}" else { continue }
            if depth == 0 { return index }
            depth -= 1
        }
        return text.firstIndex(of: "}")
    }

    private mutating func placeholder(_ source: String) -> String {
        let expression = PlaceholderExpression(source)
        if expression.isCut { lost.append(source) }
        if expression.isQuery { return "" }
        let name = uniqueName(expression.name)
        if placeholders.contains(where: { $0.source == source }) { lost.append("\(source), twice") }
        placeholders.append(Placeholder(name: name, source: source, expression: expression))
        return expression.sign + (expression.keepsSlashes ? "{+" : "{") + name + "}"
    }

    private func uniqueName(_ name: String) -> String {
        let isFine =
            HeaderName.isValid(name)
            && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            && name.contains(where: \.isLetter)
        let plain = SwiftNamer().lowerCamel(name.filter { $0.isASCII }) ?? "value"
        let base = isFine ? name : plain.first == "_" ? "value" + plain.dropFirst() : plain
        return base.unique { name in !placeholders.contains { $0.name == name } }
    }

    // MARK: The rest

    private mutating func readQuery(_ text: Substring) {
        guard !text.isEmpty else { return }
        let items = text.dropFirst().prefix { $0 != "#" }.split(separator: "&")
        let pairs = items.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        guard text.first == "?",
            pairs.allSatisfy({ $0.count == 2 && !$0[1].contains("{") && !$0[1].contains("$") })
        else {
            isCorrected = true
            return
        }
        constants = pairs.map { ($0[0], $0[1]) }
        if text.contains("#") { isCorrected = true }
    }

    /// The path without what a spec may not have in it. Braces stand around names alone.
    private mutating func corrected(_ path: String) -> String {
        var depth = 0
        let scalars = path.unicodeScalars.filter { scalar in
            if scalar == "{" { depth += 1 }
            if scalar == "}" { depth -= 1 }
            let isFine = scalar.value >= 0x20 && scalar.value != 0x7F && depth >= 0
            if !isFine { isCorrected = true }
            depth = max(depth, 0)
            return isFine
        }
        let text = String(String.UnicodeScalarView(scalars)).drop { $0 == "/" }
        var segments: [String] = []
        for segment in text.split(separator: "/", omittingEmptySubsequences: false) {
            if [".", ".."].contains(segment.lowercased().replacing("%2e", with: ".")) {
                isCorrected = true
            } else {
                segments.append(
                    segment.first == ":" ? "%3A" + segment.dropFirst() : String(segment))
            }
        }
        return segments.joined(separator: "/")
    }
}

/// What stands in the braces of a path: a name with the signs of URI templates (RFC 6570), and with
/// the expressions of gateways and frameworks.
struct PlaceholderExpression {
    private(set) var name = ""
    /// Whether the value may be several segments.
    private(set) var keepsSlashes = false
    /// What the value has to match.
    private(set) var pattern: String?
    /// What is sent before the value.
    private(set) var sign = ""
    /// Whether it stands for items of the query.
    private(set) var isQuery = false
    /// Whether it has something that a spec cannot say.
    private(set) var isCut = false

    init(_ text: String) {
        let text = text.trimmed
        let end = text.dropFirst().firstIndex { $0 == ":" || $0 == "=" } ?? text.endIndex
        readName(String(text[..<end]).trimmed)
        let expression = text[end...].dropFirst()
        switch text[end...].first {
        case ":": readPattern(String(expression).trimmed)
        case "=": readSegments(expression)
        default: break
        }
    }

    private mutating func readName(_ text: String) {
        var text = text[...]
        switch text.first {
        case "?", "&": (isQuery, isCut) = (true, true)
        case ";": sign = ";\(text.dropFirst())="
        case ".": sign = text.hasPrefix("...") ? "" : "."
        case "/": sign = "/"
        case "#": isCut = true
        default: break
        }
        while let first = text.first, "+*.;/#?&".contains(first) {
            if first == "+" || first == "*" || text.hasPrefix("...") { keepsSlashes = true }
            text = text.drop { $0 == first }
        }
        while let last = text.last, "+*?".contains(last) || text.hasSuffix("...") {
            if last == "?" { isCut = true } else { keepsSlashes = true }
            text.removeLast(last == "." ? 3 : 1)
        }
        name = String(text)
    }

    /// The segments of a resource name, such as `projects/*/items/*`.
    private mutating func readSegments(_ text: Substring) {
        guard text.contains("*") else {
            isCut = true
            return
        }
        if text.contains("/") || text.contains("**") { keepsSlashes = true }
        guard text != "*", text != "**" else { return }
        let words = text.split(separator: "**", omittingEmptySubsequences: false).map { part in
            part.split(separator: "*", omittingEmptySubsequences: false).map(Self.escaped)
                .joined(separator: "[^/]+")
        }
        setPattern("^\(words.joined(separator: ".+"))$")
    }

    private static func escaped(_ text: Substring) -> String {
        text.map { #"\^$.|?*+()[]{}"#.contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }

    /// A regular expression, or the name of a converter such as `path` or `int`.
    private mutating func readPattern(_ text: String) {
        if ["path", "str", "string"].contains(text) || text.isEmpty {
            keepsSlashes = keepsSlashes || text == "path"
        } else if text.wholeMatch(of: #/[A-Za-z]+([:(].*)?|[0-9]+/#) != nil {
            // A converter, a constraint of a framework, or the number of characters.
            isCut = true
        } else {
            let inner = text.hasPrefix("^") ? String(text.dropFirst()) : text
            let bare =
                inner.hasSuffix("$") && !inner.hasSuffix(#"\$"#)
                ? String(inner.dropLast()) : inner
            if Self.matchesSlash(bare) { keepsSlashes = true }
            if [".*", ".+", "[^/]+", "[^/]*", "(.*)", "(.+)"].contains(bare) { return }
            setPattern(bare.contains("|") ? "^(?:\(bare))$" : "^\(bare)$")
        }
    }

    private mutating func setPattern(_ text: String) {
        if (try? PatternCompiler.compile(text)) == nil { isCut = true } else { pattern = text }
    }

    /// Whether an expression accepts texts with a slash: it has one, or repeats what may be one.
    private static func matchesSlash(_ text: String) -> Bool {
        // A class of all but some signs has the slash, unless it is among them.
        let bare = text.replacing(#/\\[^SDW\/]/#, with: "x").replacing(#/\[\^[^\]]*\]/#) {
            $0.output.contains("/") ? "x" : "/"
        }
        return bare.contains("/")
            || bare.replacing(#/\[[^\]]*\]/#, with: "x").contains(#/(\.|\\[SDW])[*+{]/#)
    }
}

/// Names of header fields (RFC 9110 §5.1).
enum HeaderName {
    static func isValid(_ text: String) -> Bool {
        text.utf8.count <= 200 && HeaderChecker.isToken(text)
    }
}

import SpecSemantics
import SpecSyntax

/// The address of a server as a spec writes it.
struct ServerAddress {
    /// Absolute, with `/` at its end; nil if no request can be sent there.
    private(set) var url: String?
    /// The variables in it, with their values.
    private(set) var variables: [DraftEntry] = []
    /// Why the host is a placeholder; nil for an address that the description has.
    private(set) var comment: String?
    /// The variables that are written out, or lose a choice.
    private(set) var fixed: [String] = []

    private static let placeholder = "https://api.example.com/"

    init(_ server: ServerDescription) {
        var text = Substring(server.url.trimmed)
        writeOut(server.variables, in: &text)
        for scheme in ["HTTPS://", "HTTP://"] where text.uppercased().hasPrefix(scheme) {
            text = scheme.lowercased() + text.dropFirst(scheme.count)
        }
        if text.hasPrefix("//") { text = "https:" + text }
        // Neither reaches a server together with a path.
        text = text.prefix { $0 != "?" && $0 != "#" }
        if text.wholeMatch(of: #/[A-Za-z][A-Za-z0-9+.\-]*:\/\/.*/#) == nil {
            let shown = server.url.trimmed.split(whereSeparator: \.isNewline).joined(separator: " ")
            let lack = Self.isHost(text) ? "scheme" : "host"
            comment =
                shown.isEmpty
                ? "The description names no server."
                : "The description names no \(lack): `\(shown.prefix(200))`"
            text = Self.absolute(text)
        }
        let whole = text.last == "/" ? String(text) : text + "/"
        let isFine = WebAddress(ofServer: whole) != nil
        guard isFine || comment != nil else { return }
        url = isFine ? whole : Self.placeholder
        let names = isFine ? Self.placeholders(of: whole) : []
        variables = names.map { name in
            DraftEntry(name, value(of: server.variables.first { $0.name == name }))
        }
    }

    // MARK: Variables

    /// Writes out the variables that a call cannot choose: the scheme, the whole address, and those
    /// that may be empty.
    private mutating func writeOut(
        _ variables: [ServerDescription.Variable], in text: inout Substring
    ) {
        for variable in variables {
            let mark = "{\(variable.name)}"
            guard let range = text.firstRange(of: mark) else { continue }
            let (before, after) = (text[..<range.lowerBound], text[range.upperBound...])
            let isScheme = after.contains("://") || before.isEmpty && after.hasPrefix("://")
            let isName = variable.name.utf8.allSatisfy { $0.isNamePart || $0 == 0x2D }
            let value = isScheme ? Self.scheme(variable) : variable.defaultValue ?? ""
            let isGiven = variable.defaultValue != nil
            guard isScheme || isGiven && (before.isEmpty || value.isEmpty || !isName) else {
                continue
            }
            fixed.append(variable.name)
            // What only separates the value from what is beside it goes with it.
            let isAlone = after.isEmpty || after.first == "/"
            let drops = value.isEmpty && isAlone && (before.last == "/" || before.last == ":")
            text = (drops ? before.dropLast() : before) + value + after
        }
        // Without a value, only what follows is known.
        while text.first == "{", let end = text.firstIndex(of: "}") {
            text = text[text.index(after: end)...]
        }
    }

    private static func scheme(_ variable: ServerDescription.Variable) -> String {
        let choices = ([variable.defaultValue].compactMap(\.self) + variable.values)
        let known = choices.first { ["http", "https"].contains($0.lowercased()) }
        if let value = variable.defaultValue, known == nil, !value.isEmpty { return value }
        return known ?? "https"
    }

    private static func placeholders(of url: String) -> [String] {
        var seen: Set<String> = []
        return url.placeholders
            .filter { seen.insert($0).inserted }
    }

    private mutating func value(of variable: ServerDescription.Variable?) -> DraftValue {
        guard let variable else { return .map([]) }
        var seen: Set<String> = []
        var values = variable.values.filter { !$0.isEmpty && seen.insert($0).inserted }
        if variable.values.contains("") { fixed.append(variable.name) }
        guard let text = variable.defaultValue, !text.isEmpty else {
            return values.isEmpty
                ? .map([]) : .map([DraftEntry("in", .list(values.map { .text($0) }))])
        }
        guard !values.isEmpty else { return .text(text) }
        if !values.contains(text) { values.insert(text, at: 0) }
        return .map([
            DraftEntry("default", .text(text)), DraftEntry("in", .list(values.map { .text($0) })),
        ])
    }

    // MARK: Relative addresses

    /// Whether an address without a scheme begins with a host.
    private static func isHost(_ text: Substring) -> Bool {
        text.prefix { $0 != "/" }
            .wholeMatch(of: #/(localhost|([A-Za-z0-9\-{}_]+\.)+[A-Za-z]{2,})(:[0-9]+)?/#) != nil
    }

    private static func absolute(_ text: Substring) -> Substring {
        if isHost(text) { return "https://" + text }
        var segments: [Substring] = []
        for segment in text.split(separator: "/") where segment != "." {
            if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
        }
        return placeholder + segments.joined(separator: "/")[...]
    }
}

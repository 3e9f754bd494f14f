/// What of a path tells operations apart, however its placeholders are named.
struct PathShape {
    /// The path with `{}` for each placeholder.
    private(set) var text = ""
    /// The names of the placeholders, without signs and patterns.
    private(set) var names: [String] = []
    /// The names of those that keep their slashes.
    private(set) var greedy: Set<String> = []
    /// The query that the path has.
    private(set) var constants: [String: String] = [:]

    init(_ path: String) {
        let path = path.trimmed
        let plain = path.prefix { $0 != "?" && $0 != "#" }
        for item in path.dropFirst(plain.count).prefix(while: { $0 != "#" }).dropFirst()
            .split(separator: "&")
        {
            let pair = item.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { constants[String(pair[0])] = String(pair[1]) }
        }
        let segments = plain.split(separator: "/", omittingEmptySubsequences: false)
            .filter { ![".", ".."].contains($0) }.map { segment($0) }
        text = String(segments.joined(separator: "/").drop { $0 == "/" })
    }

    private mutating func segment(_ segment: Substring) -> String {
        var (result, rest) = ("", segment)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open] + "{}"
            addPlaceholder(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
        }
        let clean = (result + rest).unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        return String(String.UnicodeScalarView(clean)).replacing("%3A", with: ":")
    }

    private mutating func addPlaceholder(_ text: Substring) {
        let name = String(text.prefix { $0 != ":" && $0 != "=" }.filter { !"+*".contains($0) })
        names.append(name)
        let pattern = text.drop { $0 != ":" && $0 != "=" }
        let takesAll = pattern.contains("/") || pattern.contains("**") || pattern == ":.*"
        if text.contains("+") && pattern.isEmpty || text.last == "*" && pattern.isEmpty || takesAll
        {
            greedy.insert(name)
        }
    }
}

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
        let segments = replacingPlaceholders(in: plain)
            .split(separator: "/", omittingEmptySubsequences: false)
            .filter { ![".", ".."].contains($0) }
        text = String(segments.joined(separator: "/").drop { $0 == "/" })
    }

    /// The path with empty braces. What is in braces may have braces and slashes of its own.
    private mutating func replacingPlaceholders(in path: Substring) -> String {
        var result = String.UnicodeScalarView()
        var (depth, inside) = (0, "")
        for scalar in path.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F {
            if scalar == "}", depth > 0 { depth -= 1 }
            if depth > 0 {
                inside.unicodeScalars.append(scalar)
            } else {
                if scalar == "}", result.last == "{" { addPlaceholder(inside) }
                inside = ""
                result.append(scalar)
            }
            if scalar == "{" { depth += 1 }
        }
        return String(result).replacing("%3A", with: ":")
    }

    private mutating func addPlaceholder(_ text: String) {
        let head = Self.head(of: text)
        let name = Self.name(in: text)
        names.append(name)
        let pattern = text.dropFirst(head.count)
        let hasSign = head.contains("+") || head.contains("*") || head.hasPrefix("...")
        let takesAll =
            pattern.contains("/") || pattern.contains("**")
            || [":.*", ":.+", ":path"].contains(String(pattern))
        if hasSign && pattern.isEmpty || takesAll { greedy.insert(name) }
    }

    /// The name of a placeholder, without its signs and its pattern.
    static func name(in text: String) -> String {
        String(head(of: text).filter { $0 != "+" && $0 != "*" }.trimmingPrefix("..."))
    }

    /// What stands before the pattern of a placeholder.
    private static func head(of text: String) -> Substring {
        text.prefix { $0 != ":" && $0 != "=" }
    }
}

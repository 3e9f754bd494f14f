/// The path of a method, with the placeholders that the paths of requests fill.
package struct PathPattern: Sendable {
    /// The number of parts between slashes, and of those without a placeholder.
    package let size: (parts: Int, literals: Int)
    private let placeholders: [(name: String, spansSlashes: Bool)]
    /// The texts around the placeholders.
    private let texts: [Substring]

    /// Reads a path such as `users/{id}` or `files/{+path}`.
    package init(_ path: String) {
        let parts = path.split(separator: "/")
        size = (parts.count, parts.count { !$0.contains("{") })
        placeholders = path.matches(of: #/\{(\+?)([^}]*)\}/#).map {
            (String($0.output.2), !$0.output.1.isEmpty)
        }
        texts = path.split(separator: #/\{[^}]*\}/#, omittingEmptySubsequences: false)
    }

    /// The path of a URL or of a path, without the query. It begins with a slash.
    package static func path(of url: String) -> String {
        var path = url.prefix { $0 != "?" && $0 != "#" }
        if let scheme = path.firstRange(of: "://") {
            path = path[scheme.upperBound...].drop { $0 != "/" }
        }
        return path.hasPrefix("/") ? String(path) : "/" + path
    }

    /// The texts that a path has in place of the placeholders, none of them empty; nil if it does
    /// not match.
    package func values(in path: Substring) -> [String: String]? {
        guard path.hasSuffix(texts[placeholders.count]) else { return nil }
        var failed: [Set<Int>] = texts.map { _ in [] }
        return values(in: path, from: 0, &failed).map { values in
            let pairs = zip(placeholders, values).map { ($0.name, String($1)) }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    /// - Parameter failed: For each text, how much of a path does not match from there on. Without it, a
    ///   long path would take time by the power of the placeholders.
    private func values(
        in path: Substring, from number: Int, _ failed: inout [Set<Int>]
    ) -> [Substring]? {
        guard failed[number].insert(path.utf8.count).inserted, path.hasPrefix(texts[number])
        else { return nil }
        let path = path.dropFirst(texts[number].count)
        guard number < placeholders.count else { return path.isEmpty ? [] : nil }
        let last = placeholders[number].spansSlashes ? nil : path.firstIndex(of: "/")
        var end = last ?? path.endIndex
        while end > path.startIndex {
            if let others = values(in: path[end...], from: number + 1, &failed) {
                return [path[..<end]] + others
            }
            end = path.index(before: end)
        }
        return nil
    }
}

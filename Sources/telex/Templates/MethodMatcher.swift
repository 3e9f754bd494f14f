import Foundation
import SpecIR

/// Finds the method that sends a request. The beginning of the path may be that of any server.
struct MethodMatcher {
    private struct Candidate {
        let name: String
        let verb: String
        /// The number of parts between slashes, and of those without a placeholder.
        let size: (parts: Int, literals: Int)
        let pattern: Regex<Substring>
    }

    private let candidates: [Candidate]

    /// A path of placeholders alone would match anything, so its method is left out.
    init(_ api: API) {
        candidates = api.groups.flatMap(\.methods).compactMap { method in
            let path = Self.path(of: method.path)
            let parts = path.split(separator: "/")
            let literals = parts.count { !$0.contains("{") }
            let texts = path.split(separator: #/\{[^}]*\}/#, omittingEmptySubsequences: false)
            let values = path.matches(of: #/\{\+?/#).map { $0.0 == "{+" ? ".+" : "[^/]+" } + [""]
            let pattern = zip(texts, values).map { text, value in
                NSRegularExpression.escapedPattern(for: String(text)) + value
            }
            guard literals > 0,
                let regex = try? Regex(pattern.joined() + "$", as: Substring.self)
            else {
                return nil
            }
            return Candidate(
                name: method.apiName, verb: method.verb.name, size: (parts.count, literals),
                pattern: regex)
        }
    }

    /// The path of a URL or of a path, without the query.
    static func path(of url: String) -> String {
        var path = url.prefix { $0 != "?" && $0 != "#" }
        if let scheme = path.range(of: "://") {
            path = path[scheme.upperBound...].drop { $0 != "/" }
        }
        return path.hasPrefix("/") ? String(path) : "/" + path
    }

    /// The names of the methods whose path is the end of this one. Of several, the longest path wins,
    /// and of these the one with the most literal parts; methods with one path are all returned.
    func methods(_ verb: String, path: String) -> [String] {
        let path = path.removingPercentEncoding ?? path
        let matching = candidates.filter {
            $0.verb == verb && path.firstMatch(of: $0.pattern) != nil
        }
        guard let best = matching.map(\.size).max(by: <) else { return [] }
        return matching.filter { $0.size == best }.map(\.name)
    }
}

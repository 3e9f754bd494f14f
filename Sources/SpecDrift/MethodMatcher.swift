import Foundation
import SpecIR

/// Finds the method that sends a request. The beginning of the path may be that of any server.
public struct MethodMatcher {
    /// A method, with the texts of the placeholders of its path.
    public struct Match: Sendable {
        /// The API's name of the method.
        public let method: String
        /// The texts of the placeholders, percent-decoded.
        public let placeholders: [String: String]
    }

    private struct Candidate {
        let name: String
        /// The number of parts between slashes, and of those without a placeholder.
        let size: (parts: Int, literals: Int)
        let pattern: Regex<AnyRegexOutput>
        let placeholders: [String]
        /// The text behind the last placeholder.
        let end: String
    }

    /// The candidates by verb.
    private let candidates: [String: [Candidate]]

    /// A path of placeholders alone would match anything, so its method is left out.
    public init(_ api: API) {
        var candidates: [String: [Candidate]] = [:]
        for method in api.groups.flatMap(\.methods) {
            let path = Self.path(of: method.path)
            let parts = path.split(separator: "/")
            let literals = parts.count { !$0.contains("{") }
            let texts = path.split(separator: #/\{[^}]*\}/#, omittingEmptySubsequences: false)
            let names = path.matches(of: #/\{(\+?)([^}]*)\}/#)
            let values = names.map { $0.1.isEmpty ? "([^/]+)" : "(.+)" } + [""]
            let pattern = zip(texts, values).map { text, value in
                NSRegularExpression.escapedPattern(for: String(text)) + value
            }
            guard literals > 0, let regex = try? Regex(pattern.joined() + "$") else { continue }
            candidates[method.verb.name, default: []].append(
                Candidate(
                    name: method.apiName, size: (parts.count, literals), pattern: regex,
                    placeholders: names.map { String($0.2) }, end: String(texts.last ?? "")))
        }
        self.candidates = candidates
    }

    /// The path of a URL or of a path, without the query.
    public static func path(of url: String) -> String {
        var path = url.prefix { $0 != "?" && $0 != "#" }
        if let scheme = path.range(of: "://") {
            path = path[scheme.upperBound...].drop { $0 != "/" }
        }
        return path.hasPrefix("/") ? String(path) : "/" + path
    }

    /// The methods whose path is the end of this one. Of several, the longest path wins, and of these
    /// the one with the most literal parts; methods with one path are all returned.
    public func matches(_ verb: String, path: String) -> [Match] {
        let path = path.removingPercentEncoding ?? path
        var found: [(size: (Int, Int), match: Match)] = []
        for candidate in candidates[verb] ?? [] where path.hasSuffix(candidate.end) {
            guard let match = path.firstMatch(of: candidate.pattern) else { continue }
            let texts = match.output.dropFirst().map { String($0.substring ?? "") }
            let placeholders = Dictionary(zip(candidate.placeholders, texts)) { first, _ in first }
            found.append((candidate.size, Match(method: candidate.name, placeholders: placeholders)))
        }
        guard let best = found.map(\.size).max(by: <) else { return [] }
        return found.filter { $0.size == best }.map(\.match)
    }
}

import Foundation
import SpecIR

/// Finds the method that sends a request. The beginning of the path may be that of any server.
struct MethodMatcher {
    private struct Candidate {
        let name: String
        let verb: String
        let parts: [Part]
        var literals: Int { parts.count { $0.isLiteral } }
    }

    /// A part of a path between slashes: texts with values between them.
    private struct Part {
        let texts: [String]
        var isLiteral: Bool { texts.count == 1 }

        init(_ text: Substring) {
            texts = String(text).split(
                separator: #/\{[^}]*\}/#, omittingEmptySubsequences: false
            ).map(String.init)
        }

        /// Whether a part of a URL has the texts in this order, with a value between two of them.
        func matches(_ part: String) -> Bool {
            guard var rest = part.dropPrefix(texts[0]) else { return false }
            if isLiteral { return rest.isEmpty }
            for text in texts.dropFirst().dropLast() {
                guard let range = rest.dropFirst().range(of: text) else { return false }
                rest = rest[range.upperBound...]
            }
            let last = texts[texts.count - 1]
            return rest.count > last.count && rest.hasSuffix(last)
        }
    }

    private let candidates: [Candidate]

    init(_ api: API) {
        candidates = api.groups.flatMap(\.methods).map { method in
            Candidate(
                name: method.apiName, verb: method.verb.name,
                parts: Self.parts(Self.path(of: method.path)).map(Part.init))
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

    private static func parts(_ path: String) -> [Substring] { path.split(separator: "/") }

    /// The name of the method whose path is the end of this one. Of several, the longest path wins,
    /// and of these the one with the most literal parts. A path of placeholders alone matches
    /// nothing.
    func method(_ verb: String, path: String) -> String? {
        let parts = Self.parts(path).map { $0.removingPercentEncoding ?? String($0) }
        let matching = candidates.filter { candidate in
            candidate.verb == verb && candidate.literals > 0
                && candidate.parts.count <= parts.count
                && zip(candidate.parts, parts.suffix(candidate.parts.count)).allSatisfy {
                    $0.matches($1)
                }
        }
        return matching.max {
            ($0.parts.count, $0.literals, $1.name) < ($1.parts.count, $1.literals, $0.name)
        }?.name
    }
}

extension String {
    fileprivate func dropPrefix(_ prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}

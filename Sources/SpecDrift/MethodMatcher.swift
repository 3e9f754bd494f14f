import Foundation
import SpecIR
import SpecInterpreter

/// Finds the method that sends a request. The beginning of the path may be that of any server.
public struct MethodMatcher: Sendable {
    /// A method, with the texts of the placeholders of its path.
    public struct Match: Sendable {
        /// The API's name of the method.
        public let method: String
        /// The texts of the placeholders, percent-decoded.
        public let placeholders: [String: String]
    }

    /// The methods by verb.
    private let methods: [String: [(name: String, pattern: PathPattern)]]

    /// A path of placeholders alone would match anything, so its method is left out.
    public init(_ api: API) {
        var methods: [String: [(name: String, pattern: PathPattern)]] = [:]
        for method in api.groups.flatMap(\.methods) {
            let pattern = PathPattern(PathPattern.path(of: method.path))
            guard pattern.size.literals > 0 else { continue }
            methods[method.verb.name, default: []].append((method.apiName, pattern))
        }
        self.methods = methods
    }

    /// The methods whose path is the end of this one. Of several, the longest path wins, and of these
    /// the one with the most literal parts; methods with one path are all returned.
    public func matches(_ verb: String, path: String) -> [Match] {
        let path = path.removingPercentEncoding ?? path
        let ends = path.indices.filter { path[$0] == "/" }.map { path[$0...] }
        let found = (methods[verb] ?? []).compactMap { name, pattern in
            ends.lazy.compactMap { pattern.values(in: $0) }.first.map {
                (size: pattern.size, match: Match(method: name, placeholders: $0))
            }
        }
        guard let best = found.map(\.size).max(by: <) else { return [] }
        return found.filter { $0.size == best }.map(\.match)
    }
}

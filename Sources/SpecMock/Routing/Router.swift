import Foundation
import SpecDiagnostics
import SpecIR
import TelexJSON
import TelexTesting
import TelexTransport

/// Finds the method of a request.
struct Router: Sendable {
    private let routes: [Route]
    /// The paths of the servers, without slashes at their ends.
    private let bases: [String]

    init(_ api: API) {
        let all = api.groups.flatMap(\.methods).filter { !$0.isWholeAddress }
        routes = all.compactMap(Route.init).sorted { $0.rank > $1.rank }
        bases = Set(api.servers.map { Self.path(of: $0) }).sorted { $0.count > $1.count } + [""]
    }

    private static func path(of server: Server) -> String {
        let url = server.variables.reduce(server.url) { url, variable in
            url.replacing("{\(variable.name)}", with: variable.defaultValue ?? "")
        }
        return Route.path(of: url).trimmedSlashes
    }

    /// The methods that send a request to this path, that with the most literal parts first.
    private func matches(_ verb: String, _ path: String) -> [Match] {
        let path = path.trimmedSlashes
        for base in bases {
            guard path == base || base.isEmpty || path.hasPrefix(base + "/") else { continue }
            let rest = String(path.dropFirst(base.count)).trimmedSlashes
            let found = routes.compactMap { $0.match(verb, rest) }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// The method of a request. Of several with one path, it is the one whose constants the request
    /// has.
    func match(_ request: LoopbackRequest, _ content: RequestParts) -> Match? {
        let found = matches(request.method, request.path)
        return found.first { match in
            match.route.constants.allSatisfy { content.text($0.key, $0.location) == $0.text }
        } ?? found.first
    }

    /// The routes whose last part is a placeholder.
    var items: [Route] { routes.filter { $0.pattern.hasSuffix("/{}") } }

    /// The methods nearest to a request without one, each with its verb and path.
    func nearest(to verb: String, _ path: String) -> [String] {
        let path = path.trimmedSlashes
        let base = bases.first { path.hasPrefix($0 + "/") } ?? ""
        let own = String(path.dropFirst(base.count))
        let ranked = routes.sorted { distance($0, own) < distance($1, own) }
        return ranked.prefix(3).map {
            "\($0.method.apiName) (\($0.method.verb.name) /\($0.path))"
        }
    }

    /// How many parts of a path are not those of a route.
    private func distance(_ route: Route, _ path: String) -> Int {
        let (own, other) = (route.path.split(separator: "/"), path.split(separator: "/"))
        let same = zip(own, other).count { $0.hasPrefix("{") || nearestPart($0, $1) }
        return max(own.count, other.count) - same
    }

    private func nearestPart(_ one: Substring, _ other: Substring) -> Bool {
        one == other || SpecDiagnostics.nearest(to: String(other), among: [String(one)]) != nil
    }
}

/// A request that is one of a method.
struct Match {
    let route: Route
    /// The values of the path, by their keys.
    let values: [String: String]
    /// The path below the server's.
    let path: String

    var method: SpecIR.Method { route.method }
}

/// The verb and the path of a method.
struct Route: Sendable {
    let method: SpecIR.Method
    /// The path below the server's, without slashes at its ends.
    let path: String
    /// The path with `{}` for each placeholder.
    let pattern: String
    /// The values that all requests of the method have.
    let constants: [(key: String, location: Parameter.Location, text: String)]
    private let names: [String]
    private let regex: String

    init?(_ method: SpecIR.Method) {
        self.method = method
        path = Self.path(of: method.path).trimmedSlashes
        pattern = path.replacing(#/\{[^}]*\}/#, with: "{}")
        let placeholders = path.matches(of: #/\{(\+?)([^}]*)\}/#)
        names = placeholders.map { String($0.output.2) }
        let texts = path.split(separator: #/\{[^}]*\}/#, omittingEmptySubsequences: false)
        let values = placeholders.map { $0.output.1.isEmpty ? "([^/]+)" : "(.+)" } + [""]
        regex = zip(texts, values).map { text, value in
            NSRegularExpression.escapedPattern(for: String(text)) + value
        }.joined()
        constants = method.parameters.compactMap { parameter in
            guard case .constant(let literal) = parameter.presence else { return nil }
            let text: String
            switch literal {
            case .string(let value), .integer(let value), .number(let value): text = value
            case .bool(let value): text = value.description
            default: return nil
            }
            return (parameter.key, parameter.location, text)
        }
    }

    /// What decides between two routes that match: literal parts, then constants.
    var rank: Int {
        let parts = path.split(separator: "/")
        return parts.count { !$0.contains("{") } * 1000 + parts.count * 100 + constants.count
    }

    /// The path of a URL or of a path, without the query.
    static func path(of url: String) -> String {
        var path = url.prefix { $0 != "?" && $0 != "#" }
        if let scheme = path.range(of: "://") {
            path = path[scheme.upperBound...].drop { $0 != "/" }
        }
        return String(path)
    }

    func match(_ verb: String, _ path: String) -> Match? {
        guard verb == method.verb.name || verb == "HEAD" && method.verb == .get,
            path.hasPrefix(self.path.prefix { $0 != "{" }),
            let regex = try? Regex(regex),
            let found = path.wholeMatch(of: regex)
        else { return nil }
        let texts = found.output.dropFirst().map { PercentEncoding.decode($0.substring ?? "") }
        return Match(
            route: self, values: Dictionary(zip(names, texts)) { first, _ in first }, path: path)
    }
}

extension String {
    fileprivate var trimmedSlashes: String {
        var text = self[...].drop { $0 == "/" }
        while text.last == "/" { text = text.dropLast() }
        return String(text)
    }
}

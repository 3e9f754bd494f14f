import SpecDiagnostics
import SpecIR
import SpecInterpreter
import TelexTesting
import TelexTransport

/// Finds the method of a request.
struct Router: Sendable {
    private let routes: [Route]
    /// The paths of the servers, without slashes at their ends.
    private let bases: [String]

    init(_ api: API) {
        let all = api.groups.flatMap(\.methods).filter { !$0.isWholeAddress }
        routes = all.map(Route.init).sorted { $0.rank > $1.rank }
        bases = Set(api.servers.map { Self.path(of: $0) }).sorted { $0.count > $1.count } + [""]
    }

    private static func path(of server: Server) -> String {
        let url = server.variables.reduce(server.url) { url, variable in
            url.replacing("{\(variable.name)}", with: variable.defaultValue ?? "")
        }
        return PathPattern.path(of: url).trimmedSlashes
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
    private let placeholders: PathPattern

    init(_ method: SpecIR.Method) {
        self.method = method
        path = PathPattern.path(of: method.path).trimmedSlashes
        pattern = path.replacing(#/\{[^}]*\}/#, with: "{}")
        placeholders = PathPattern(path)
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
        placeholders.size.literals * 1000 + placeholders.size.parts * 100 + constants.count
    }

    func match(_ verb: String, _ path: String) -> Match? {
        guard verb == method.verb.name || verb == "HEAD" && method.verb == .get,
            let texts = placeholders.values(in: path[...])
        else { return nil }
        return Match(
            route: self, values: texts.mapValues { PercentEncoding.decode($0[...]) }, path: path)
    }
}

extension String {
    fileprivate var trimmedSlashes: String {
        var text = self[...].drop { $0 == "/" }
        while text.last == "/" { text = text.dropLast() }
        return String(text)
    }
}

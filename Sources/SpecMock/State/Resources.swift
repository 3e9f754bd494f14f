import SpecIR
import TelexJSON

/// Which methods are about one kind of thing, by their paths: `users/{id}` is an element of `users`.
struct Resources: Sendable {
    /// A kind of thing.
    struct Kind: Sendable {
        /// The method that returns one.
        let getter: SpecIR.Method
        /// The type of one.
        let value: Value
        /// The name of the placeholder.
        let parameter: String
        /// The keys that lead to the id in one; empty for none.
        let id: [String]
    }

    private var kinds: [String: Kind] = [:]

    init(_ router: Router) {
        for route in router.items where route.method.verb == .get {
            guard case .value(let value) = route.method.output, case .object = value.type,
                let last = route.path.split(separator: "/").last,
                let name = last.wholeMatch(of: #/\{([^}+]*)\}/#)?.output.1,
                kinds[route.pattern] == nil
            else { continue }
            kinds[route.pattern] = Kind(
                getter: route.method, value: value, parameter: String(name), id: [])
        }
    }

    private init(_ kinds: [String: Kind]) { self.kinds = kinds }

    /// The kinds with the places of their ids.
    func withIDs(_ models: MockModels) -> Resources {
        Resources(
            kinds.mapValues { kind in
                guard let fields = models.fields(of: kind.value) else { return kind }
                let field =
                    fields.first { $0.key == kind.parameter } ?? fields.first { $0.key == "id" }
                return Kind(
                    getter: kind.getter, value: kind.value, parameter: kind.parameter,
                    id: field?.path ?? [])
            })
    }

    /// The kind of a thing with this pattern.
    func item(_ pattern: String) -> Kind? { kinds[pattern] }

    /// The kind of the things in a collection with this pattern.
    func element(of pattern: String) -> Kind? { kinds[pattern + "/{}"] }
}

/// What requests have created, changed and removed, by the paths of the things.
struct Shelf: Sendable {
    /// The most things that are kept. The oldest one makes room for a new one.
    private static let limit = 10_000

    private var things: [String: JSONValue] = [:]
    private var order: [String] = []
    private var removed: Set<String> = []

    /// The thing at a path; nil if no request was about it.
    subscript(path: String) -> JSONValue? { things[path] }

    /// Whether the thing at a path was removed.
    func isRemoved(_ path: String) -> Bool { removed.contains(path) }

    /// The paths of the things in a collection, in the order in which they came.
    func paths(in collection: String) -> [String] {
        order.filter {
            $0.hasPrefix(collection + "/") && !$0.dropFirst(collection.count + 1).contains("/")
        }
    }

    /// Keeps a thing.
    mutating func keep(_ thing: JSONValue, at path: String) {
        removed.remove(path)
        if things.updateValue(thing, forKey: path) == nil { order.append(path) }
        guard order.count > Self.limit else { return }
        things[order.removeFirst()] = nil
    }

    /// Removes a thing, and those below its path.
    mutating func remove(_ path: String) {
        let below = order.filter { $0 == path || $0.hasPrefix(path + "/") }
        for path in below { things[path] = nil }
        order.removeAll(where: below.contains)
        if removed.count < Self.limit { removed.insert(path) }
    }
}

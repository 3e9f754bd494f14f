import TelexJSON

/// Where the servers of an API are for one manager.
struct ServerDirectory: Sendable {
    private let servers: [Server]
    /// Where calls go that say nothing else.
    private let standard: ServerChoice
    /// Where the app wants servers to be, by name.
    private let places: [String: ServerChoice]

    /// - Parameters:
    ///   - standard: Where calls go that say nothing else. Values for the variables of a server hold
    ///     for all calls to that server.
    ///   - places: Where the app wants servers to be, by name.
    init(_ servers: [Server], _ standard: ServerChoice, _ places: [String: ServerChoice] = [:]) {
        self.servers = servers
        self.standard = standard
        guard case .named(let name, let values) = standard, !values.isEmpty else {
            self.places = places
            return
        }
        self.places = [name: standard].merging(places) { _, place in place }
    }

    /// What a choice comes to, with the app's own place for a server that is named.
    func place(of choice: ServerChoice?) -> ServerChoice {
        let choice = choice ?? standard
        switch choice {
        case .first: return servers.first.flatMap { places[$0.name] } ?? choice
        case .named(let name, [:]): return places[name] ?? choice
        case .named, .url: return choice
        }
    }

    /// The address of a choice.
    ///
    /// - Throws: A violation if there is no such server, a value for its address is not allowed, or the
    ///   app has a place for a server that does not exist.
    func address(of choice: ServerChoice? = nil) throws(Violation) -> Address {
        let names = servers.map(\.name)
        for name in places.keys.sorted() where !names.contains(name) {
            throw ServerChoice.unknown(name, among: names)
        }
        return try place(of: choice).address(among: servers)
    }

    /// Whether an address belongs to a server as the spec has it.
    func knows(_ address: Address) -> Bool {
        servers.contains { (try? $0.address())?.hasSameOrigin(as: address) == true }
    }
}

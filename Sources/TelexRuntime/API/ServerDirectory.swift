import TelexJSON

/// Where the servers of an API are for one manager.
struct ServerDirectory: Sendable {
    /// Where a call may go.
    struct Place: Sendable {
        let address: Address
        /// Whether a token may go there: over `https`, without leaving this machine, or because the spec
        /// says so, whose compiler warns of it (RFC 6750, section 5.3).
        let isTrusted: Bool
    }

    private let servers: [Server]
    /// Where they are as the spec has it, for as many as need no values.
    let known: [Address]
    /// Where calls go that say nothing else.
    private let standard: ServerChoice
    /// Where the app wants servers to be, by name.
    private let choices: [String: ServerChoice]
    /// Where calls go that say nothing else, found once; nil if there is no such place.
    private(set) var usual: Place?

    /// - Parameters:
    ///   - standard: Where calls go that say nothing else. Values for the variables of a server hold
    ///     for all calls to that server.
    ///   - choices: Where the app wants servers to be, by name.
    init(_ servers: [Server], _ standard: ServerChoice, _ choices: [String: ServerChoice] = [:]) {
        self.servers = servers
        known = servers.compactMap { try? $0.address() }
        self.standard = standard
        if case .named(let name, let values) = standard, !values.isEmpty {
            self.choices = [name: standard].merging(choices) { _, choice in choice }
        } else {
            self.choices = choices
        }
        usual = try? find(standard)
    }

    /// The place of a choice, or the usual one.
    ///
    /// - Throws: A violation if there is no such server, a value for its address is not allowed, or the
    ///   app has a place for a server that does not exist.
    func place(of choice: ServerChoice? = nil) throws(Violation) -> Place {
        if choice == nil, let usual { return usual }
        return try find(choice ?? standard)
    }

    private func find(_ choice: ServerChoice) throws(Violation) -> Place {
        let names = servers.map(\.name)
        for name in choices.keys.sorted() where !names.contains(name) {
            throw ServerChoice.unknown(name, among: names)
        }
        let choice = own(choice)
        let address = try choice.address(among: servers)
        return Place(address: address, isTrusted: !choice.isURL || trusts(address))
    }

    /// A choice, or what the app has chosen for a server that is named.
    private func own(_ choice: ServerChoice) -> ServerChoice {
        switch choice {
        case .first: servers.first.flatMap { choices[$0.name] } ?? choice
        case .named(let name, [:]): choices[name] ?? choice
        case .named, .url: choice
        }
    }

    private func trusts(_ address: Address) -> Bool {
        address.isSecure || known.contains { $0.hasSameOrigin(as: address) }
    }
}

extension ServerChoice {
    fileprivate var isURL: Bool {
        if case .url = self { true } else { false }
    }
}

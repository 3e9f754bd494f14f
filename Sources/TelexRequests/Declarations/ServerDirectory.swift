import TelexCredentials
import TelexJSON
import TelexTransport

/// The servers of an API and their addresses for one manager.
package struct ServerDirectory: Sendable {
    /// The address of a server, and whether it may receive a token.
    package struct Place: Sendable {
        package let address: Address
        /// Whether a token may be sent there: over `https`, without leaving this machine, or
        /// because the spec names the address. The compiler warns of the last case (RFC 6750,
        /// section 5.3).
        package let isTrusted: Bool
    }

    private let servers: [Server]
    /// The addresses in the spec of the servers that need no values.
    package let fixedAddresses: [Address]
    /// The server of calls without a server of their own.
    private let defaultChoice: ServerChoice
    /// The app's choices of servers by name.
    private let choices: [String: ServerChoice]
    /// The place of calls without a server of their own, computed once; nil if it is invalid.
    package private(set) var defaultPlace: Place?

    /// - Parameters:
    ///   - defaultChoice: The server of calls without a server of their own. Values for its variables
    ///     apply to all calls to that server.
    ///   - choices: The app's choices of servers by name.
    package init(
        _ servers: [Server], defaultChoice: ServerChoice, choices: [String: ServerChoice] = [:]
    ) {
        self.servers = servers
        fixedAddresses = servers.compactMap { try? $0.address() }
        self.defaultChoice = defaultChoice
        if case .named(let name, let values) = defaultChoice, !values.isEmpty {
            self.choices = [name: defaultChoice].merging(choices) { _, choice in choice }
        } else {
            self.choices = choices
        }
        defaultPlace = try? find(defaultChoice)
    }

    /// Returns the place of a choice, or the default one.
    ///
    /// - Throws: A violation if there is no such server, a value for its address is not allowed, or
    ///   the app has chosen an address for a server that does not exist.
    package func place(of choice: ServerChoice? = nil) throws(Violation) -> Place {
        if choice == nil, let defaultPlace { return defaultPlace }
        return try find(choice ?? defaultChoice)
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

    /// Returns the app's choice for a named server if there is one, otherwise the given choice.
    private func own(_ choice: ServerChoice) -> ServerChoice {
        switch choice {
        case .first: servers.first.flatMap { choices[$0.name] } ?? choice
        case .named(let name, [:]): choices[name] ?? choice
        case .named, .url: choice
        }
    }

    private func trusts(_ address: Address) -> Bool {
        address.isSecure || fixedAddresses.contains { $0.hasSameOrigin(as: address) }
    }
}

extension ServerChoice {
    fileprivate var isURL: Bool {
        if case .url = self { true } else { false }
    }
}

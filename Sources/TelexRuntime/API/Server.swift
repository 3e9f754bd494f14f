import TelexJSON

/// An address under which an API can be reached.
public struct Server: Sendable, Hashable {
    /// The server's name in the spec.
    public var name: String
    /// Its address, with `{name}` for variables (RFC 6570, level 1, values taken literally).
    public var url: String
    /// What the variables are.
    public var variables: [ServerVariable]

    /// Describes a server.
    public init(_ name: String, _ url: String, variables: [ServerVariable] = []) {
        self.name = name
        self.url = url
        self.variables = variables
    }

    /// The address with its variables replaced.
    ///
    /// - Throws: A violation if a variable is unknown, has no value, or one that is not allowed,
    ///   or if the result is no `http` or `https` address.
    func address(_ values: [String: String] = [:]) throws(Violation) -> Address {
        for name in values.keys.sorted() where !variables.contains(where: { $0.name == name }) {
            let hint = spellingHint(name, among: variables.map(\.name))
            throw problem("a variable of the server\(hint)", "`\(name)`")
        }
        var text = ""
        for piece in PathTemplate(url).pieces {
            switch piece {
            case .literal(let literal): text += literal
            case .parameter(let name): text += try value(of: name, values)
            }
        }
        guard let address = Address(text) else { throw problem("an http or https address", text) }
        return address
    }

    private func value(of name: String, _ values: [String: String]) throws(Violation) -> String {
        let variable = variables.first { $0.name == name }
        guard let value = values[name] ?? variable?.default else {
            throw problem("a value for the variable `\(name)`", "nothing")
        }
        guard let allowed = variable?.allowed, !allowed.isEmpty, !allowed.contains(value) else {
            return value
        }
        throw problem("`\(name)` to be one of \(allowed.joined(separator: ", "))", value)
    }

    private func problem(_ expected: String, _ found: String) -> Violation {
        Violation(path: "server `\(name)`", rule: "server", expected: expected, found: found)
    }
}

/// A variable in the address of a server.
public struct ServerVariable: Sendable, Hashable {
    /// Its name, as between the braces.
    public var name: String
    /// Its value if nobody chooses one; nil if somebody has to.
    public var `default`: String?
    /// The values it can have; empty for any.
    public var allowed: [String]

    /// Describes a variable.
    public init(_ name: String, default: String? = nil, allowed: [String] = []) {
        self.name = name
        self.default = `default`
        self.allowed = allowed
    }
}

/// Which server a call goes to.
public enum ServerChoice: Sendable, Hashable {
    /// The API's first server.
    case first
    /// A server of the API by name, with values for its variables.
    case named(String, [String: String] = [:])
    /// An address that the spec does not know, for instance of a test server.
    case url(String)

    /// The address that is chosen.
    func address(among servers: [Server]) throws(Violation) -> Address {
        switch self {
        case .first:
            guard let server = servers.first else {
                throw Violation(
                    path: "server", rule: "server", expected: "an API with a server", found: "none")
            }
            return try server.address()
        case .named(let name, let values):
            guard let server = servers.first(where: { $0.name == name }) else {
                let hint = spellingHint(name, among: servers.map(\.name))
                throw Violation(
                    path: "server", rule: "server", expected: "a server of the API\(hint)",
                    found: "`\(name)`")
            }
            return try server.address(values)
        case .url(let url):
            return try Server("url", url).address()
        }
    }
}

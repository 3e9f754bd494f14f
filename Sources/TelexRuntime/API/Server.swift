import TelexJSON

/// An address under which an API can be reached.
public struct Server: Sendable, Hashable {
    /// The server's name in the spec.
    public var name: String
    /// Its address, with `{name}` for variables (RFC 6570, level 1).
    ///
    /// Defaults and allowed values are taken as they are written here. Others fill their place and no
    /// more: in a host they have letters, digits, `-`, `.` and `_`, in a port digits; in a path they
    /// are percent-encoded, and have no `/`, `?` and `#`.
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
    /// - Throws: A violation if a variable is unknown, has no value, or one that is not allowed or
    ///   would be more than its place, or if the result is no `http` or `https` address.
    func address(_ values: [String: String] = [:]) throws(Violation) -> Address {
        for name in values.keys.sorted() where !variables.contains(where: { $0.name == name }) {
            let hint = spellingHint(name, among: variables.map(\.name))
            throw problem("a variable of the server\(hint)", "`\(name)`")
        }
        var text = ServerText()
        let pieces = PathTemplate(url).pieces
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .literal(let literal): text.add(literal)
            case .parameter(let name):
                let part = text.part(before: pieces.dropFirst(index + 1).first)
                text.add(try value(of: name, values, as: part))
            }
        }
        guard let address = Address(text.text) else {
            throw problem("an http or https address without a user name", text.text)
        }
        return address
    }

    private func value(
        of name: String, _ values: [String: String], as part: ServerText.Part
    ) throws(Violation) -> String {
        let variable = variables.first { $0.name == name }
        guard let value = values[name] ?? variable?.default else {
            throw problem("a value for the variable `\(name)`", "nothing")
        }
        let allowed = variable?.allowed ?? []
        guard allowed.isEmpty || allowed.contains(value) else {
            throw problem("`\(name)` to be one of \(allowed.joined(separator: ", "))", value)
        }
        // Whoever wrote the description chose these.
        if !allowed.isEmpty || value == variable?.default { return value }
        guard let fitting = part.fitting(value) else {
            throw problem("`\(name)` to be \(part.expectation)", value)
        }
        return fitting
    }

    private func problem(_ expected: String, _ found: String) -> Violation {
        Violation(
            path: "server `\(name)`", rule: "server", expected: expected,
            found: Redactor.mask(address: found))
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
    ///
    /// A call that carries a token goes there over `https` only, or without leaving this machine
    /// (RFC 6750, section 5.3). A server that has to do without is one for the spec.
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
                throw Self.unknown(name, among: servers.map(\.name))
            }
            return try server.address(values)
        case .url(let url):
            return try Server("url", url).address()
        }
    }

    static func unknown(_ name: String, among names: [String]) -> Violation {
        Violation(
            path: "server", rule: "server",
            expected: "a server of the API\(spellingHint(name, among: names))",
            found: "`\(Redactor.mask(address: name))`")
    }
}

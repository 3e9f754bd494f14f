import TelexJSON
import TelexTransport
import TelexValues

/// A server of an API.
public struct Server: Sendable, Hashable {
    /// The server's name in the spec.
    public var name: String
    /// Its address, with `{name}` for variables (RFC 6570, level 1).
    ///
    /// Defaults and allowed values are inserted unchanged. Other values must fit their place:
    /// letters, digits, `-`, `.` and `_` in a host, digits in a port. In a path they are
    /// percent-encoded and must not contain `/`, `?` or `#`.
    public var url: String
    /// The variables in the address.
    public var variables: [ServerVariable]

    /// Describes a server.
    public init(_ name: String, _ url: String, variables: [ServerVariable] = []) {
        self.name = name
        self.url = url
        self.variables = variables
    }

    /// Returns the address with its variables replaced.
    ///
    /// - Throws: A violation if a variable is unknown, has no value, has a value that is not
    ///   allowed or does not fit its place, or if the result is not an `http` or `https` address.
    package func address(_ values: [String: String] = [:]) throws(Violation) -> Address {
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
                text.add(try value(of: name, in: values, as: part))
            }
        }
        guard let address = Address(text.text) else {
            throw problem("an http or https address without a user name", text.text)
        }
        return address
    }

    private func value(
        of name: String, in values: [String: String], as part: ServerText.Part
    ) throws(Violation) -> String {
        let variable = variables.first { $0.name == name }
        guard let value = values[name] ?? variable?.default else {
            throw problem("a value for the variable `\(name)`", "nothing")
        }
        let allowed = variable?.allowed ?? []
        guard allowed.isEmpty || allowed.contains(value) else {
            throw problem("`\(name)` to be one of \(allowed.joined(separator: ", "))", value)
        }
        // These values come from the API description and are trusted.
        if !allowed.isEmpty || value == variable?.default { return value }
        guard let fitting = part.fitting(value) else {
            throw problem("`\(name)` to be \(part.expectation)", value)
        }
        return fitting
    }

    private func problem(_ expected: String, _ found: String) -> Violation {
        Violation(
            path: "server `\(name)`", rule: "server", expected: expected,
            found: Address.masked(found))
    }
}

/// A variable in the address of a server.
public struct ServerVariable: Sendable, Hashable {
    /// The name between the braces.
    public var name: String
    /// The default value; nil if a value is required.
    public var `default`: String?
    /// The allowed values; empty for any.
    public var allowed: [String]

    /// Describes a variable.
    public init(_ name: String, default: String? = nil, allowed: [String] = []) {
        self.name = name
        self.default = `default`
        self.allowed = allowed
    }
}

/// The server that a call goes to.
public enum ServerChoice: Sendable, Hashable {
    /// The API's first server.
    case first
    /// A server of the API by name, with values for its variables.
    case named(String, [String: String] = [:])
    /// An address outside the spec, for instance of a test server.
    ///
    /// Calls with a token need `https` or an address on this machine (RFC 6750, section 5.3). A
    /// server with a token over plain `http` must be declared in the spec.
    case url(String)

    /// Returns the chosen address.
    package func address(among servers: [Server]) throws(Violation) -> Address {
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

    package static func unknown(_ name: String, among names: [String]) -> Violation {
        Violation(
            path: "server", rule: "server",
            expected: "a server of the API\(spellingHint(name, among: names))",
            found: "`\(Address.masked(name))`")
    }
}

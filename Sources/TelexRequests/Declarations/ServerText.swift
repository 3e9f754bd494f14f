import TelexTransport

/// The address of a server during the replacement of its variables.
///
/// A value of the app must not change other parts of the address: a tenant named `evil.test/` would
/// send the token to another host (RFC 6570, section 3.2.2). Values from the spec are inserted
/// unchanged.
struct ServerText {
    /// The part of the address that contains a variable.
    package enum Part: Equatable {
        case scheme
        /// A host name; `isWhole` if the variable is the entire host.
        case host(isWhole: Bool)
        case port
        /// A path or a query.
        case path
    }

    package private(set) var text = ""

    package mutating func add(_ piece: String) { text += piece }

    /// Returns the part of the address that contains the next variable.
    ///
    /// - Parameter next: The piece after the variable.
    package func part(before next: PathTemplate.Piece?) -> Part {
        guard let mark = text.firstRange(of: "://") else { return .scheme }
        let rest = text[mark.upperBound...].utf8
        if rest.contains(where: "/?#".utf8.contains) { return .path }
        let end = rest.lastIndex(of: UInt8(ascii: "]")) ?? rest.startIndex
        if rest[end...].contains(UInt8(ascii: ":")) { return .port }
        return .host(isWhole: rest.isEmpty && Self.endsHost(next))
    }

    private static func endsHost(_ next: PathTemplate.Piece?) -> Bool {
        switch next {
        case nil: true
        case .literal(let text): text.utf8.first.map(":/?#".utf8.contains) ?? false
        case .parameter: false
        }
    }
}

extension ServerText.Part {
    /// Returns the value as inserted into the address; nil if it does not fit this part.
    func fitting(_ value: String) -> String? {
        switch self {
        case .scheme: value.isMade(of: "+-.") ? value : nil
        case .host(isWhole: false): value.isMade(of: "-._") ? value : nil
        // Brackets enclose an IPv6 address.
        case .host(isWhole: true): value.isMade(of: "-._:[]") ? value : nil
        case .port: value.utf8.allSatisfy(\.isDigit) ? value : nil
        case .path:
            value == "." || value == ".." || value.utf8.contains(where: "/?#".utf8.contains)
                ? nil : PercentEncoding.component(value)
        }
    }

    /// The expected form of a value, for messages.
    package var expectation: String {
        switch self {
        case .scheme: "letters, digits, `+`, `-` and `.`, as part of a scheme"
        case .host(isWhole: false): "letters, digits, `-`, `.` and `_`, as part of a host"
        case .host(isWhole: true): "a host, with its port if it has one"
        case .port: "digits, as part of a port"
        case .path: "a text without `/`, `?` and `#`, and not `.` or `..`, as part of a path"
        }
    }
}

extension String {
    /// Whether the string contains only ASCII letters, ASCII digits and these characters.
    fileprivate func isMade(of others: String) -> Bool {
        utf8.allSatisfy { $0.isLetter || $0.isDigit || others.utf8.contains($0) }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}

/// The address of a server while its variables are replaced.
///
/// A value that only the app knows fills its place and changes nothing else: a tenant by the name of
/// `evil.test/` would take the token to another host (RFC 6570, section 3.2.2). What the spec itself
/// says is taken as it is written.
struct ServerText {
    /// What a variable is a piece of.
    enum Part: Equatable {
        case scheme
        /// The name of a host; `isWhole` if nothing else belongs to it.
        case host(isWhole: Bool)
        case port
        /// Or of a query.
        case path
    }

    private(set) var text = ""

    mutating func add(_ piece: String) { text += piece }

    /// What a variable is a piece of that comes next.
    ///
    /// - Parameter next: What follows it.
    func part(before next: PathTemplate.Piece?) -> Part {
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
    /// The value as it stands in the address; nil if it would be more than this part.
    func fitting(_ value: String) -> String? {
        switch self {
        case .scheme: value.isMade(of: "+-.") ? value : nil
        case .host(isWhole: false): value.isMade(of: "-._") ? value : nil
        // One that begins with a bracket is an IPv6 address.
        case .host(isWhole: true): value.isMade(of: "-._:[]") ? value : nil
        case .port: value.utf8.allSatisfy(\.isDigit) ? value : nil
        case .path:
            value == "." || value == ".." || value.utf8.contains(where: "/?#".utf8.contains)
                ? nil : PercentEncoding.component(value)
        }
    }

    /// What a value may be.
    var expectation: String {
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
    /// Whether there is nothing in it but letters and digits of ASCII and these characters.
    fileprivate func isMade(of others: String) -> Bool {
        utf8.allSatisfy { $0.isLetter || $0.isDigit || others.utf8.contains($0) }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
}

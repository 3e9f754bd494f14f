/// An example of a value or of a reply, already checked.
public struct Example: Sendable, Equatable {
    /// The name, of an example of a reply.
    public var name: String?
    /// The value.
    public var value: ExampleValue

    /// Creates an example.
    public init(name: String? = nil, value: ExampleValue) {
        self.name = name
        self.value = value
    }
}

/// The value of an example, as it is in JSON.
public indirect enum ExampleValue: Sendable, Equatable {
    /// A member of an object.
    public struct Member: Sendable, Equatable {
        /// The key.
        public var key: String
        /// The value.
        public var value: ExampleValue

        /// Creates a member.
        public init(key: String, value: ExampleValue) {
            self.key = key
            self.value = value
        }
    }

    /// The JSON text of a number, a Boolean or null.
    case plain(String)
    /// A text.
    case text(String)
    /// A list.
    case array([ExampleValue])
    /// An object.
    case object([Member])

    /// The value in one line of JSON.
    public var json: String {
        switch self {
        case .plain(let json): json
        case .text(let text): Self.quoted(text)
        case .array(let items): "[" + items.map(\.json).joined(separator: ", ") + "]"
        case .object(let members):
            "{"
                + members.map { Self.quoted($0.key) + ": " + $0.value.json }.joined(separator: ", ")
                + "}"
        }
    }

    /// The value in lines of JSON. Lists and objects of less than `width` characters are in one line.
    public func lines(width: Int) -> [String] {
        let single = json
        if single.count <= width { return [single] }
        switch self {
        case .plain, .text: return [single]
        case .array(let items):
            return Self.block(
                open: "[", parts: items.map { $0.lines(width: width - 2) }, close: "]")
        case .object(let members):
            let parts = members.map { member in
                var lines = member.value.lines(width: width - 4 - member.key.count)
                lines[0] = Self.quoted(member.key) + ": " + lines[0]
                return lines
            }
            return Self.block(open: "{", parts: parts, close: "}")
        }
    }

    private static func block(open: String, parts: [[String]], close: String) -> [String] {
        var lines = [open]
        for (index, part) in parts.enumerated() {
            lines += part.map { "  " + $0 }
            if index < parts.count - 1 { lines[lines.count - 1] += "," }
        }
        return lines + [close]
    }

    /// A text as RFC 8259, section 7, writes it.
    private static func quoted(_ text: String) -> String {
        "\""
            + text.unicodeScalars.map { scalar in
                switch scalar {
                case "\"": "\\\""
                case "\\": "\\\\"
                case _ where scalar.value < 0x20:
                    "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
                default: String(scalar)
                }
            }.joined() + "\""
    }
}

/// A command line of `curl` for a POSIX shell. Whatever the values are, the shell takes each of them
/// as one word, and `curl` none of them as an option or the name of a file. It is one line, and has no
/// character that a terminal would obey.
struct CurlCommand {
    /// What `curl` is given: options and their values, each a word of its own.
    private(set) var options: [String]

    /// - Parameters:
    ///   - target: The address, or as much of it as is known.
    ///   - hasBody: Whether a body will be added.
    init(method: String, target: String, hasBody: Bool = false) {
        // With `-X HEAD`, `curl` would wait for a body; with `--head`, it takes none.
        options = method == "HEAD" && !hasBody ? ["--head"] : ["-X", method]
        // Without it, `curl` would make many addresses of one with brackets or braces in it.
        if target.contains(where: { "[]{}".contains($0) }) { options.append("--globoff") }
        // Without it, `curl` would leave out `.` and `..` in a path.
        if target.contains("/.") { options.append("--path-as-is") }
        if target.hasPrefix("-") { options.append("--url") }
        options.append(target)
    }

    mutating func header(_ name: String, _ value: String) {
        // A field without a value is one that `curl` takes away, unless a semicolon is there.
        options += ["-H", value.isEmpty ? "\(name);" : "\(name): \(value)"]
    }

    /// Takes away a field that `curl` would add by itself.
    mutating func noHeader(_ name: String) { options += ["-H", "\(name):"] }

    /// A body, or an item of one: `curl` puts `&` between them.
    mutating func data(_ text: String) { options += ["--data-raw", text] }

    /// Whether `curl` can make a part of this name: with the first `=` it ends for `curl`.
    static func canHavePart(named name: String) -> Bool { !name.contains("=") }

    mutating func part(_ name: String, _ value: String) {
        options += ["--form-string", "\(name)=\(value)"]
    }

    mutating func part(_ name: String, file: String, type: String?) {
        // Standard input is called so, and of a path `curl` tells the server only the end.
        let isMoreThanName = file == "-" || file.contains("/")
        let path = file == "-" ? "./-" : file
        let name = "\(name)=@\(Self.quoted(path))"
        let told = isMoreThanName ? ";filename=\(Self.quoted(file))" : ""
        // More than a plain type would be options of curl's own: `headers=@file`, say.
        let type = type.flatMap { $0.isPlainMediaType ? ";type=\($0)" : nil } ?? ""
        options += ["-F", name + told + type]
    }

    /// A text in a part as `curl` reads it.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// The line.
    var text: String { (["curl"] + options).map(\.shellWord).joined(separator: " ") }
}

extension String {
    /// One word of the shell: in quotes that keep it as it is (POSIX.1-2017, Shell Command Language,
    /// section 2.2.2) where it is not plain.
    fileprivate var shellWord: String {
        if unicodeScalars.contains(where: \.isObeyed) { return escapedShellWord }
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        if isPlain, !isEmpty { return self }
        return "'" + replacing("'", with: "'\\''") + "'"
    }

    /// The same in dollar quotes (POSIX.1-2024, section 2.2.4). Between others, a control character would
    /// reach the terminal that the line is pasted into: there, ^C ends the line, and what comes next is
    /// a command. And a mark that turns the direction of writing would show another command.
    private var escapedShellWord: String {
        "$'" + unicodeScalars.map(\.inDollarQuotes).joined() + "'"
    }
}

extension Unicode.Scalar {
    /// Whether it says what becomes of others, and is not seen itself (Unicode, sections 23.1 and 23.2): a
    /// control character, a mark of formatting, the end of a line or a paragraph.
    fileprivate var isObeyed: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    fileprivate var inDollarQuotes: String {
        switch self {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\\": "\\\\"
        case "'": "\\'"
        // In some shells it is history even here.
        case "!": "\\041"
        case _ where isObeyed: Unicode.UTF8.encode(self)?.map(Self.octal).joined() ?? ""
        default: "\(self)"
        }
    }

    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}

extension String {
    /// Whether it is a media type (RFC 9110, section 8.3.1) whose parameters are plain, too, and none of
    /// those words that mean something to `curl`.
    fileprivate var isPlainMediaType: Bool {
        let pieces = split(separator: ";", omittingEmptySubsequences: false)
        guard let type = pieces.first, Self.isPair(type, of: "/") else { return false }
        return pieces.dropFirst().allSatisfy { piece in
            let parameter = piece.drop { $0 == " " }
            let name = parameter.prefix { $0 != "=" }.lowercased()
            return Self.isPair(parameter, of: "=")
                && !["encoder", "filename", "headers", "type"].contains(name)
        }
    }

    /// Whether it is two tokens with a separator between them.
    private static func isPair(_ text: Substring, of separator: Character) -> Bool {
        let words = text.split(separator: separator, omittingEmptySubsequences: false)
        return words.count == 2
            && words.allSatisfy { word in
                !word.isEmpty
                    && word.utf8.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                            || "!#$&-^_.+".utf8.contains(byte)
                    }
            }
    }
}

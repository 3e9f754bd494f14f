/// A `curl` command line for a POSIX shell. Every value reaches `curl` as one word and is never
/// read as an option or a file name. The text is one line and contains no control or formatting
/// characters.
package struct CurlCommand {
    /// The arguments of `curl`: options and their values, each an element of its own.
    package private(set) var options: [String]

    /// - Parameters:
    ///   - target: The URL, or the part of it that is known.
    ///   - hasBody: Whether a body will be added.
    package init(method: String, target: String, hasBody: Bool = false) {
        // With `-X HEAD`, `curl` would wait for a body; with `--head`, it expects none.
        options = method == "HEAD" && !hasBody ? ["--head"] : ["-X", method]
        // Otherwise `curl` would expand brackets and braces in the URL to several URLs.
        if target.contains(where: { "[]{}".contains($0) }) { options.append("--globoff") }
        // Otherwise `curl` would remove `.` and `..` segments from the path.
        if target.contains("/.") { options.append("--path-as-is") }
        if target.hasPrefix("-") { options.append("--url") }
        options.append(target)
    }

    package mutating func header(_ name: String, _ value: String) {
        // `Name:` removes a header field, `Name;` sends an empty one.
        options += ["-H", value.isEmpty ? "\(name);" : "\(name): \(value)"]
    }

    /// Suppresses a header field that `curl` adds by default.
    mutating func noHeader(_ name: String) { options += ["-H", "\(name):"] }

    /// Adds a body, or one item of it: `curl` joins several items with `&`.
    package mutating func data(_ text: String) { options += ["--data-raw", text] }

    /// Adds the content of a file as the body.
    package mutating func data(fromFile path: String) { options += ["--data-binary", "@\(path)"] }

    /// Whether `curl` can send a part of this name: `curl` ends the name at the first `=`.
    static func canHavePart(named name: String) -> Bool { !name.contains("=") }

    package mutating func part(_ name: String, _ value: String) {
        options += ["--form-string", "\(name)=\(value)"]
    }

    package mutating func part(_ name: String, file: String, type: String?) {
        // `-` means standard input, and `curl` sends only the last component of a path as the file
        // name.
        let isMoreThanName = file == "-" || file.contains("/")
        let path = file == "-" ? "./-" : file
        let name = "\(name)=@\(Self.quoted(path))"
        let told = isMoreThanName ? ";filename=\(Self.quoted(file))" : ""
        // Otherwise the type could contain options of `curl`, such as `headers=@file`.
        let type = type.flatMap { $0.isPlainMediaType ? ";type=\($0)" : nil } ?? ""
        options += ["-F", name + told + type]
    }

    /// A value inside a `-F` argument, quoted for `curl`.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// The whole command line.
    package var text: String { (["curl"] + options).map(\.shellWord).joined(separator: " ") }
}

extension String {
    /// The string as one word of the shell: unless it is plain, in single quotes, which preserve it
    /// literally (POSIX.1-2017, Shell Command Language, section 2.2.2).
    fileprivate var shellWord: String {
        if unicodeScalars.contains(where: \.isInvisibleControl) { return escapedShellWord }
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

    /// The string in dollar quotes (POSIX.1-2024, section 2.2.4), with control and formatting
    /// characters escaped. In single quotes, a terminal would act on a control character when the
    /// line is pasted: ^C ends the line, and the rest runs as a command. A bidirectional mark would
    /// display a different command.
    private var escapedShellWord: String {
        "$'" + unicodeScalars.map(\.inDollarQuotes).joined() + "'"
    }
}

extension Unicode.Scalar {
    /// Whether the scalar affects the text around it and is invisible itself (Unicode, sections
    /// 23.1 and 23.2): a control character, a formatting mark, a line or paragraph separator.
    fileprivate var isInvisibleControl: Bool {
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
        // Some shells apply history expansion even inside dollar quotes.
        case "!": "\\041"
        case _ where isInvisibleControl: Unicode.UTF8.encode(self)?.map(Self.octal).joined() ?? ""
        default: "\(self)"
        }
    }

    private static func octal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 8)
        return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
}

extension String {
    /// Whether the string is a media type (RFC 9110, section 8.3.1) with plain parameters, none of
    /// which has a name that is an option of `curl`'s `-F`.
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

    /// Whether the text is two tokens with a separator between them.
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

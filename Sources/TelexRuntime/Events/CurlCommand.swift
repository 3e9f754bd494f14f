/// A command line of `curl` for a POSIX shell. Whatever the values are, the shell takes each of them
/// as one word, and `curl` none of them as an option or the name of a file.
struct CurlCommand {
    /// What `curl` is given: options and their values, each a word of its own.
    private(set) var options: [String]

    /// - Parameter target: The address, or as much of it as is known.
    init(method: String, target: String) {
        // With `-X HEAD`, `curl` would wait for a body.
        options = method == "HEAD" ? ["--head"] : ["-X", method]
        // Without it, `curl` would make many addresses of one with brackets or braces in it.
        if target.contains(where: { "[]{}".contains($0) }) { options.append("--globoff") }
        if target.hasPrefix("-") { options.append("--url") }
        options.append(target)
    }

    mutating func header(_ name: String, _ value: String) {
        // A field without a value is one that `curl` takes away, unless a semicolon is there.
        options += ["-H", value.isEmpty ? "\(name);" : "\(name): \(value)"]
    }

    /// A body, or an item of one: `curl` puts `&` between them.
    mutating func data(_ text: String) { options += ["--data-raw", text] }

    mutating func part(_ name: String, _ value: String) {
        options += ["--form-string", "\(name)=\(value)"]
    }

    mutating func part(_ name: String, file: String, type: String?) {
        let escaped = file.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        // More than a plain type would be options of curl's own: `headers=@file`, say.
        let type = type.flatMap { $0.isPlainMediaType ? ";type=\($0)" : nil } ?? ""
        options += ["-F", "\(name)=@\"\(escaped)\"\(type)"]
    }

    /// The line.
    var text: String { (["curl"] + options).map(Self.quotedIfNeeded).joined(separator: " ") }

    /// One word of the shell (POSIX.1-2017, Shell Command Language, section 2.2.2).
    private static func quotedIfNeeded(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        if isPlain, !word.isEmpty { return word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

extension String {
    /// Whether it is a media type without parameters (RFC 9110, section 8.3.1).
    fileprivate var isPlainMediaType: Bool {
        let words = utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return words.count == 2
            && words.allSatisfy { word in
                !word.isEmpty
                    && word.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
                            || "!#$&-^_.+".utf8.contains(byte)
                    }
            }
    }
}

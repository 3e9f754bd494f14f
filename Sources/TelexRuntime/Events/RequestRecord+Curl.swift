extension RequestRecord {
    /// A command line for a POSIX shell that sends the same request with `curl`, once a person has
    /// put secrets in the place of `‹redacted›`, and files where their names are.
    ///
    /// Whatever the values are, the shell takes each of them as one word, and `curl` none of them as
    /// an option or the name of a file.
    public var curl: String {
        (["curl"] + options).map(Self.quotedIfNeeded).joined(separator: " ")
    }

    /// What `curl` is given: options and their values, each a word of its own.
    var options: [String] {
        var words = method == "HEAD" ? ["--head"] : ["-X", method]
        // Without it, `curl` would make many addresses of one with brackets or braces in it.
        if url.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
        words.append(url)
        for field in fields where !isMadeByCurl(field) {
            // A field without a value is one that `curl` takes away, unless a semicolon is there.
            words += [
                "-H", field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)",
            ]
        }
        return words + bodyOptions
    }

    /// `curl` counts by itself, and chooses its own boundary between parts.
    private func isMadeByCurl(_ field: RecordField) -> Bool {
        switch field.name.lowercased() {
        case "content-length": true
        case "content-type": isForm
        default: false
        }
    }

    /// Whether `curl` can make the body of its parts: if those are known.
    private var isForm: Bool {
        guard let body, !body.parts.isEmpty else { return false }
        return body.type?.hasPrefix("multipart/") ?? false
    }

    private var bodyOptions: [String] {
        guard let body else { return [] }
        if isForm { return body.parts.flatMap(Self.form) }
        if !body.parts.isEmpty {
            let items = body.parts.map {
                "\(Self.encoded($0.name))=\(Self.encoded($0.value ?? ""))"
            }
            return ["--data-raw", items.joined(separator: "&")]
        }
        if let text = body.text {
            return ["--data-raw", body.isTextCut ? text + BodyPartRecord.cut : text]
        }
        let size = body.size.map { "\($0) bytes" } ?? "a stream"
        return ["--data-raw", "‹\(body.type ?? "no type"), \(size)›"]
    }

    private static func form(_ part: BodyPartRecord) -> [String] {
        guard let file = part.fileName else {
            return ["--form-string", "\(part.name)=\(part.value ?? "")"]
        }
        let escaped = file.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        // More than a plain type would be options of curl's own: `headers=@file`, say.
        let type = part.type.flatMap { $0.isPlainMediaType ? ";type=\($0)" : nil } ?? ""
        return ["-F", "\(part.name)=@\"\(escaped)\"\(type)"]
    }

    /// Encoded as in a form; the mark stays readable.
    private static func encoded(_ text: String) -> String {
        text == Redactor.mark ? text : PercentEncoding.form(text)
    }

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

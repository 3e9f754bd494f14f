extension RequestRecord {
    /// A command line for a POSIX shell that sends the same request with `curl`, once a person has
    /// put secrets in the place of `‹redacted›`, and files where their names are.
    ///
    /// Whatever the values are, the shell takes each of them as one word, and `curl` none of them as
    /// an option or the name of a file. It is one line, and has no character that a terminal would obey:
    /// words with such a character are in dollar quotes, which bash, zsh and most others read (POSIX.1-2024).
    /// Of a body that cannot be said in that way, only kind and size are told.
    public var curl: String { command.text }

    var command: CurlCommand {
        var command = CurlCommand(method: method, target: url, hasBody: body != nil)
        for field in fields where !isMadeByCurl(field) { command.header(field.name, field.value) }
        if let body { add(body, to: &command) }
        return command
    }

    /// `curl` counts by itself, and chooses its own boundary between parts.
    private func isMadeByCurl(_ field: RecordField) -> Bool {
        switch field.name.lowercased() {
        case "content-length": true
        case "content-type": body.map(isForm) ?? false
        default: false
        }
    }

    /// Whether `curl` can make a body of its parts: if those are known, and can be said.
    private func isForm(_ body: RequestBodyRecord) -> Bool {
        body.isMultipart
            && body.parts.allSatisfy { CurlCommand.canHavePart(named: $0.name) && !$0.hasNUL }
    }

    private func add(_ body: RequestBodyRecord, to command: inout CurlCommand) {
        if isForm(body) {
            for part in body.parts { add(part, to: &command) }
            return
        }
        if body.type == nil, fields["Content-Type"] == nil { command.noHeader("Content-Type") }
        let text = body.isMultipart ? nil : body.sentText
        // No shell hands on a word with a NUL.
        guard let text, !text.utf8.contains(0) else {
            let size = body.size.map { "\($0) bytes" } ?? "a stream"
            return command.data("‹\(body.type ?? "no type"), \(size)›")
        }
        command.data(body.isTextCut ? text + BodyPartRecord.cut : text)
    }

    private func add(_ part: BodyPartRecord, to command: inout CurlCommand) {
        if let file = part.fileName {
            command.part(part.name, file: file, type: part.type)
        } else {
            command.part(part.name, part.value ?? "")
        }
    }
}

extension RequestBodyRecord {
    /// Whether it has several parts, and those are known.
    fileprivate var isMultipart: Bool {
        !parts.isEmpty && type?.hasPrefix("multipart/") ?? false
    }

    /// The text as it was sent, without secrets; a form is put together again from its parts. Nil if
    /// it is not known.
    var sentText: String? {
        guard !parts.isEmpty else { return text }
        guard isMultipart else { return parts.map(\.formItem).joined(separator: "&") }
        let boundary = type.map(Multipart.boundary) ?? ""
        let body = Multipart(parts.map(\.sentPart), boundary: boundary).body
        guard case .bytes(let bytes) = body else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension BodyPartRecord {
    fileprivate var hasNUL: Bool {
        [name, value, fileName, type].contains { $0?.utf8.contains(0) == true }
    }

    fileprivate var formItem: String { "\(Self.encoded(name))=\(Self.encoded(value ?? ""))" }

    fileprivate var sentPart: Multipart.Part {
        let text = fileName == nil ? value ?? "" : "‹a file›"
        return Multipart.Part(
            name: name, fileName: fileName, type: type, content: .bytes(Array(text.utf8)))
    }

    /// Encoded as in a form; the marks stay readable.
    private static func encoded(_ text: String) -> String {
        for mark in [Redactor.mark, cut] {
            guard let place = text.firstRange(of: mark) else { continue }
            return encoded(String(text[..<place.lowerBound])) + mark
                + encoded(String(text[place.upperBound...]))
        }
        return PercentEncoding.form(text)
    }
}

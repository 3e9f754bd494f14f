import TelexTransport

extension RequestRecord {
    /// A command line for a POSIX shell that sends the same request with `curl`. Before it is run,
    /// secrets have to be inserted for `‹redacted›`, and the named files have to exist.
    ///
    /// Every value reaches `curl` as one word and is never read as an option or a file name. The
    /// text is one line and contains no control or formatting characters: words with such a
    /// character are in dollar quotes, which bash, zsh and most other shells read (POSIX.1-2024). A
    /// body that cannot be written this way is replaced by its type and size.
    public var curl: String { command.text }

    package var command: CurlCommand {
        var command = CurlCommand(method: method, target: url, hasBody: body != nil)
        for field in fields where !isMadeByCurl(field) { command.header(field.name, field.value) }
        if let body { add(body, to: &command) }
        return command
    }

    /// Whether `curl` adds the field itself: it computes `Content-Length` and chooses the boundary
    /// between parts.
    private func isMadeByCurl(_ field: RecordField) -> Bool {
        switch field.name.lowercased() {
        case "content-length": true
        case "content-type": body.map(isForm) ?? false
        default: false
        }
    }

    /// Whether the parts of the body are known and can be written as `curl` arguments.
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
        // A command-line argument cannot contain NUL.
        guard let text, !text.utf8.contains(0) else {
            let size = body.size.map { "\($0) bytes" } ?? "a stream"
            return command.data("‹\(body.type ?? "no type"), \(size)›")
        }
        command.data(text)
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
    /// Whether the body is multipart and its parts are known.
    fileprivate var isMultipart: Bool {
        !parts.isEmpty && type?.hasPrefix("multipart/") ?? false
    }

    /// The body as text, without secrets; a form is reassembled from its parts. `nil` if it is
    /// unknown.
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

    /// The text in form encoding, except that redaction and truncation marks stay readable.
    private static func encoded(_ text: String) -> String {
        for mark in [Redactor.mark, cut] {
            guard let place = text.firstRange(of: mark) else { continue }
            return encoded(String(text[..<place.lowerBound])) + mark
                + encoded(String(text[place.upperBound...]))
        }
        return PercentEncoding.form(text)
    }
}

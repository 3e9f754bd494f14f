extension RequestRecord {
    /// A command line for a POSIX shell that sends the same request with `curl`, once a person has
    /// put secrets in the place of `‹redacted›`, and files where their names are.
    ///
    /// Whatever the values are, the shell takes each of them as one word, and `curl` none of them as
    /// an option or the name of a file.
    public var curl: String { command.text }

    var command: CurlCommand {
        var command = CurlCommand(method: method, target: url)
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

    /// Whether `curl` can make a body of its parts: if those are known.
    private func isForm(_ body: RequestBodyRecord) -> Bool {
        !body.parts.isEmpty && body.type?.hasPrefix("multipart/") ?? false
    }

    private func add(_ body: RequestBodyRecord, to command: inout CurlCommand) {
        if isForm(body) {
            for part in body.parts { add(part, to: &command) }
        } else if !body.parts.isEmpty {
            let items = body.parts.map {
                "\(Self.encoded($0.name))=\(Self.encoded($0.value ?? ""))"
            }
            command.data(items.joined(separator: "&"))
        } else if let text = body.text {
            command.data(body.isTextCut ? text + BodyPartRecord.cut : text)
        } else {
            let size = body.size.map { "\($0) bytes" } ?? "a stream"
            command.data("‹\(body.type ?? "no type"), \(size)›")
        }
    }

    private func add(_ part: BodyPartRecord, to command: inout CurlCommand) {
        if let file = part.fileName {
            command.part(part.name, file: file, type: part.type)
        } else {
            command.part(part.name, part.value ?? "")
        }
    }

    /// Encoded as in a form; the mark stays readable.
    private static func encoded(_ text: String) -> String {
        text == Redactor.mark ? text : PercentEncoding.form(text)
    }
}

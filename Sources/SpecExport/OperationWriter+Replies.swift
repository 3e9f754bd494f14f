import SpecIR
import SpecImport
import SpecSyntax

extension OperationWriter {
    // MARK: Success

    /// The responses of successful calls.
    mutating func replies() -> [DraftEntry] {
        let replies = method.expanded.replies
        if !replies.isEmpty { return repliesByStatus(replies) }
        said.insert("returns")
        if method.node.value(of: "returns") == nil, method.expanded.returns != nil {
            // The types of a template.
            members.append(DraftEntry("replies", .list([])))
        }
        let type = method.expanded.verb?.value == .head ? nil : method.expanded.returns
        let statuses = rules.statuses
        let only = statuses.count == 1 && statuses[0].count == 1 ? statuses[0].lowerBound : nil
        let response = response(type, method.node.value(of: "returns"), hasAll: true)
        return [DraftEntry(text: only.map { "\($0)" } ?? "2XX", .map(response))]
    }

    private mutating func repliesByStatus(_ replies: [StatusReplySyntax]) -> [DraftEntry] {
        said.insert("returns")
        let statuses = replies.map { DraftValue.word("\($0.status.value)") }
        members.append(DraftEntry("replies", .list(statuses)))
        let written = method.node.value(of: "returns")
        return replies.enumerated().map { index, reply in
            let status = "\(reply.status.value)"
            let response = response(
                reply.type, written?.value(of: status), hasAll: index == 0)
            return DraftEntry(text: status, .map(response))
        }
    }

    private var rules: SuccessRules { method.lowered.reply ?? source.lowered.reply }

    /// - Parameter hasAll: Whether examples and header fields belong to this response.
    private mutating func response(
        _ type: TypeSyntax?, _ node: YAMLNode?, hasAll: Bool
    ) -> [DraftEntry] {
        var entries = [DraftEntry("description", .text("Success."))]
        if hasAll, let headers = headers() { entries.append(DraftEntry("headers", headers)) }
        if let type, let content = content(type, node, hasAll: hasAll) {
            entries.append(DraftEntry("content", .map([content])))
        }
        return entries
    }

    private mutating func content(
        _ type: TypeSyntax, _ node: YAMLNode?, hasAll: Bool
    ) -> DraftEntry? {
        let accepted = rules.accepts.first { !$0.contains("*") }
        switch type.name {
        case "nothing": return nil
        case "bytes", "file":
            let media = accepted ?? "application/octet-stream"
            if type.name == "file" || media.hasPrefix("text/") || media.hasSuffix("json") {
                said.remove("returns")
            }
            return DraftEntry(media, .map([]))
        case "text":
            let media = accepted ?? "text/plain"
            if !media.hasPrefix("text/") { said.remove("returns") }
            return DraftEntry(media, .map([DraftEntry("schema", .map([.type("string")]))]))
        default: break
        }
        var media = accepted ?? "application/json"
        if case .stream(let format) = method.lowered.operation.kind {
            media = format.framing == .serverSentEvents ? "text/event-stream" : "application/jsonl"
        } else if !media.hasSuffix("json") {
            media = "application/json"
        }
        let schema = schemas.schema(type, node)
        var entries = [DraftEntry("schema", enveloped(schema))]
        if hasAll, let examples = examples() { entries.append(DraftEntry("examples", examples)) }
        return DraftEntry(media, .map(entries))
    }

    // MARK: Envelopes

    /// The schema of the whole reply.
    private func enveloped(_ schema: DraftValue) -> DraftValue {
        let mark = DraftEntry("x-telex", .map([.flag("envelope")]))
        return rules.unwrap.reversed().reduce(schema) { inner, step in
            switch step {
            case .key(let key):
                var members = ObjectMembers()
                _ = members.add(inner, key: key, at: [], isRequired: true)
                return .map(members.entries + [mark])
            case .index, .each, .first:
                return .map([.type("array"), DraftEntry("items", inner), mark])
            }
        }
    }

    private mutating func examples() -> DraftValue? {
        let examples = method.written.documentation.examples
        let keys = rules.unwrap.compactMap { step -> String? in
            if case .key(let key) = step { key } else { nil }
        }
        guard !examples.isEmpty, keys.count == rules.unwrap.count, method.expanded.replies.isEmpty
        else { return nil }
        said.insert("examples")
        return .map(
            examples.map { example in
                let value = keys.reversed().reduce(DraftValue(example.value)) {
                    .map([DraftEntry(text: $1, $0)])
                }
                return DraftEntry(
                    text: example.name?.value ?? "example", .map([DraftEntry("value", value)]))
            })
    }

    // MARK: Header fields

    private mutating func headers() -> DraftValue? {
        guard let headers = method.expanded.replyHeaders,
            case .object(let fields) = headers.type.form
        else { return nil }
        let written = method.node.value(of: "reply-headers")
        let hasLinks = !headers.links.isEmpty
        if !hasLinks { said.insert("reply-headers") }
        schemas.isSilent = hasLinks
        // Dates of header fields have the form of HTTP (RFC 9110, section 5.6.7).
        schemas.dates = nil
        defer {
            schemas.isSilent = false
            schemas.dates = dates
        }
        var all: [DraftEntry] = []
        for field in fields where headers.links[field.key.value] == nil {
            let key = field.sentKey.value
            var entries = field.type.attributes.documentation.entries
            if field.isRequired { entries.append(.flag("required")) }
            let schema = schemas.schema(
                field.type, written?.value(of: field.key.value), place: schemas.name(field, key),
                hasNotes: false)
            all.append(DraftEntry(key, .map(entries + [DraftEntry("schema", schema)])))
        }
        if hasLinks {
            let schema = DraftEntry("schema", .map([.type("string")]))
            all.append(DraftEntry("Link", .map([schema])))
        }
        return .map(all)
    }
}

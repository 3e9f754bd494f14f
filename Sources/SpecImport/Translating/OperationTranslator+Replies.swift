import SpecDiagnostics
import SpecSemantics
import SpecSyntax

extension OperationTranslator {
    // MARK: Success

    func addReplies(of operation: OperationDescription, to method: inout DraftMethod) {
        let (successes, failures) = (operation.successes, operation.failures)
        let used = Set((successes + failures).map(\.span))
        for reply in operation.replies where !used.contains(reply.span) {
            lose(.replies, "status \(reply.status)", at: reply.span)
        }
        for header in failures.flatMap(\.headers) {
            lose(.replyHeader, header.name, at: header.node.span)
        }
        if operation.verb != "head" {
            let replies = successes.filter { successes[0].isStream || !$0.isStream }
            for reply in successes where !replies.contains(where: { $0.span == reply.span }) {
                lose(.replies, "status \(reply.status)", at: reply.span)
            }
            add(
                replies.map { reply in
                    let type = type(of: reply, operation, to: &method)
                    let isEmpty = ["204", "205"].contains(reply.status)
                    return (reply, isEmpty ? .named("nothing") : type)
                }, to: &method)
        }
        addHeaders(successes, to: &method)
        guard let first = successes.first, operation.verb != "head" else { return }
        if operation.verb == "get" || operation.verb == "post" {
            addPages(operation, first, to: &method)
        }
    }

    private func add(
        _ types: [(reply: ReplyDescription, type: DraftType)], to method: inout DraftMethod
    ) {
        guard let first = types.first else { return }
        if method.settings["stream"] != nil {
            for (reply, _) in types.dropFirst() {
                lose(.replies, "status \(reply.status)", at: reply.span)
            }
            method.returns = [(nil, first.type)]
        } else if Set(types.map(\.type)).count > 1 {
            method.returns = types.compactMap { reply, type in
                Int(reply.status).map { ($0, type) }
            }
            for (reply, type) in types where Int(reply.status) == nil {
                fill(reply, type: type, method: &method)
            }
        } else if first.type != .named("nothing") {
            method.returns = [(nil, first.type)]
        }
    }

    /// The statuses that stand for a range of successes.
    private static let usual = [200, 201, 202]

    /// Adds the statuses that are usual in a range and have no reply of their own.
    private func fill(
        _ reply: ReplyDescription, type: DraftType, method: inout DraftMethod
    ) {
        let statuses = Self.usual.filter { status in
            !method.returns.contains { $0.status == status }
        }
        method.returns += statuses.map { ($0, type) }
        method.returns.sort { ($0.status ?? 0) < ($1.status ?? 0) }
        let rest = statuses.map { "\($0)" }.joined(separator: ", ")
        lose(
            .replies, "status \(reply.status)" + (rest.isEmpty ? "" : " other than \(rest)"),
            at: reply.span)
    }

    /// The type of a reply, and the settings that belong to it.
    private func type(
        of reply: ReplyDescription, _ operation: OperationDescription, to method: inout DraftMethod
    ) -> DraftType {
        guard let content = reply.chosen else { return .named("nothing") }
        for other in reply.contents where other.span != content.span {
            lose(.contentTypes, other.wholeType, at: other.span)
        }
        if content.hasParameters { accept(content.wholeType, in: &method) }
        if let form = content.stream {
            return stream(form, content: content, operation: operation, to: &method)
        }
        if let items = content.items { lose(.keyword, "itemSchema", at: items.span) }
        let shapes = content.schema.map { schemas.facts($0).shapes } ?? [.any]
        let isText = shapes.isSubset(of: [.string, .any])
        switch content.mediaType {
        case let type where type.isJSON || type == "*/*" || type == "application/*" && !isText:
            guard let schema = content.schema else { return .json }
            if schemas.isBinary(schema) { return .named("bytes") }
            return types.element(schema)
        case let type:
            if !isText { lose(.replyContent, content.wholeType, at: content.span) }
            return .named(type.hasPrefix("text/") ? "text" : "bytes")
        }
    }

    /// Asks for a media type whose parameters tell it from others.
    private func accept(_ mediaType: String, in method: inout DraftMethod) {
        let field = DraftField("Accept", DraftType(.constant(.text(mediaType))))
        if let index = method.sections.firstIndex(where: { $0.name == "headers" }) {
            let names = method.sections[index].fields.map { $0.name.lowercased() }
            if !names.contains("accept") { method.sections[index].fields.append(field) }
        } else {
            method.sections.append(("headers", [field]))
        }
    }

    private func stream(
        _ form: String, content: ContentDescription, operation: OperationDescription,
        to method: inout DraftMethod
    ) -> DraftType {
        var entries = [DraftEntry("form", .text(form))]
        var type = content.schema.map(types.element) ?? .json
        if let node = content.items {
            let elements = StreamElements(node, schemas, areEvents: form == "sse")
            if !elements.events.isEmpty {
                entries.append(
                    DraftEntry("events", .list(elements.events.map { .text($0) })))
            }
            if elements.areTexts { lose(.eventText, at: node.span) }
            type = elements.schema.map(types.element) ?? .json
        }
        if form == "sse", hasEnd(operation) { entries.append(DraftEntry("end", .text(Self.end))) }
        // A stream may send files, too.
        method.settings.removeAll { $0.key == "kind" }
        method.settings.append(
            DraftEntry("stream", entries.count == 1 ? .text(form) : .map(entries)))
        return type
    }

    // MARK: Examples

    /// Adds the examples of a reply, when all models are known.
    func addExamples(of operation: OperationDescription, to method: inout DraftMethod) {
        let all = operation.replies.filter { $0.status.first == "2" || $0.status == "default" }
            .flatMap { reply in reply.contents.map { (reply, $0) } }.filter {
                !$0.1.examples.isEmpty
            }
        var examples: [DraftEntry] = []
        var names: Set<String> = []
        for (reply, content) in all {
            let isReply =
                method.returns.count == 1 && method.returns[0].status == nil
                && method.settings["stream"] == nil && content.mediaType.isJSON
                && reply.status == operation.replies.first { $0.status.first == "2" }?.status
                && content.span == reply.chosen?.span
            for (name, node) in content.examples {
                if isReply, types.breaks(node, method.returns[0].type) {
                    lose(.replyExample, name, at: node.span)
                } else if isReply, names.insert(name).inserted,
                    let value = types.example(node, of: method.returns[0].type)
                {
                    examples.append(DraftEntry(name, value))
                } else {
                    lose(.example, "example of a reply", at: node.span)
                }
            }
        }
        if !examples.isEmpty { method.settings.append(DraftEntry("examples", .map(examples))) }
    }

    // MARK: Pages

    private func addPages(
        _ operation: OperationDescription, _ reply: ReplyDescription, to method: inout DraftMethod
    ) {
        guard method.returns.count == 1, method.returns[0].status == nil,
            method.settings["stream"] == nil,
            let content = reply.chosen, content.mediaType.isJSON,
            let schema = content.schema
        else { return }
        let proposal = PageProposal(operation, reply: schema, schemas: schemas)
        guard let items = proposal.items else { return }
        let isLink = { (field: DraftField) in field.type.attributes["link"] != nil }
        if operation.verb == "get", method.replyHeaders.contains(where: isLink) {
            let next = DraftEntry("next", .map([DraftEntry("link", .text("next"))]))
            method.settings.append(
                DraftEntry("pages", .map([DraftEntry("items", .text(items)), next])))
            method.replyHeaders.removeAll(where: isLink)
        } else if let cursor = proposal.cursor {
            let form = [
                DraftEntry("send", .text(cursor.send)), DraftEntry("take", .text(cursor.take)),
            ]
            method.settings.append(
                DraftEntry("pages", .map([DraftEntry("items", .text(items))] + form)))
        } else if let form = proposal.form {
            method.proposals.append("perhaps pages: { items: \(items), \(form) }")
        }
    }
}

extension OperationDescription {
    /// The replies of a success: those with 2xx, or `default` where nothing else is one.
    var successes: [ReplyDescription] {
        let found = replies.filter { $0.status.isStatus("2") }
        let hasOther = !found.isEmpty || replies.contains { $0.status.first == "3" }
        return hasOther ? found : replies.filter { $0.status == "default" }
    }

    /// The replies of an error.
    var failures: [ReplyDescription] {
        let isSuccess = successes.contains { $0.status == "default" }
        return replies.filter {
            $0.status.isStatus("4") || $0.status.isStatus("5")
                || $0.status == "default" && !isSuccess
        }
    }
}

extension ReplyDescription {
    /// The content that is read: JSON before other types, and without parameters before others.
    var chosen: ContentDescription? {
        let json = contents.filter(\.mediaType.isJSON)
        return json.first { $0.mediaType == "application/json" && !$0.hasParameters }
            ?? json.first { !$0.hasParameters } ?? json.first
            ?? contents.first { $0.mediaType == "*/*" } ?? contents.first
    }

    /// Whether it is read as a stream.
    var isStream: Bool { chosen?.stream != nil }
}

extension ContentDescription {
    /// The form of a stream; nil for what is read as a whole.
    var stream: String? {
        switch mediaType {
        case "text/event-stream": "sse"
        case "application/jsonl", "application/x-ndjson", "application/ndjson",
            "application/json-lines", "application/jsonlines", "application/x-jsonlines",
            "application/stream+json":
            "json-lines"
        default: nil
        }
    }

    /// Whether parameters other than the charset tell it from the plain type.
    var hasParameters: Bool {
        parameters.split(separator: ";").contains {
            $0.prefix { $0 != "=" }.lowercased().trimmed != "charset"
        }
    }
}

/// How the pages of a list follow one another: surely, or probably.
struct PageProposal {
    /// The path of the items; nil without a list.
    private(set) var items: String?
    /// A parameter and the path of its next value, which have names for just that.
    private(set) var cursor: (send: String, take: String)?
    /// The rest of `pages`, as YAML, if it is only likely.
    private(set) var form: String?

    private let schemas: SchemaReader

    init(_ operation: OperationDescription, reply: SchemaDescription, schemas: SchemaReader) {
        self.schemas = schemas
        let facts = schemas.facts(reply)
        guard facts.shapes.count == 1 else { return }
        if facts.shapes == [.array] { items = "$body" }
        let object = facts.object ?? FlatObject()
        let lists = object.properties.filter { schemas.facts($0.schema).shapes == [.array] }
        if lists.count == 1 { items = lists[0].name }
        guard let items, Self.isKey(items) else {
            self.items = nil
            return
        }
        propose(sent(operation), texts(object))
    }

    private mutating func propose(_ sent: [String: SchemaFacts.Shape], _ texts: [String]) {
        let cursors = [
            ("cursor", "next_cursor"), ("page_token", "next_page_token"),
            ("pageToken", "nextPageToken"),
        ]
        for (send, take) in cursors where sent[send] == .string {
            cursor = texts.first { $0 == take || $0.hasSuffix("." + take) }.map { (send, $0) }
            if cursor != nil { return }
        }
        let likely = [
            ("cursor", ["cursor", "next"]), ("after", ["next_cursor", "last_id", "after", "next"]),
        ]
        for (send, takes) in likely where sent[send] == .string {
            guard let take = takes.first(where: texts.contains) else { continue }
            form = "send: \(send), take: \(take)"
            return
        }
        if let name = ["offset", "skip"].first(where: { sent[$0] == .number }) {
            form = "offset: \(name)"
        } else if sent["page"] == .number {
            form = "page: page"
        }
    }

    /// The optional parameters of the query, with their kinds.
    private func sent(_ operation: OperationDescription) -> [String: SchemaFacts.Shape] {
        var sent: [String: SchemaFacts.Shape] = [:]
        for parameter in operation.parameters
        where parameter.location == "query" && !parameter.isRequired {
            let target = schemas.target(parameter.schema)
            if target?.parts.values != nil || target?.parts.format != nil { continue }
            sent[parameter.name] = schemas.facts(parameter.schema).shapes.first
        }
        return sent
    }

    /// The paths of texts in an object, and in the objects in it.
    private func texts(_ object: FlatObject) -> [String] {
        object.properties.flatMap { name, schema -> [String] in
            guard Self.isKey(name) else { return [] }
            let facts = schemas.facts(schema)
            if facts.shapes == [.string] {
                let target = schemas.target(schema)
                return target?.parts.values == nil && target?.parts.format == nil ? [name] : []
            }
            return (facts.object?.properties ?? []).compactMap { key, inner in
                let target = schemas.target(inner)
                let isText =
                    target?.kinds == [.string] && target?.parts.values == nil
                    && target?.parts.format == nil
                return isText && Self.isKey(key) ? "\(name).\(key)" : nil
            }
        }
    }

    /// Whether a key can stand in a path.
    private static func isKey(_ key: String) -> Bool {
        let isWord = key.utf8.allSatisfy(\.isNamePart)
        return key == "$body" || isWord && key.utf8.first.map { $0 > 0x39 } == true
    }
}

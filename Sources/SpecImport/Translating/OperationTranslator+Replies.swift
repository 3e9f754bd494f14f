import SpecDiagnostics
import SpecSemantics
import SpecSyntax

extension OperationTranslator {
    // MARK: Success

    func addReplies(of operation: OperationDescription, to method: inout DraftMethod) {
        var successes = operation.replies.filter {
            $0.status.count == 3 && $0.status.first == "2"
        }
        if successes.isEmpty,
            let other = operation.replies.first(where: { $0.status == "default" }),
            !operation.replies.contains(where: { $0.status.first == "3" })
        {
            successes = [other]
        }
        for reply in operation.replies where ["1", "3"].contains(reply.status.first) {
            lose(.replies, "status \(reply.status)", at: reply.node.span)
        }
        guard operation.verb != "head" else { return }
        var types: [(status: Int?, type: DraftType)] = []
        for reply in successes {
            let type = type(of: reply, to: &method)
            let status = Int(reply.status)
            types.append((status, status == 204 || status == 205 ? .named("nothing") : type))
        }
        add(types, successes, to: &method)
        guard let first = successes.first else { return }
        addHeaders(first, to: &method)
        if operation.verb == "get" || operation.verb == "post" {
            addPages(operation, first, to: &method)
        }
    }

    private func add(
        _ types: [(status: Int?, type: DraftType)], _ replies: [ReplyDescription],
        to method: inout DraftMethod
    ) {
        let isWhole = method.settings.contains { $0.key == "stream" }
        let different = Set(types.map(\.type))
        if types.count > 1, isWhole || types.contains(where: { $0.status == nil }) {
            for reply in replies.dropFirst() {
                lose(.replies, "status \(reply.status)", at: reply.node.span)
            }
            method.returns = [(nil, types[0].type)]
        } else if different.count > 1 {
            method.returns = types
        } else if let only = types.first, only.type != .named("nothing") {
            method.returns = [(nil, only.type)]
        }
    }

    /// The type of a reply, and the settings that belong to it.
    private func type(of reply: ReplyDescription, to method: inout DraftMethod) -> DraftType {
        guard let content = chosen(reply.contents) else { return .named("nothing") }
        for other in reply.contents where other.mediaType != content.mediaType {
            lose(.contentTypes, other.mediaType, at: other.span)
        }
        switch content.mediaType {
        case let type where type.isJSON || type == "*/*":
            guard let schema = content.schema else { return .json }
            if schemas.isBinary(schema) { return .named("bytes") }
            return types.element(schema)
        case "text/event-stream": return stream("sse", content, to: &method)
        case "application/jsonl", "application/x-ndjson", "application/json-lines":
            return stream("json-lines", content, to: &method)
        case let type where type.hasPrefix("text/"): return .named("text")
        default: return .named("bytes")
        }
    }

    private func chosen(_ contents: [ContentDescription]) -> ContentDescription? {
        contents.first { $0.mediaType.isJSON } ?? contents.first { $0.mediaType == "*/*" }
            ?? contents.first
    }

    private func stream(
        _ form: String, _ content: ContentDescription, to method: inout DraftMethod
    ) -> DraftType {
        if method.settings["stream"] == nil {
            method.settings.append(DraftEntry("stream", .text(form)))
        }
        return content.schema.map(types.element) ?? .json
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
            for (name, node) in content.examples {
                if isReply, names.insert(name).inserted,
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

    // MARK: Header fields

    private func addHeaders(_ reply: ReplyDescription, to method: inout DraftMethod) {
        let isWhole = method.settings["stream"] == nil
        for header in reply.headers {
            let name = header.name.lowercased()
            if ["content-type", "content-length", "transfer-encoding"].contains(name) { continue }
            if name.contains("ratelimit") || name.contains("rate-limit") || name == "retry-after" {
                lose(.rateHeader, header.name, at: header.node.span)
            } else if isWhole, HeaderName.isValid(header.name), let field = field(header) {
                method.replyHeaders.append(field)
            } else {
                lose(.replyHeader, header.name, at: header.node.span)
            }
        }
    }

    private func field(_ header: ParameterDescription) -> DraftField? {
        let name = header.name
        let words = SwiftNamer.words(name).filter { $0.lowercased() != "x" }
        guard let own = types.namer.lowerCamel(words.joined(separator: "-")) else { return nil }
        if name.lowercased() == "link" {
            // `next` is the relation that lists have (RFC 8288).
            let link = DraftEntry("link", .text("next"))
            return DraftField("next", DraftType(.named(""), [link]))
        }
        var type = textType(header.schema, in: "header").bare
        type.attributes.removeAll { $0.key == "style" }
        type.isOptional = !header.isRequired
        if case .constant = type.form { type = types.chosen(type) }
        if own != name { type.attributes.append(DraftEntry("key", .text(name))) }
        if let doc = header.description?.cleaned, !doc.isEmpty { types.addDoc(doc, to: &type) }
        return DraftField(own, type)
    }

    // MARK: Pages

    private func addPages(
        _ operation: OperationDescription, _ reply: ReplyDescription, to method: inout DraftMethod
    ) {
        guard method.returns.count == 1, method.returns[0].status == nil,
            method.settings["stream"] == nil,
            let content = chosen(reply.contents), content.mediaType.isJSON,
            let schema = content.schema
        else { return }
        let proposal = PageProposal(operation, schema, schemas)
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

/// How the pages of a list follow one another: surely, or probably.
struct PageProposal {
    /// The path of the items; nil without a list.
    private(set) var items: String?
    /// A parameter and the path of its next value, which have names for just that.
    private(set) var cursor: (send: String, take: String)?
    /// The rest of `pages`, as YAML, if it is only likely.
    private(set) var form: String?

    private let schemas: SchemaReader

    init(_ operation: OperationDescription, _ reply: SchemaDescription, _ schemas: SchemaReader) {
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
        let isWord = key.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == 0x5F
        }
        return key == "$body" || isWord && key.utf8.first.map { $0 > 0x39 } == true
    }
}

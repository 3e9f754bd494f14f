import SpecDiagnostics
import SpecSyntax

extension OperationDescription {
    /// The operation itself; or two, if a success is JSON or a stream: one for each.
    var methods: [OperationDescription] {
        let both = successes.filter { reply in
            reply.contents.contains(where: \.mediaType.isJSON)
                && reply.contents.contains { $0.stream != nil }
        }
        guard !both.isEmpty, verb != "head" else { return [self] }
        var (plain, streaming) = (self, self)
        (plain.form, streaming.form) = (.json, .stream)
        let spans = Set(both.map(\.span))
        for index in replies.indices where spans.contains(replies[index].span) {
            plain.replies[index].contents.removeAll { $0.stream != nil }
            streaming.replies[index].contents.removeAll { $0.stream == nil }
        }
        let others = Set(successes.map(\.span)).subtracting(spans)
        streaming.replies.removeAll { others.contains($0.span) }
        let note = "The reply arrives as a stream."
        streaming.description = [(description ?? summary)?.cleaned, note].compactMap(\.self)
            .joined(separator: "\n\n")
        return [plain, streaming]
    }
}

extension ImportNames.Place {
    /// The places of all operations: a stream beside JSON is named after the method of the JSON.
    static func all(of operations: [OperationDescription], besides own: [Self]) -> [Self] {
        var (rest, taken) = (own[...], Set(own))
        var places: [Self] = []
        for operation in operations {
            guard operation.form == .stream, var place = places.last else {
                if let place = rest.popFirst() { places.append(place) }
                continue
            }
            place.method += "Stream"
            let (name, numbers) = (place.method, 2...)
            var unused = numbers.makeIterator()
            while !taken.insert(place).inserted, let number = unused.next() {
                place.method = "\(name)\(number)"
            }
            places.append(place)
        }
        return places
    }
}

extension OperationTranslator {
    // MARK: The end of a stream

    /// The data of the last event, where a description says so.
    static let end = "[DONE]"

    /// Whether an operation, or what it refers to, says that its events end with a mark.
    func hasEnd(_ operation: OperationDescription) -> Bool {
        var seen: Set<Span> = []
        var open = [(node: operation.node, hops: 0)]
        while let (node, hops) = open.popLast() {
            guard seen.insert(node.span).inserted else { continue }
            if node.kind == .scalar, node.text.contains(ascii: "data: " + Self.end) {
                return true
            }
            if let reference = schemas.files.reference(of: node), hops < 3 {
                open.append((reference.node, hops + 1))
            }
            open += (node.items + node.entries.map(\.value)).map { ($0, hops) }
        }
        return false
    }

    // MARK: The parameter of a stream

    /// Fixes the parameter `stream`, which says whether the reply is a stream, in both methods.
    func addStreamFlag(of operation: OperationDescription, to method: inout DraftMethod) {
        guard operation.form != .whole else { return }
        let value = DraftValue.word(operation.form == .stream ? "true" : "false")
        let flag = DraftField("stream", DraftType(.constant(value)))
        for (place, section) in method.sections.enumerated() where section.name != "path" {
            for (index, field) in section.fields.enumerated() where isFlag(field) {
                method.sections[place].fields[index] = flag
                return
            }
        }
        let body = operation.body.map { fitting($0, operation) }
        guard let content = body?.contents.first(where: { $0.mediaType.isJSON }),
            let schema = content.schema, hasFlag(schema)
        else { return }
        switch method.body?.form {
        case .named? where types.modelReference(schema) != nil:
            let mixins = types.modelReference(schema).map { [types.name(of: $0)] } ?? []
            method.body?.form = .object(DraftObject(mixins: mixins, fields: [flag]))
        case .object(var object)?:
            object.fields.removeAll { $0.name == flag.name }
            object.fields.append(flag)
            method.body?.form = .object(object)
        default: return lose(.streamFlag, at: content.span)
        }
        if operation.form == .stream { method.body?.isOptional = false }
    }

    /// The body with the alternatives that fit the reply, where `stream` tells these apart.
    func fitting(_ body: BodyDescription, _ operation: OperationDescription) -> BodyDescription {
        guard operation.form != .whole else { return body }
        var body = body
        for index in body.contents.indices {
            guard let schema = body.contents[index].schema,
                let alternatives = schemas.target(schema)?.parts.alternatives
            else { continue }
            let fits = alternatives.filter { schema in
                let flag = schemas.facts(schema).object?["stream"].flatMap(schemas.target)
                let values = flag?.parts.values?.map { $0.boolean == true }
                return values?.contains(operation.form == .stream) != false
            }
            guard !fits.isEmpty, fits.count < alternatives.count else { continue }
            var parts = SchemaParts()
            parts.alternatives = fits
            body.contents[index].schema =
                fits.count == 1 ? fits[0] : SchemaDescription(schema.node, parts)
        }
        return body
    }

    private func isFlag(_ field: DraftField) -> Bool {
        guard field.name == "stream" else { return false }
        switch field.type.form {
        case .named("bool"), .constant(.word("true")), .constant(.word("false")): return true
        default: return false
        }
    }

    /// Whether an object, or an alternative of it, has a Boolean `stream`.
    private func hasFlag(_ schema: SchemaDescription) -> Bool {
        let facts = schemas.facts(schema)
        if let flag = facts.object?["stream"] { return schemas.facts(flag).shapes == [.boolean] }
        return (schemas.target(schema)?.parts.alternatives ?? []).contains { schema in
            schemas.facts(schema).object?["stream"].map { schemas.facts($0).shapes } == [.boolean]
        }
    }
}

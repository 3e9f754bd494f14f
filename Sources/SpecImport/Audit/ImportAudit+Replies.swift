import SpecIR

extension ImportAudit {
    /// Compares the successful replies of an operation with those of the methods for it.
    mutating func compareReplies(of operation: DescribedOperation, _ methods: [Method]) {
        guard operation.verb != "head" else { return }
        for reply in description.replies(of: operation) {
            let name = "\(methods[0].apiName) reply"
            let outputs = Self.outputs(of: methods, reply.status)
            let isEmpty = reply.contents.isEmpty || ["204", "205"].contains(reply.status)
            let hasNothing = outputs.contains { Self.mayBeEmpty($0, reply.status) }
            if outputs.isEmpty || isEmpty && !hasNothing {
                add(
                    .otherStatus, at: reply.key, around: reply.spans,
                    "\(name): status \(reply.status) has no reply of its own")
                continue
            }
            for content in isEmpty ? [] : live(reply.contents) {
                // A stream beside JSON has a method of its own.
                let fitting = methods.filter { $0.isStream == (content.media == .stream) }
                let own = Self.outputs(of: fitting, reply.status)
                compare(content, of: reply, with: own.isEmpty ? outputs : own, name: name)
            }
        }
    }

    private static func outputs(of methods: [Method], _ status: String) -> [Output] {
        methods.compactMap { output(of: $0, status) }
    }

    private static func output(of method: Method, _ status: String) -> Output? {
        guard case .statuses(let replies) = method.output else { return method.output }
        return replies.cases.first { "\($0.status)" == status }?.output
    }

    private static func mayBeEmpty(_ output: Output, _ status: String) -> Bool {
        switch output {
        case .nothing, .bytes, .text, .file: true
        case .value(let value): value.isNullable && status == "204"
        case .statuses: false
        }
    }

    private mutating func compare(
        _ content: DescribedContent, of reply: DescribedReply, with outputs: [Output], name: String
    ) {
        let values = outputs.flatMap(\.values)
        let facts = content.schema.map { description.schemas.facts($0, .reply) }
        let isValue = content.media == .json || content.media == .stream
        let step = step(name, at: content.schema, spans: reply.spans + [content.span])
        if isValue, !values.isEmpty {
            guard let facts else { return }
            let written = ValueFacts.union(values.map { spec.facts(of: $0, .reply) })
            return compare(facts, with: written, at: step, direction: .reply)
        }
        let isRaw = outputs.contains { $0 == .bytes || $0 == .text || $0 == .file }
        if !isRaw {
            let kind: ImportReport.Kind = values.isEmpty ? .missingReply : .otherMediaType
            if facts?.kinds.isEmpty == true { return }
            return add(kind, at: content.span, around: reply.spans, name)
        }
        let isStructured = facts.map {
            !$0.isImplied && $0.kinds.isSubset(of: [.object, .array]) && !$0.kinds.isEmpty
        }
        if isStructured == true || isValue && facts?.isBinary != true && facts != nil {
            add(.looser, at: content.span, around: reply.spans, "\(name): bytes or a text")
        }
    }
}

extension Method {
    fileprivate var isStream: Bool {
        if case .stream = operation.kind { true } else { false }
    }
}

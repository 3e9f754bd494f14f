import SpecIR
import SpecSyntax

extension ImportAudit {
    /// Compares the body of an operation with those of the methods for it.
    mutating func compareBody(of operation: DescribedOperation, _ methods: [Method]) {
        guard let body = description.body(of: operation), !body.contents.isEmpty else { return }
        let name = methods[0].apiName + " body"
        for content in live(body.contents) {
            let fitting = methods.filter { Self.fits($0, content.media) }
            guard let method = fitting.first else {
                add(
                    .otherMediaType, at: content.span, around: body.spans,
                    "\(name): the spec has no body of this media type")
                continue
            }
            if method.body == .whole || method.body == .json, !body.spans.isEmpty,
                fitting.allSatisfy({ Self.requiresBody($0) != body.isRequired })
            {
                let side = body.isRequired ? "description" : "spec"
                add(
                    .otherPresence, at: content.span, around: body.spans,
                    "\(name): required only in the \(side)")
            }
            let written = ValueFacts.union(fitting.map(facts(ofBody:)))
            let isText = method.body == .form || method.body == .multipart
            let step = step(name, at: content.schema, spans: body.spans)
            let isRaw =
                [.other, .text].contains(content.media)
                || content.media == .form && method.body == .whole
            if let schema = content.schema, !isRaw {
                var facts = description.schemas.facts(schema, .request)
                explode(&facts, content.encoding, besides: written)
                compare(facts, with: written, at: step, direction: .request, isText: isText)
                compareParts(facts, content: content, method: method, name: name)
            }
            for field in content.fields {
                let written = method.parameters.first { $0.key == field.name }
                guard let written else {
                    add(.missingField, at: field.node.span, "\(name).\(field.name)")
                    continue
                }
                compare(field, with: [written], operation: operation, item: AuditedMethod(method))
                if content.media == .form { compareStyle(of: field, written, name) }
            }
        }
    }

    /// Replaces objects in a form by their fields, which are sent each (`style: form`, exploded).
    private func explode(
        _ facts: inout DescribedSchemas.Facts, _ encoding: YAMLNode?,
        besides written: SpecFacts.Facts
    ) {
        for entry in encoding?.entries ?? [] where written.fields[entry.key.text] == nil {
            guard entry.value.value(of: "style")?.text == "form",
                let place = facts.fields[entry.key.text]?.place
            else { continue }
            let inner = description.schemas.facts(place, .request)
            guard inner.kinds == .object else { continue }
            let isOptional = facts.fields[entry.key.text]?.presence != .required
            facts.fields[entry.key.text] = nil
            for (name, var field) in inner.fields where facts.fields[name] == nil {
                if isOptional { field.presence = .optional }
                facts.fields[name] = field
            }
        }
    }

    /// The contents that are not reported as left out; all if all are reported.
    func live(_ contents: [DescribedContent]) -> [DescribedContent] {
        let live = contents.filter { !reported.leftOut.contains($0.span) }
        return live.isEmpty ? contents : live
    }

    private static func fits(_ method: Method, _ media: MediaClass) -> Bool {
        let whole = method.parameters.first { $0.location == .body }
        return switch (method.body, media) {
        case (.json, .json), (.form, .form), (.multipart, .multipart): true
        case (.whole, .json): whole?.value.type != .file
        case (.whole, _): true
        default: false
        }
    }

    private static func requiresBody(_ method: Method) -> Bool {
        method.parameters.first { $0.location == .body }?.isRequired ?? true
    }

    private func facts(ofBody method: Method) -> SpecFacts.Facts {
        let places: [Parameter.Location] = [.json, .form, .part]
        if let whole = method.parameters.first(where: { $0.location == .body }) {
            return spec.facts(of: whole.value, .request)
        }
        return spec.facts(of: method.parameters.filter { places.contains($0.location) })
    }

    /// Compares how the fields of a form or the parts of a body are sent.
    private mutating func compareParts(
        _ facts: DescribedSchemas.Facts, content: DescribedContent, method: Method,
        name: String
    ) {
        guard method.body == .form || method.body == .multipart else { return }
        for written in method.parameters where [.form, .part].contains(written.location) {
            guard let place = facts.fields[written.key]?.place else { continue }
            let encoding = content.encoding?.value(of: written.key)
            var parameter = DescribedParameter(
                node: encoding ?? content.encoding ?? content.first(place),
                spans: description.schemas.spans(of: place), place: "", name: written.key)
            if method.body == .form {
                let style = encoding?.value(of: "style")?.text
                parameter.isDeep = style == "deepObject"
                parameter.style = DescriptionFacts.style(
                    style, explode: encoding?.value(of: "explode")?.boolean)
                compareStyle(of: parameter, written, "\(name).\(written.key)")
                continue
            }
            let type = encoding?.value(of: "contentType")?.text
            if let type, MediaClass(type) == .json, written.listStyle != .json {
                add(
                    .otherStyle, at: parameter.node.span, around: parameter.spans,
                    "\(name).\(written.key): the part is no JSON")
            }
            let own = description.schemas.facts(place, .request)
            let element = own.items.map { description.schemas.facts($0, .request) }
            if own.isBinary || element?.isBinary == true, !Self.isFile(written.value) {
                let span = parameter.spans.first ?? parameter.node.span
                add(.notAFile, at: span, "\(name).\(written.key): a text")
            }
        }
    }

    private static func isFile(_ value: Value) -> Bool {
        if case .list(let element) = value.type { return isFile(element) }
        return value.type == .file || value.type == .bytes()
    }
}

extension DescribedContent {
    /// The first schema of a place.
    fileprivate func first(_ place: FactPlace<DescribedSchemas.Node>) -> YAMLNode {
        switch place {
        case .one(let node): node.yaml
        case .all(let places), .any(let places): first(places[0])
        }
    }
}

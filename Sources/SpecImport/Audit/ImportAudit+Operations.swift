import SpecDiagnostics
import SpecIR
import SpecSyntax

/// A method of the spec with what tells it apart.
struct AuditedMethod {
    let method: Method
    let shape: PathShape
    /// The query that is the same in all requests.
    let constants: [String: String]

    init(_ method: Method) {
        self.method = method
        shape = PathShape(method.path)
        var constants: [String: String] = [:]
        for parameter in method.parameters where parameter.location == .query {
            if case .constant(.string(let text)) = parameter.presence {
                constants[parameter.key] = text
            }
        }
        self.constants = constants
    }

    var group: Substring { method.apiName.prefix { $0 != "." } }

    var key: String { method.verb.rawValue.lowercased() + " " + shape.text }
}

extension ImportAudit {
    /// Compares each operation with the methods for it.
    mutating func compareOperations() {
        let methods = Dictionary(
            grouping: api.groups.flatMap(\.methods).map(AuditedMethod.init), by: \.key)
        let shapes = description.operations.map { PathShape($0.path) }
        let keys = zip(description.operations, shapes).map { operation, shape in
            let plain = operation.verb.lowercased() + " " + shape.text
            return methods[plain] == nil
                ? operation.verb.lowercased() + " " + styled(shape, of: operation) : plain
        }
        let groups = zip(zip(keys, shapes), description.operations).map { place, operation in
            let constants = place.1.constants.map { "\($0.key)=\($0.value)" }.sorted()
            return ([place.0, Self.letters(operation.tag)] + constants).joined(separator: " ")
        }
        let counts = Dictionary((keys + groups).map { ($0, 1) }, uniquingKeysWith: +)
        var ordinals: [String: Int] = [:]
        for (index, operation) in description.operations.enumerated() {
            let (shape, key, group) = (shapes[index], keys[index], groups[index])
            var found = methods[key] ?? []
            if counts[key] != 1 {
                let closest = Self.closest(to: shape, among: found)
                let own = closest.filter { Self.letters($0.group) == Self.letters(operation.tag) }
                let before = ordinals[group, default: 0]
                ordinals[group] = before + 1
                // The methods of a group are in the order of the operations.
                found = own.isEmpty ? closest : own.count == counts[group] ? [own[before]] : own
            }
            guard !found.isEmpty else {
                add(
                    .missingOperation, at: operation.key,
                    around: [operation.node.span, operation.pathKey],
                    "\(operation.verb) \(operation.path)")
                continue
            }
            compareParameters(of: operation, shape, found)
            let methods = found.map(\.method)
            compareBody(of: operation, methods)
            compareReplies(of: operation, methods)
            compareSecurity(of: operation, methods)
            compareServer(of: operation, methods)
        }
    }

    private static func letters(_ text: some StringProtocol) -> String {
        text.lowercased().filter(\.isLetter)
    }

    /// The methods for one of several operations whose paths have one shape.
    private static func closest(
        to shape: PathShape, among methods: [AuditedMethod]
    ) -> [AuditedMethod] {
        let fits = { (item: AuditedMethod) in
            shape.constants.allSatisfy { item.constants[$0.key] == $0.value }
        }
        let fitting = methods.filter(fits)
        let fewest = fitting.map(\.constants.count).min()
        let plain = fitting.filter { $0.constants.count == fewest }
        let named = plain.filter { $0.shape.names == shape.names }
        return named.isEmpty ? plain : named
    }

    /// The shape of a path in which the signs of the styles of its parameters are written out.
    private func styled(_ shape: PathShape, of operation: DescribedOperation) -> String {
        let parts = shape.text.split(separator: "{}", omittingEmptySubsequences: false)
        let parameters = description.parameters(of: operation)
        return zip(parts, shape.names + [""]).map { part, name -> String in
            let parameter = parameters.first { $0.place == "path" && $0.name == name }
            let sign = parameter.map(Self.sign) ?? ""
            return "\(part)\(sign)\(name.isEmpty ? "" : "{}")"
        }.joined()
    }

    /// What the style of a parameter of the path writes before its value.
    private static func sign(of parameter: DescribedParameter) -> String {
        switch parameter.node.value(of: "style")?.text {
        case "matrix": ";\(parameter.name)="
        case "label": "."
        default: ""
        }
    }

    // MARK: Parameters

    private mutating func compareParameters(
        of operation: DescribedOperation, _ shape: PathShape, _ methods: [AuditedMethod]
    ) {
        for parameter in description.parameters(of: operation) {
            switch parameter.place {
            case "body", "formData": continue
            case "header" where isDescribedElsewhere(parameter, methods.map(\.method)): continue
            default: break
            }
            if isToken(parameter, of: methods.map(\.method)) { continue }
            let found = methods.compactMap { counterpart(of: parameter, shape, in: $0) }
            if found.isEmpty {
                compareExploded(parameter, of: operation, methods)
            } else {
                compare(parameter, found, operation, methods[0])
            }
        }
    }

    /// Whether a header field is one that parameters do not describe (OpenAPI 3.1, 4.8.12).
    private func isDescribedElsewhere(
        _ parameter: DescribedParameter, _ methods: [Method]
    ) -> Bool {
        switch parameter.name.lowercased() {
        case "accept", "content-type": true
        case "authorization": methods.contains { $0.auth != .none } && api.auth != nil
        default: false
        }
    }

    private func counterpart(
        of parameter: DescribedParameter, _ shape: PathShape, in item: AuditedMethod
    ) -> Parameter? {
        let all = item.method.parameters + api.baseParameters
        switch parameter.place {
        case "path":
            let name = PathShape.name(in: parameter.name)
            guard let index = shape.names.firstIndex(where: { $0 == name }),
                index < item.shape.names.count
            else { return nil }
            return all.first { $0.location == .path && $0.key == item.shape.names[index] }
        case "query": return all.first { $0.location == .query && $0.key == parameter.name }
        case "header":
            let name = parameter.name.lowercased()
            return all.first { $0.location == .header && $0.key.lowercased() == name }
        default: return nil
        }
    }

    /// An object in a query may be a parameter for each of its fields.
    private mutating func compareExploded(
        _ parameter: DescribedParameter, of operation: DescribedOperation,
        _ methods: [AuditedMethod]
    ) {
        let facts = parameter.schema.map { description.schemas.facts($0, .request) }
        let fields = parameter.place == "query" ? facts?.fields ?? [:] : [:]
        let written = methods.flatMap(\.method.parameters).filter { $0.location == .query }
        let missing = fields.filter { field in
            !field.value.isHidden && !written.contains { $0.key == field.key }
        }
        guard fields.isEmpty || !missing.isEmpty else { return }
        let names = fields.isEmpty || missing.count == fields.count ? "" : missing.keys.sorted()[0]
        for span in parameter.spans.dropLast() where reported.isInside(span) { return }
        add(
            .missingParameter, at: parameter.node.span, around: [operation.node.span],
            "\(methods[0].method.apiName) \(parameter.place).\(parameter.name)\(names)")
    }

    private mutating func compare(
        _ parameter: DescribedParameter, _ found: [Parameter], _ operation: DescribedOperation,
        _ item: AuditedMethod
    ) {
        let name = "\(item.method.apiName) \(parameter.place).\(parameter.name)"
        let place = (span: parameter.node.span, around: [operation.node.span])
        let written = found[0]
        if found.allSatisfy({ $0.isRequired != parameter.isRequired }) {
            let side = parameter.isRequired ? "description" : "spec"
            add(
                .otherPresence, at: place.span, around: place.around,
                "\(name): required only in the \(side)")
        }
        if let schema = parameter.schema {
            let step = step(name, schema, parameter.spans)
            let facts = ValueFacts.union(found.map { spec.facts(of: $0.value, .request) })
            compare(
                description.schemas.facts(schema, .request), facts, at: step, .request,
                isText: written.listStyle != .json)
        }
        if parameter.place == "query" || parameter.isPlainContent {
            compareStyle(of: parameter, written, name)
        }
        guard parameter.place == "path" else { return }
        let sign = Self.sign(of: parameter)
        if !sign.isEmpty, !item.method.path.contains(sign + "{" + written.key + "}") {
            add(.otherStyle, at: place.span, "\(name): `\(sign)` is not in the path")
        }
        if PathShape(operation.path).greedy.contains(written.key),
            !item.shape.greedy.contains(written.key)
        {
            add(.otherPath, at: place.span, around: place.around, "\(name): keeps its slashes")
        }
    }

    private mutating func compareStyle(
        of parameter: DescribedParameter, _ written: Parameter, _ name: String
    ) {
        var (isList, isObject) = (false, false)
        switch written.value.type {
        case .list: isList = true
        case .map, .object: isObject = true
        default: break
        }
        let deep: [ListStyle] = [.deep, .brackets, .indexed]
        let isEqual =
            parameter.isPlainContent
            ? written.listStyle != .json
            : parameter.isDeep
                ? !(isList || isObject) || deep.contains(written.listStyle)
                : !isList || parameter.style == nil || parameter.style == written.listStyle
        if !isEqual {
            add(
                .otherStyle, at: parameter.node.span, around: parameter.spans,
                "\(name): sent as \(written.listStyle)")
        }
    }

    // MARK: Bodies

    private mutating func compareBody(of operation: DescribedOperation, _ methods: [Method]) {
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
            let step = step(name, content.schema, body.spans)
            let isRaw =
                [.other, .text].contains(content.media)
                || content.media == .form && method.body == .whole
            if let schema = content.schema, !isRaw {
                var facts = description.schemas.facts(schema, .request)
                explode(&facts, content.encoding, besides: written)
                compare(facts, written, at: step, .request, isText: isText)
                compareParts(facts, content, method, name)
            }
            for field in content.fields {
                let written = method.parameters.first { $0.key == field.name }
                guard let written else {
                    add(.missingField, at: field.node.span, "\(name).\(field.name)")
                    continue
                }
                compare(field, [written], operation, AuditedMethod(method))
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
    private func live(_ contents: [DescribedContent]) -> [DescribedContent] {
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
        _ facts: DescribedSchemas.Facts, _ content: DescribedContent, _ method: Method,
        _ name: String
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
        return value.type == .file || value.type == .bytes
    }

    // MARK: Replies

    private mutating func compareReplies(of operation: DescribedOperation, _ methods: [Method]) {
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
                compare(content, reply, own.isEmpty ? outputs : own, name)
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
        _ content: DescribedContent, _ reply: DescribedReply, _ outputs: [Output], _ name: String
    ) {
        let values = outputs.flatMap(\.values)
        let facts = content.schema.map { description.schemas.facts($0, .reply) }
        let isValue = content.media == .json || content.media == .stream
        let step = step(name, content.schema, reply.spans + [content.span])
        if isValue, !values.isEmpty {
            guard let facts else { return }
            let written = ValueFacts.union(values.map { spec.facts(of: $0, .reply) })
            return compare(facts, written, at: step, .reply)
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

extension DescribedContent {
    /// The first schema of a place.
    fileprivate func first(_ place: FactPlace<DescribedSchemas.Node>) -> YAMLNode {
        switch place {
        case .one(let node): node.yaml
        case .all(let places), .any(let places): first(places[0])
        }
    }
}

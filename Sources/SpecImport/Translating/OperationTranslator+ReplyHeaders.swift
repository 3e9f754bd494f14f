import SpecSemantics
import SpecSyntax

/// Translates header fields of replies.
extension OperationTranslator {
    /// Header fields that only browsers use.
    private static let ofBrowsers: Set<String> = [
        "content-security-policy", "content-security-policy-report-only", "x-frame-options",
        "x-xss-protection", "x-content-type-options", "strict-transport-security",
        "referrer-policy", "permissions-policy", "feature-policy",
    ]

    /// Adds the typed header fields of all replies; those that one lacks are optional.
    func addHeaders(_ replies: [ReplyDescription], to method: inout DraftMethod) {
        let isWhole = method.settings["stream"] == nil
        var seen: [String: YAMLNode] = [:]
        for header in replies.flatMap(\.headers) {
            let name = header.name.lowercased()
            if ["content-type", "content-length", "transfer-encoding"].contains(name) { continue }
            if let first = seen.updateValue(seen[name] ?? header.node, forKey: name) {
                let isSame = TypeTranslator.shown(first) == TypeTranslator.shown(header.node)
                if !isSame { lose(.replyHeader, header.name, at: header.node.span) }
                continue
            }
            if name.contains("ratelimit") || name.contains("rate-limit") || name == "retry-after" {
                lose(.rateHeader, header.name, at: header.node.span)
            } else if name.hasPrefix("access-control-") || name.hasPrefix("cross-origin-")
                || Self.ofBrowsers.contains(name)
            {
                lose(.browserHeader, header.name, at: header.node.span)
            } else if isWhole, HeaderName.isValid(header.name),
                var field = field(header, besides: method.replyHeaders)
            {
                let isInAll = replies.allSatisfy { reply in
                    reply.headers.contains { $0.name.lowercased() == name && $0.isRequired }
                }
                if !isInAll, field.type.attributes["link"] == nil { field.type.isOptional = true }
                method.replyHeaders.append(field)
            } else {
                lose(.replyHeader, header.name, at: header.node.span)
            }
        }
    }

    /// A typed header field; nil for a value that is more than a text or a list of texts.
    private func field(
        _ header: ParameterDescription, besides others: [DraftField]
    ) -> DraftField? {
        let name = header.name
        let words = SwiftNamer.words(name).filter { $0.lowercased() != "x" }
        guard header.mediaType?.essence.isJSON != true, isText(header.schema),
            let short = types.namer.lowerCamel(words.joined(separator: "-"))
        else { return nil }
        let taken = Set(others.map(\.name))
        if name.lowercased() == "link", !taken.contains("next") {
            // `next` is the relation that lists have (RFC 8288).
            let link = DraftEntry("link", .text("next"))
            return DraftField("next", DraftType(.named(""), [link]))
        }
        let long = types.namer.lowerCamel(name) ?? short
        let names = [short, long] + (2...taken.count + 2).map { "\(short)\($0)" }
        let own = names.first { !taken.contains($0) } ?? short
        var type = type(of: header)
        type.isOptional = !header.isRequired
        if own != name { type.attributes.append(DraftEntry("key", .text(name))) }
        if let doc = header.description?.cleaned, !doc.isEmpty { types.addDoc(doc, to: &type) }
        return DraftField(own, type)
    }

    private func type(of header: ParameterDescription) -> DraftType {
        if schemas.facts(header.schema).shapes == [.any] { return .named("string") }
        let type = types.chosen(textType(header.schema, in: "header").bare)
        if Self.dates.contains(header.name.lowercased()) { return type }
        if isDate(header.schema) { return Self.date }
        if case .list = type.form, let item = schemas.target(header.schema)?.parts.items.first,
            isDate(item)
        {
            return .list(Self.date)
        }
        return type
    }

    /// Without a form, dates in header fields have that of HTTP (RFC 9110, section 5.6.7), as those
    /// of the standard fields do, whatever a description says.
    private static let date = DraftType.named("Date", [DraftEntry("as", .text("date-time"))])
    private static let dates: Set<String> = ["date", "expires", "last-modified", "sunset"]

    private func isDate(_ schema: SchemaDescription) -> Bool {
        let target = schemas.target(schema)
        return target?.kinds == [.string] && target?.parts.format == "date-time"
    }

    /// Whether a header field's value is a text, a number, a Boolean, or a list of these.
    private func isText(_ schema: SchemaDescription, inList: Bool = false) -> Bool {
        let shapes = schemas.facts(schema).shapes
        guard let target = schemas.target(schema) else { return false }
        if shapes == [.array], !inList {
            return target.parts.items.count == 1 && isText(target.parts.items[0], inList: true)
        }
        let isChoice = target.parts.values != nil || target.choices != nil
        if isChoice { return shapes == [.string] }
        return shapes == [.any] && target.parts.isEmpty
            || shapes.count == 1 && shapes.isSubset(of: [.string, .number, .boolean])
    }
}

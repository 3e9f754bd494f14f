import SpecDiagnostics

/// Parses `pages`.
extension Parser {
    /// The keys of the five forms, and the keys that belong to one of them.
    private static let forms = ["offset", "page", "send", "next", "merge"]
    private static let companions = ["total": "offset", "last": "page", "take": "send"]

    /// `{ items, offset, total }`, `{ items, page, last }`, `{ items, send, take }`, `{ items, next }`
    /// or `{ items, merge }`, each with `more`.
    mutating func pages(_ entry: YAMLEntry) -> PagesSyntax? {
        let (node, known) = (entry.value, bag.errorCount)
        var keys: [String: YAMLEntry] = [:]
        visit(node, as: .pages, help: Self.formsHelp) { _, key, entry in
            keys[key] = entry
            return MappingSchema.pages.keys.contains(key)
        }
        guard bag.errorCount == known,
            let items = required("items", of: entry, keys)?.value
        else { return nil }
        let forms = Self.forms.compactMap { keys[$0]?.key }
        if forms.count > 1 { reportConflict(forms[1].located, with: forms[0].located) }
        for (key, form) in Self.companions.sorted(by: { $0.key < $1.key }) {
            guard let companion = keys[key], keys[form] == nil else { continue }
            bag.report(
                .missingKey, "`\(key)` belongs to `\(form)`", at: companion.key.span,
                help: "add `\(form)`, or remove `\(key)`")
        }
        guard let form = forms.first else {
            if bag.errorCount == known {
                bag.report(
                    .missingKey, "`pages` does not say how a page is found", at: entry.key.span,
                    help: Self.formsHelp)
            }
            return nil
        }
        let isBody = items.kind == .scalar && items.text == "$body"
        let path =
            isBody ? Located([], at: items.span) : keyPath(items, expecting: "a path or `$body`")
        if !isBody, let path, path.value.isEmpty {
            bag.report(
                .badKeyPath, "this path leads to no list", at: items.span,
                help: "if the reply itself is the list, write `items: $body`")
            return nil
        }
        guard let path, let parsed = self.form(form.text, of: entry, keys) else { return nil }
        let more = keys["more"].flatMap { valuePath($0.value) }
        guard bag.errorCount == known else { return nil }
        return PagesSyntax(span: entry.key.span, node: node, items: path, form: parsed, more: more)
    }

    private static let formsHelp =
        "write `items` with `offset`, `page`, `send` and `take`, `next`, or `merge`: "
        + "`pages: { items: items, offset: offset }`"

    private mutating func required(
        _ key: String, of pages: YAMLEntry, _ keys: [String: YAMLEntry]
    ) -> YAMLEntry? {
        if let entry = keys[key] { return entry }
        let what = key == "items" ? "the list, or `$body`" : "what the next call sends"
        bag.report(
            .missingKey, "`pages` has no `\(key)`", at: pages.key.span,
            help: "add `\(key)`: the path of \(what)")
        return nil
    }

    private mutating func form(
        _ key: String, of pages: YAMLEntry, _ keys: [String: YAMLEntry]
    ) -> PagesSyntax.Form? {
        guard let node = keys[key]?.value else { return nil }
        switch key {
        case "next" where node.kind == .mapping:
            var relation: Located<String>?
            visit(node, as: .nextPage) { parser, key, entry in
                guard key == "link" else { return false }
                relation = parser.text(entry.value, expecting: "the relation of a link")
                return true
            }
            if node.entries.isEmpty {
                bag.report(
                    .missingKey, "`next` has no `link`", at: node.span,
                    help: "add the relation: `next: { link: next }`")
            }
            return relation.map { .link($0) }
        case "next": return valuePath(node).map { .address($0) }
        case "merge": return valuePath(node).map { .merge($0) }
        case "send":
            guard let take = required("take", of: pages, keys),
                let send = text(node, expecting: "a parameter's name"),
                let taken = self.take(take.value)
            else { return nil }
            return .token(send: send, take: taken)
        default:
            guard let name = text(node, expecting: "a parameter's name") else { return nil }
            let count = (keys["total"] ?? keys["last"]).flatMap { valuePath($0.value) }
            return key == "page" ? .page(name, last: count) : .offset(name, total: count)
        }
    }

    /// The path of a value in the reply, or in an item.
    private mutating func valuePath(_ node: YAMLNode) -> Located<[String]>? {
        let known = bag.errorCount
        let path = keyPath(
            node, expecting: "the path of a value in the reply", listHelp: NearMisses.pageInList)
        return bag.errorCount == known ? path : nil
    }

    private mutating func take(_ node: YAMLNode) -> PagesSyntax.Take? {
        guard node.kind == .mapping else { return valuePath(node).map { .path($0) } }
        var (take, known) = (PagesSyntax.Take?.none, bag.errorCount)
        visit(node, as: .pageTake) { parser, key, entry in
            switch key {
            case "header":
                take = parser.text(entry.value, expecting: "the name of a header").map {
                    .header($0)
                }
            case "last": take = parser.valuePath(entry.value).map { .last($0) }
            default: return false
            }
            return true
        }
        if bag.errorCount == known, node.entries.count != 1 {
            bag.report(
                .missingKey, "`take` has either `header` or `last`", at: node.span,
                help: "write `take: { header: X-Next-Page }` or `take: { last: id }`")
        }
        return bag.errorCount == known ? take : nil
    }
}

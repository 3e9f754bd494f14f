import SpecIR
import SpecSemantics
import Testing

@Suite("`pages`")
struct PagesSpecTests {
    private func analysis(
        _ pages: String, returns: String = "Wall", method: String = "get: a", more: String = ""
    ) -> Analysis {
        Analysis(
            users: """
                methods:
                  users.get:
                    \(method)
                    query:
                      offset: { type: int, default: 0 }
                      page: int?
                      after: string?
                      id: int
                      v: { const: 5 }
                      day: Date?
                      words: { type: "{string: int}?", style: json }
                      any: { type: json, style: json, optional: true }
                    returns: \(returns)
                    pages: \(pages)
                \(more)
                models:
                  Wall:
                    count: int
                    isCut: bool?
                    size: uint
                    posts: [Post]
                    byID: { type: "{string: Post}" }
                    byKind: { type: "{Kind: Post}" }
                    extra: json
                    city: { type: "[Post]?", at: place.cities }
                    paging: { next: string?, last: int?, address: url?, more: "{string: string}?" }
                    "@odata.nextLink": string?
                    words: { type: "{string: json}?" }
                  Post: { text: string? }
                  Kind: { enum: [post, photo] }

                """)
    }

    private func rules(_ pages: String, returns: String = "Wall") throws -> PageRules {
        let analysis = analysis(pages, returns: returns)
        return try #require(analysis.method("users.get")?.pages, "\(analysis.rendered)")
    }

    // MARK: Mistakes

    @Test(
        "`pages` are refused where they do not fit the reply, the parameters or each other",
        arguments: [
            // Keys.
            ("{ offset: offset }", "T0103: pages"), ("{ items: posts }", "T0103: pages"),
            ("{ items: posts, offset: offset, page: page }", "T0105: page"),
            ("{ items: posts, offset: offset, last: count }", "T0103: last"),
            ("{ items: posts, page: page, total: count }", "T0103: total"),
            ("{ items: posts, send: after }", "T0103: pages"),
            ("{ items: posts, take: paging.next }", "T0103: take"),
            ("{ items: posts, offset: offset, limit: count }", "T0101: limit"),
            ("{ items: posts, next: { lnik: next } }", "T0101: lnik"),
            ("{ items: none, offset: offset }", "T0111: none"),
            ("[posts]", "T0102: [posts]"), ("", "T0103: pages"), ("{}", "T0103: pages"),
            ("{ items: posts, next: {} }", "T0103: {}"),
            ("{ items: posts, send: after, take: {} }", "T0103: {}"),
            (
                "{ items: posts, send: after, take: { header: X, last: id } }",
                "T0103: { header: X, last: id }"
            ),
            ("{ items: posts, send: after, take: { head: X } }", "T0101: head"),
            ("{ items: posts, more: size }", "T0103: pages"),
            // The reply.
            ("{ items: psots, offset: offset }", "T0341: psots"),
            ("{ items: count, offset: offset }", "T0341: count"),
            ("{ items: $body, offset: offset }", "T0341: $body"),
            ("{ items: extra.a, offset: offset }", "T0341: extra.a"),
            ("{ items: byKind, offset: offset }", "T0341: byKind"),
            ("{ items: byID.a, offset: offset }", "T0341: byID.a"),
            ("{ items: place, offset: offset }", "T0341: place"),
            ("{ items: posts, offset: offset, total: paging.next }", "T0341: paging.next"),
            ("{ items: posts, page: page, last: size }", "T0341: size"),
            ("{ items: posts, send: after, take: posts }", "T0341: after"),
            ("{ items: posts, next: count }", "T0341: count"),
            ("{ items: posts, next: \"@odata.nextLink\" }", "T0341: \"@odata.nextLink\""),
            ("{ items: posts, merge: paging }", "T0341: paging"),
            ("{ items: posts, merge: words }", "T0341: words"),
            ("{ items: posts, send: after, take: { last: texd } }", "T0341: texd"),
            ("{ items: posts, send: after, take: { header: \"a b\" } }", "T0505: \"a b\""),
            ("{ items: byID, send: after, take: { last: text } }", "T0341: text"),
            ("{ items: posts, offset: offset, more: count }", "T0341: count"),
            // The parameters.
            ("{ items: posts, send: after, take: words }", "T0341: after"),
            ("{ items: posts, send: words, take: words }", "T0341: words"),
            ("{ items: posts, send: any, take: { header: X } }", "T0341: any"),
            ("{ items: posts, send: after, take: extra }", "T0341: after"),
            ("{ items: posts, offset: ofset }", "T0512: ofset"),
            ("{ items: posts, page: id }", "T0341: id"), ("{ items: posts, page: v }", "T0341: v"),
            ("{ items: posts, offset: after }", "T0341: after"),
            ("{ items: posts, send: page, take: paging.next }", "T0341: page"),
            ("{ items: posts, send: day, take: paging.next }", "T0341: day"),
        ])
    func refused(pages: String, mark: String) {
        let analysis = analysis(pages)
        #expect(analysis.marks == [mark], "\(analysis.rendered)")
    }

    @Test("`pages` name the remedy")
    func help() {
        let remedies = [
            "{ items: psots, offset: offset }": "did you mean `posts`?",
            "{ items: posts, offset: ofset }": "did you mean `offset`?",
            "{ items: posts, page: id }": "make it optional, `int?`, or give it a default",
            "{ items: posts, next: \"@odata.nextLink\" }":
                "a key with a dot is an item of a list: `[\"@odata.nextLink\"]`",
        ]
        for (pages, help) in remedies {
            #expect(analysis(pages).bag.all.first?.help == help)
        }
    }

    @Test(
        "`pages` need one JSON value",
        arguments: [
            ("get: a, stream: sse", "Wall"), ("head: a", "nothing"), ("get: a", "text"),
            ("get: a", "{ 200: Wall, 204: nothing }"), ("get: a, kind: download", "file"),
        ])
    func replies(method: String, returns: String) {
        let lines = method.split(separator: ", ").joined(separator: "\n    ")
        let analysis = analysis(
            "{ items: posts, offset: offset }", returns: returns, method: lines)
        #expect(analysis.marks.contains("T0341: pages"), "\(analysis.rendered)")
    }

    @Test("`pages` lead where a reply says only by `get`")
    func follow() {
        for form in ["next: { link: next }", "next: paging.next", "merge: paging.more"] {
            let analysis = analysis("{ items: posts, \(form) }", method: "post: a")
            #expect(analysis.marks == ["T0341: post"])
        }
    }

    @Test("`pages` have a function of their own, whose name no other method has")
    func collision() {
        let analysis = analysis(
            "{ items: posts, offset: offset }", more: "  users.get_pages: { get: b }")
        #expect(analysis.codes == ["T0701"], "\(analysis.rendered)")
    }

    @Test("`pages` belong to methods")
    func place() {
        let analysis = Analysis(users: "pages: { items: posts }\nmethods: { get: { get: a } }\n")
        #expect(analysis.marks == ["T0101: pages"])
        #expect(analysis.bag.all.first?.help == "set it for each method")
    }

    // MARK: Meaning

    @Test("`pages` know the fields that lead to a value")
    func fields() throws {
        let rules = try rules("{ items: place.cities, send: after, take: paging.last }")
        #expect(rules.items.fields.map(\.name) == ["city"] && rules.parameter == "after")
        guard case .token(_, let token) = rules.form else { return #expect(Bool(false)) }
        #expect(token.fields.map(\.name) == ["paging", "last"])
    }

    @Test("`pages` may have the value itself as list, an address under a dotted key, and a map")
    func forms() throws {
        let body = try rules("{ items: $body, page: page }", returns: "[Post]")
        #expect(body.items.fields.isEmpty && body.form == .page(parameter: "page", last: nil))
        let address = try rules("{ items: byID, next: [\"@odata.nextLink\"] }")
        guard case .address(let place) = address.form else { return #expect(Bool(false)) }
        #expect(place.fields.map(\.key) == ["@odata.nextLink"])
        #expect(try rules("{ items: posts, next: { link: next } }").form == .link("next"))
    }

    @Test("`pages` may have a token in a header field, the last item or any JSON, and a last page")
    func tokens() throws {
        let header = try rules("{ items: posts, send: after, take: { header: X-Next } }")
        #expect(header.form == .headerToken(parameter: "after", name: "X-Next"))
        let item = try rules("{ items: posts, send: after, take: { last: text }, more: isCut }")
        guard case .lastItem("after", let token) = item.form else { return #expect(Bool(false)) }
        #expect(token.fields.map(\.name) == ["text"] && item.more?.fields.count == 1)
        let json = try rules("{ items: posts, send: any, take: extra }")
        guard case .token("any", let any) = json.form else { return #expect(Bool(false)) }
        #expect(any.value.type == .json)
    }

    @Test("`pages` are explained")
    func explained() {
        let spec = analysis("{ items: $body, next: { link: next } }").spec
        let values = SpecAnalyzer.explain("users.get", in: spec)?.values
        #expect(
            values?.first { $0.name == "pages" }?.value == "{items: $body, next: {link: next}}")
    }
}

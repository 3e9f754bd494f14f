import SpecIR
import Testing

@Suite("A value of `extract`")
struct ExtractionSpecTests {
    private func analysis(
        _ extract: String, returns: String = "Wall", method: String = "get: a"
    ) -> Analysis {
        Analysis(
            users: """
                methods: { users.get: { \(method), returns: \(returns), extract: { \(extract) } } }
                models:
                  Wall:
                    count: { type: int, min: 0 }
                    posts: [Post]
                    pinned: Post?
                    extra: json
                    city: { type: string, at: place.city }
                    byID: { type: "{string: Post}" }
                    password: string
                  Post: { text: string?, kind: Kind, at: Date }
                  Kind: { enum: [post, photo] }

                """)
    }

    @Test(
        "a value of `extract` is refused where it does not fit the reply",
        arguments: [
            ("a: cuont", "T0340: cuont"), ("a: count.b", "T0340: count.b"),
            ("a: posts.text", "T0340: posts.text"), ("a: \"pinned[0]\"", "T0340: \"pinned[0]\""),
            ("a: \"[0]\"", "T0340: \"[0]\""), ("a: place.town", "T0340: place.town"),
            ("a: place", "T0340: place"), ("a: none", "T0340: none"),
            ("a: extra.b", "T0340: extra.b"), ("a: \"posts[*].txt\"", "T0340: \"posts[*].txt\""),
            ("a: { at: count, type: string }", "T0340: string"),
            ("a: { at: count, type: bool }", "T0340: bool"),
            ("a: { at: \"posts[*].text\", type: string }", "T0340: string"),
            ("a: { at: \"posts[*].text\", type: \"[string]?\" }", "T0340"),
            ("a: { at: \"posts[*].text\", type: { type: [string], min-items: 1 } }", "T0340"),
            ("a: { at: count, type: Cuont }", "T0201: Cuont"),
            ("a: { type: int }", "T0103: a"), ("a: { at: count, min: 1 }", "T0101: min"),
            ("a: \"posts[].text\"", "T0111: posts[]"), ("a_b: count, aB: count", "T0701: aB"),
        ])
    func refused(extract: String, mark: String) {
        let analysis = analysis(extract)
        #expect(analysis.marks.contains { $0.hasPrefix(mark) }, "\(analysis.rendered)")
    }

    @Test("a wrong key has the key that was meant in its help")
    func help() {
        #expect(analysis("a: \"posts[0].txet\"").bag.all.first?.help == "did you mean `text`?")
    }

    @Test(
        "a value of `extract` needs a whole reply in memory",
        arguments: [
            ("get: a, stream: sse", "Wall"), ("head: a", "nothing"),
            ("get: a, kind: download", "file"),
        ])
    func replies(method: String, returns: String) {
        let analysis = analysis(
            "a: { at: b, type: int }", returns: returns, method: method)
        #expect(analysis.marks.contains("T0340: a"), "\(analysis.rendered)")
    }

    private func lowered(_ extract: String, returns: String = "Wall") throws -> Extraction {
        let analysis = analysis(extract, returns: returns)
        return try #require(
            analysis.group?.methods.first?.extractions.first, "\(analysis.rendered)")
    }

    @Test("a value of `extract` has the type and the rules of the reply's model")
    func derived() throws {
        let count = try lowered("a: count")
        #expect(count.value.type == .integer(.int, from: .native) && !count.mayMiss)
        #expect(count.value.rules.count == 1 && count.container == nil)
        let text = try lowered("a: { at: \"posts[-1].text\", doc: The last. }")
        #expect(text.path == [.key("posts"), .index(-1), .key("text")])
        #expect(text.value.type == .string(from: .native) && text.mayMiss)
        #expect(text.documentation.text == "The last.")
        let deep = try lowered("a: place.city")
        #expect(deep.value.type == .string(from: .native) && !deep.mayMiss)
        #expect(try lowered("a: byID.x.kind").mayMiss)
        #expect(try lowered("a: pinned.at").mayMiss)
    }

    @Test("a value of `extract` is a list of the values of each element")
    func lists() throws {
        let kinds = try lowered("a: \"posts[*].kind\"")
        #expect(kinds.isList && !kinds.mayMiss)
        #expect(kinds.value.type == .enumeration("Kind", isInteger: false))
        let declared = try lowered("a: { at: \"posts[*].kind\", type: [string] }")
        #expect(declared.value.type == .string(from: .native))
    }

    @Test("a value of `extract` has a type of its own where the reply has no model")
    func declared() throws {
        let free = try lowered("a: { at: extra.b, type: string? }")
        #expect(free.mayMiss && !free.value.isNullable)
        #expect(try !lowered("a: { at: b.c, type: int }", returns: "nothing").mayMiss)
        #expect(try lowered("a: { at: b.c, type: int | null }", returns: "bytes").mayMiss)
    }

    @Test("a value of `extract` is also read from the container under the last key before it")
    func containers() throws {
        let text = try lowered("a: \"posts[0].text\"")
        #expect(
            text.container?.key == "posts" && text.container?.path == [.index(0), .key("text")])
        #expect(text.containerLabel == "inGetFromPosts" && text.replyLabel == "inGet")
    }

    @Test("a value of `extract` is hidden in errors if it is a secret")
    func secrets() throws {
        #expect(try lowered("a: password").isSensitive)
        #expect(try lowered("a: { at: extra.api_key, type: string }").isSensitive)
        #expect(try !lowered("a: count").isSensitive)
    }
}

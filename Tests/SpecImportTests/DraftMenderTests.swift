import Testing

@testable import SpecImport

@Suite("A draft that does not compile is mended")
struct DraftMenderTests {
    private func draft(_ change: (inout DraftGroup) -> Void) -> SpecDraft {
        var draft = SpecDraft()
        draft.api = "Shop"
        draft.settings = [
            DraftEntry(
                "servers", .block([DraftEntry("production", .text("https://shop.example/"))]))
        ]
        var group = DraftGroup("pets")
        var method = DraftMethod("get", verb: "get", path: "pets")
        method.returns = [(nil, .named("Pet"))]
        group.methods = [method]
        let fields = [DraftField("id", .named("int")), DraftField("name", .named("string"))]
        group.models = [DraftModel("Pet", DraftType(.object(DraftObject(fields: fields))))]
        change(&group)
        draft.groups = [group]
        return draft
    }

    /// The files after the mending, and the messages.
    private func mended(_ change: (inout DraftGroup) -> Void) -> (text: String, messages: [String])
    {
        let mender = DraftMender(draft(change))
        #expect(!mender.compiled.compilation.diagnostics.hasErrors)
        return (
            mender.compiled.files.map(\.text).joined(separator: "\n"), mender.changes.map(\.message)
        )
    }

    @Test("a draft that compiles is left alone")
    func right() {
        let (text, messages) = mended { _ in }
        #expect(messages.isEmpty)
        #expect(text.contains("Pet: { id: int, name: string }"))
    }

    @Test("a draft is mended by any JSON in place of a field that the compiler refuses")
    func field() {
        let (text, messages) = mended { group in
            group.models[0].type = DraftType(
                .object(
                    DraftObject(fields: [
                        DraftField("id", .named("Nobody")), DraftField("name", .named("string")),
                    ])))
        }
        #expect(text.contains("Pet: { id: json, name: string }"))
        #expect(messages.count == 1)
        #expect(messages[0].hasPrefix("`Pet`: ") && messages[0].hasSuffix("]"))
    }

    @Test("a draft is mended by leaving out a header field that has no typed form")
    func header() {
        let (text, messages) = mended { group in
            group.methods[0].replyHeaders = [
                DraftField("count", .named("int")), DraftField("pet", .named("Pet")),
            ]
        }
        #expect(text.contains("reply-headers: { count: int }"))
        #expect(messages.count == 1)
    }

    @Test("a draft is mended by the fields of a mixin, if the mixin is no object")
    func mixin() {
        let (text, _) = mended { group in
            group.models.append(DraftModel("Alias", .named("Pet")))
            var object = DraftObject(fields: [DraftField("age", .named("int"))])
            object.mixins = ["Alias"]
            group.models.append(DraftModel("Dog", DraftType(.object(object))))
            group.methods[0].returns = [(nil, .named("Dog"))]
        }
        #expect(text.contains("Dog: { id: int, name: string, age: int }"))
    }

    @Test("a draft is mended by plain text for a parameter, or without it if that is refused, too")
    func parameter() {
        let (text, messages) = mended { group in
            group.methods[0].sections = [
                (
                    "query",
                    [
                        DraftField("pet", .list(.list(.named("Pet")))),
                        DraftField("top", .named("int")),
                    ]
                )
            ]
        }
        #expect(text.contains("query: { pet: string, top: int }"))
        #expect(messages.count == 1)
    }

    @Test("a draft is mended by leaving out settings that the compiler refuses")
    func settings() {
        let (text, _) = mended { group in
            group.methods[0].settings = [
                DraftEntry(
                    "pages",
                    .map([DraftEntry("items", .text("nothing")), DraftEntry("page", .text("p"))])),
                DraftEntry("kind", .text("unheard")),
            ]
        }
        #expect(!text.contains("pages") && !text.contains("unheard"))
    }

    @Test("a draft is mended by leaving out a method that nothing else mends")
    func method() {
        let (text, messages) = mended { group in
            group.methods.append(DraftMethod("odd", verb: "get", path: "{id}{id}/{"))
        }
        #expect(!text.contains("pets.odd"))
        #expect(text.contains("pets.get"))
        #expect(!messages.isEmpty)
    }
}

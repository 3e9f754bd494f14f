import SpecIR
import Testing

@Suite("A lookup")
struct JoinTests {
    private func analysis(_ join: String) -> Analysis {
        Analysis(
            users: """
                methods: { get: { get: a, returns: Wall } }
                models:
                  Wall:
                    posts: [Post]
                    users: "[User]?"
                    names: [string]
                    authors: { \(join) }
                  Post: { from_id: "int?", title: string, at: Date }
                  User: { id: int, name: string }

                """)
    }

    @Test(
        "a lookup is refused where it does not fit the model",
        arguments: [
            ("join: items.from_id, in: { users: id }", "T0333: items.from_id"),
            ("join: names.from_id, in: { users: id }", "T0333: names.from_id"),
            ("join: posts.author, in: { users: id }", "T0333: posts.author"),
            ("join: posts.at, in: { users: id }", "T0333: posts.at"),
            ("join: posts, in: { users: id }", "T0333: posts"),
            ("join: posts.from_id, in: { members: id }", "T0333: members"),
            ("join: posts.from_id, in: { users: ID }", "T0333: ID"),
            ("join: posts.from_id, in: { users: name }", "T0333: name"),
            ("join: posts.title, in: { users: -name }", "T0333: -name"),
            ("join: posts.from_id, in: { users: id, users: id }", "T0005: users"),
            ("join: posts.from_id, by: x, in: { users: id }", "T0101: by"),
        ])
    func refused(join: String, mark: String) {
        #expect(analysis(join).marks.contains(mark), "\(analysis(join).rendered)")
    }

    @Test("a lookup finds elements of other lists, also by the changed sign")
    func lowered() throws {
        let analysis = analysis("join: posts.from_id, in: { users: -id }, doc: Who wrote them.")
        let models = try #require(analysis.group?.models, "\(analysis.rendered)")
        let join = try #require(models[0].joins.first)
        #expect(join.name == "authors" && join.typeName == "Author" && join.path == "posts.from_id")
        #expect(join.documentation.text == "Who wrote them.")
        let source = try #require(join.sources.first)
        #expect(source.caseName == "user" && source.isNegated && source.key.name == "id")
    }

    @Test(
        "a lookup may be by texts and UUIDs",
        arguments: ["string", "{ type: string, from: int }", "uuid"])
    func texts(type: String) throws {
        let analysis = Analysis(
            users: """
                methods: { get: { get: a, returns: Wall } }
                models:
                  Wall: { posts: [Post], users: [User], by: { join: posts.by, in: { users: id } } }
                  Post: { by: \(type) }
                  User: { id: \(type) }

                """)
        let join = analysis.group?.models[0].joins.first
        let key: ValueType = type == "uuid" ? .uuid : .string(from: .native)
        #expect(join?.keyType == key && join?.sources.count == 1, "\(analysis.rendered)")
    }

    @Test("a lookup is told from a field: `join` alone is a field like any other")
    func field() throws {
        let analysis = Analysis(
            users: """
                methods: { get: { get: a, returns: A } }
                models: { A: { join: string, in: { x: int } } }

                """)
        #expect(analysis.bag.isEmpty && analysis.group?.models[0].joins.isEmpty == true)
    }

    @Test("a lookup cannot have the name of a field")
    func names() {
        let analysis = Analysis(
            users: """
                methods: { get: { get: a, returns: A } }
                models:
                  A:
                    b: [B]
                    c: [B]
                    c_s: { join: b.id, in: { b: id } }
                    author: string
                    Author: { join: b.id, in: { b: id } }
                  B: { id: int }

                """)
        #expect(analysis.codes == ["T0701"], "\(analysis.rendered)")
    }
}

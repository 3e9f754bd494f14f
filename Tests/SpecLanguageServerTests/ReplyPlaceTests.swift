import SpecLanguageServer
import TelexCompiler
import Testing

@Suite("The places of replies")
struct ReplyPlaceTests {
    private static let folder = SpecFolder(
        shownPath: "shop",
        files: [
            ("api.yaml", "telex: 1\napi: Shop\nservers: { a: https://a.example/ }\n"),
            (
                "goods.yaml",
                """
                methods:
                  list:
                    get: goods
                    returns: { items: [Good], total: int }
                  plain: { get: plain, returns: string }
                models:
                  Good:
                    id: int
                    maker: { name: string }

                """
            ),
        ].map { name, text in
            SpecFolder.File(relativePath: name, shownPath: "shop/\(name)", bytes: Array(text.utf8))
        })

    @Test(
        "the places of replies are those of their fields, or of what is around them",
        arguments: [
            ("response.items[3].id", "shop/goods.yaml:8:5"),
            ("items[0].maker.name", "shop/goods.yaml:9:14"),
            ("items[0].maker.age", "shop/goods.yaml:9:5"), ("total", "shop/goods.yaml:4:31"),
            ("$", "shop/goods.yaml:2:3"), ("[\"odd key\"]", "shop/goods.yaml:2:3"),
        ])
    func places(path: String, place: String) {
        #expect(ReplyPlaces(Self.folder).place(of: path, in: "goods.list") == place)
    }

    @Test("the places of replies are unknown for a method that the spec does not have")
    func unknown() {
        let places = ReplyPlaces(Self.folder)
        #expect(places.place(of: "id", in: "goods.get") == nil)
        #expect(places.place(of: "id", in: "goods.plain") == "shop/goods.yaml:5:3")
        #expect(ReplyPlaces(SpecFolder(shownPath: "x", files: [])).place(of: "id", in: "a") == nil)
    }
}

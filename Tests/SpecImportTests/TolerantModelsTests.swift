import SpecImport
import Testing

@Suite("An import that tolerates replies with missing keys")
struct TolerantModelsTests {
    private func imported(isTolerant: Bool) -> Imported {
        var options = DescriptionImport.Options()
        options.isTolerant = isTolerant
        let description = """
            openapi: 3.2.0
            info: { title: Shop, version: "1" }
            servers: [{ url: https://shop.example }]
            paths:
              /goods:
                query: { responses: { "200": { description: ok } } }
                get:
                  operationId: listGoods
                  responses:
                    "200":
                      description: ok
                      content:
                        application/json:
                          schema: { type: array, items: { $ref: "#/components/schemas/Good" } }
                post:
                  operationId: addGood
                  requestBody:
                    content:
                      application/json: { schema: { $ref: "#/components/schemas/NewGood" } }
                  responses: { "204": { description: done } }
            components:
              schemas:
                NewGood: { type: object, required: [title], properties: { title: { type: string } } }
                Good:
                  type: object
                  required: [id, kind, if-new, picture]
                  properties:
                    id: { type: integer }
                    kind: { const: good }
                    if-new: { type: boolean }
                    note: { type: string }
                    picture:
                      oneOf:
                        - { $ref: "#/components/schemas/Photo" }
                        - { $ref: "#/components/schemas/Drawing" }
                Photo: { type: object, required: [url], properties: { url: { type: string } } }
                Drawing: { type: object, required: [svg], properties: { svg: { type: string } } }
            """
        return Imported(["shop.yaml": description], options)
    }

    @Test("a tolerant import makes fields of replies optional, with a rule naming missing ones")
    func fields() {
        let imported = imported(isTolerant: true)
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
        let goods = imported.file("goods.yaml")
        #expect(goods.contains("id: int?"))
        #expect(goods.contains("if-new: bool?"))
        #expect(goods.contains("present(id) and present(`if-new`) and present(picture)"))
        #expect(imported.file("api.yaml").contains("validate: warn\n"))
    }

    @Test("a tolerant import keeps constants, marks of union alternatives, and models of requests")
    func kept() {
        let goods = imported(isTolerant: true).file("goods.yaml")
        #expect(goods.contains("kind: { const: good }"))
        #expect(goods.contains("url: string"))
        #expect(!goods.contains("url: string?"))
        #expect(!goods.contains("svg: string?"))
        #expect(goods.contains("title: string"))
        #expect(!goods.contains("title: string?"))
    }

    @Test("a tolerant import is not made unasked; operations of OpenAPI 3.2 are methods")
    func others() {
        let imported = imported(isTolerant: false)
        #expect(!imported.spec.contains("present("))
        #expect(!imported.spec.contains("validate:"))
        #expect(imported.spec.contains("method: QUERY "))
        #expect(imported.losses == [:])
    }
}

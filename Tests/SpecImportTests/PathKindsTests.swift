import Testing

@Suite("The path of a description")
struct PathKindsTests {
    /// Imports a path with a text of the same name as its placeholder.
    private func imported(_ path: String, _ name: String, _ more: String = "") -> Imported {
        Imported(
            parameters: """
                [{ name: "\(name)", in: path, required: true, schema: { type: string \(more) } }]
                """, path: path)
    }

    @Test(
        "the path of a description has the placeholders that keep slashes, in every notation",
        arguments: [
            ("/files/{key+}", "key"), ("/files/{key+}", "key+"), ("/files/{+key}", "key"),
            ("/files/{key*}", "key"), ("/files/{*key}", "key"), ("/files/{**key}", "key"),
            ("/files/{...key}", "key"), ("/files/{key:.*}", "key"), ("/files/{key:.+}", "key"),
            ("/files/{key:path}", "key"), ("/files/{key=**}", "key"),
        ])
    func slashes(_ path: String, _ name: String) {
        let imported = imported(path, name, ", minLength: 3")
        #expect(imported.has("get: \"files/{+key}\", path: { key: { type: string, min-length: 3 }"))
        #expect(imported.losses == [:])
        #expect(imported.diagnostics == "")
    }

    @Test("a path has expressions in its braces as patterns, with their own braces and slashes")
    func patterns() {
        let code = imported("/codes/{code:[A-Z]{3}}", "code")
        #expect(code.has("get: \"codes/{code}\""))
        #expect(code.has("code: { type: string, pattern: '^[A-Z]{3}$' }"))
        let choice = imported("/codes/{code:a|b}", "code:a|b")
        #expect(choice.has("code: { type: string, pattern: '^(?:a|b)$' }"))
        let deep = imported("/codes/{code:[a-z]+/[0-9]+}", "code")
        #expect(deep.has("get: \"codes/{+code}\""))
        let segments = imported("/v1/{name=shops/*/goods/**}:sell", "name")
        #expect(segments.has("get: v1/{+name}:sell"))
        #expect(segments.has("pattern: '^shops/[^/]+/goods/.+$'"))
        for one in [code, choice, deep, segments] {
            #expect(one.losses == [:])
            #expect(one.diagnostics == "")
        }
    }

    @Test("a path loses what a spec cannot say of its braces, with the expression")
    func expressions() {
        for text in ["id:int", "id?", "id=5", #"id:(?<!a)b"#, "id:min(1)", "id:3"] {
            let imported = imported("/goods/{\(text.replacing("\\", with: "\\\\"))}", "id")
            #expect(imported.has("get: \"goods/{id}\""), "\(text)")
            #expect(imported.details("expression in the braces of a path") == [text])
            #expect(imported.diagnostics == "")
        }
        // A pattern of the schema stays.
        let both = imported("/goods/{id:[0-9]+}", "id", ", pattern: '^[1-9]'")
        #expect(both.has("id: { type: string, pattern: '^[1-9]' }"))
        #expect(both.details("expression in the braces of a path") == ["id:[0-9]+"])
    }

    @Test("the path of a description says that a parameter has no place in it")
    func placeless() {
        let imported = imported("/goods", "id")
        #expect(imported.has("get: goods }"))
        #expect(imported.details("path parameter without a place in the path") == ["id"])
    }

    @Test("the path of a description finds a parameter whose name differs in its case alone")
    func cases() {
        let imported = Imported(
            parameters: "[{ name: goodID, in: path, required: true, schema: { type: integer } }]",
            path: "/goods/{goodId}")
        #expect(imported.has("path: { goodId: int }"))
    }

    @Test("a path has the signs of single values in the styles `matrix` and `label`")
    func styles() {
        let imported = Imported(
            parameters: """
                [{ name: id, in: path, required: true, style: matrix, schema: { type: integer } },
                 { name: ext, in: path, required: true, style: label, schema: { type: string } }]
                """, path: "/goods{id}/list{ext}")
        #expect(imported.has("get: \"goods;id={id}/list.{ext}\", path: { id: int }"))
        #expect(imported.losses == [:])
        #expect(imported.diagnostics == "")
    }

    @Test("the path of a description loses lists and other styles at their parameter")
    func lists() {
        let imported = Imported(
            parameters: """
                [{ name: ids, in: path, required: true, style: matrix,
                   schema: { type: array, items: { type: integer } } },
                 { name: ext, in: path, required: true, style: form, schema: { type: string } }]
                """, path: "/goods{ids}/{ext}")
        #expect(imported.details("object, union or list of lists outside JSON") == ["list in path"])
        #expect(imported.details("style that a parameter cannot have") == ["form"])
        #expect(imported.diagnostics == "")
    }

    @Test(
        "the path of a description compiles, whatever it has",
        arguments: [
            "/a/{}", "/a/{+}", "/a/{", "/a/}", "/{a/b}", "/a/../b/%2e%2E/c",
            "/a/{x}/{x}", "/a{?q,r}", "/a/{x:[}]}", "/a/{x:}", "/{+all}", "/{/a}{.b}{;c}",
            "/:a/b?c=d#e",
        ])
    func odd(_ path: String) {
        let imported = Imported(parameters: "[]", path: path)
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
    }
}

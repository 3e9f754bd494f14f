import Testing

@Suite("Servers of imported APIs")
struct ServerKindsTests {
    private func imported(_ servers: String, own: String = "[]") -> Imported {
        Imported([
            "tides.yaml": """
            openapi: 3.0.3
            info: { title: Tides, version: "1" }
            servers: \(servers)
            paths:
              /tides:
                get:
                  operationId: listTides
                  servers: \(own)
                  responses: { "204": { description: ok } }
            """
        ])
    }

    private func api(_ imported: Imported) -> String {
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
        return imported.file("api.yaml")
    }

    @Test(
        "servers have the default of a variable that is the scheme or the whole address",
        arguments: [
            (
                "{scheme}://tides.example", "scheme: { default: https, enum: [http, https] }",
                "https://tides.example/"
            ),
            (
                "{scheme}://tides.example", "scheme: { default: wss, enum: [wss, https] }",
                "https://tides.example/"
            ),
            ("{scheme}://tides.example", "scheme: {}", "https://tides.example/"),
            ("http{s}://tides.example", "s: { default: s }", "https://tides.example/"),
            (
                "{address}/v1", "address: { default: \"https://tides.example\" }",
                "https://tides.example/v1/"
            ),
            (
                "https://{tide.host}/", "tide.host: { default: tides.example }",
                "https://tides.example/"
            ),
        ])
    func written(url: String, variable: String, result: String) {
        let imported = imported("[{ url: \"\(url)\", variables: { \(variable) } }]")
        #expect(api(imported).contains("production: \(result)\n"))
        #expect(imported.losses["variable of a server that a call cannot choose"] == 1)
    }

    @Test("servers keep variables that a call can choose, with their defaults among the choices")
    func kept() {
        let imported = imported(
            """
            [{ url: "https://{sea}.tides.example/{v}", variables: {
              sea: { default: north }, v: { default: v3, enum: [v1, v2] } } }]
            """)
        let text = api(imported)
        #expect(text.contains("url: https://{sea}.tides.example/{v}/"))
        #expect(text.contains("sea: north, v: { default: v3, in: [v3, v1, v2] }"))
        #expect(imported.losses == [:])
    }

    @Test(
        "servers of imported APIs do without a variable whose default is empty",
        arguments: [
            ("https://tides.example{base}", "https://tides.example/"),
            ("https://tides.example/{base}", "https://tides.example/"),
            ("https://tides.example/{base}/", "https://tides.example/"),
            ("https://tides.example:{base}/v1", "https://tides.example/v1/"),
            ("{base}//tides.example", "https://tides.example/"),
        ])
    func empty(url: String, result: String) {
        let imported = imported(
            "[{ url: \"\(url)\", variables: { base: { default: \"\", enum: [\"\", x] } } }]")
        #expect(api(imported).contains("production: \(result)\n"))
        #expect(imported.losses == ["variable of a server that a call cannot choose": 1])
    }

    @Test(
        "servers have a placeholder for a host that the description does not name, and say so",
        arguments: [
            ("[{ url: /api/v3 }]", "https://api.example.com/api/v3/", "host: `/api/v3`"),
            ("[{ url: ./v3/ }]", "https://api.example.com/v3/", "host: `./v3/`"),
            ("[{ url: ../v3 }]", "https://api.example.com/v3/", "host: `../v3`"),
            ("[{ url: \"{base}/v3\" }]", "https://api.example.com/v3/", "host: `{base}/v3`"),
            ("[{ url: / }]", "https://api.example.com/", "host: `/`"),
            ("[]", "https://api.example.com/", "server."),
            (
                "[{ url: \"wss://tides.example\" }]", "https://api.example.com/",
                "server that speaks HTTP."
            ),
        ])
    func relative(servers: String, url: String, reason: String) {
        let imported = imported(servers)
        #expect(
            api(imported).contains(
                "  # The description names no \(reason)\n  production: \(url)\n"))
        #expect(imported.losses == ["server without an absolute address": 1])
    }

    @Test("servers of an operation are all declared, and the first absolute one is used")
    func own() {
        let imported = imported(
            "[{ url: https://tides.example }]",
            own: "[{ url: /up }, { url: https://up.example }, { url: https://up2.example/ }]")
        let text = api(imported)
        #expect(text.contains("  server: https://up.example/\n  server2: https://up2.example/\n"))
        #expect(imported.file("tides.yaml").contains("{ get: tides, server: server }"))
        #expect(imported.losses == ["server without an absolute address": 1])
    }

    @Test("servers of imported APIs of an operation without a host keep their path")
    func ownPath() {
        let imported = imported("[{ url: https://tides.example }]", own: "[{ url: /up/v3 }]")
        #expect(
            api(imported).contains(
                """
                  # The description names no host: `/up/v3`
                  server: https://api.example.com/up/v3/
                """))
    }

    @Test("a token that only a parameter `Authorization` describes is a loss naming the remedy")
    func authorization() throws {
        func imported(_ security: String) -> Imported {
            Imported([
                "tides.yaml": """
                openapi: 3.0.3
                info: { title: Tides, version: "1" }
                servers: [{ url: https://tides.example }]
                \(security)
                paths:
                  /tides:
                    get:
                      operationId: listTides
                      parameters:
                        - { name: authorization, in: header, schema: { type: string } }
                      responses: { "204": { description: ok } }
                """
            ])
        }
        let loss = try #require(imported("").result.report.losses.first)
        #expect(loss.kind.remedy == "auth: { account: { token: bearer } }")
        let described = imported(
            """
            security: [{ key: [] }]
            components: { securitySchemes: { key: { type: http, scheme: bearer } } }
            """)
        #expect(described.losses == [:])
    }
}

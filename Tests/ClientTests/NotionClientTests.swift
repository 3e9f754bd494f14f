import Foundation
import NotionClient
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

@Suite("The generated client of Notion")
struct NotionClientTests {
    private static let id = "b55c9c91-384d-452b-81db-d1ef79372b75"
    private static let uuid = UUID(uuidString: id)!

    private func notion(_ transport: InMemoryTransport) -> APIManager<Notion> {
        APIManager<Notion>(
            transport: transport, credentials: .memory(Credential(token: "secret")))
    }

    private func blocks(_ text: String) async throws -> OperationResponse<ListingBlock> {
        let transport = InMemoryTransport { _ in
            .json(#"{"object":"list","next_cursor":null,"has_more":false,"results":[\#(text)]}"#)
        }
        return try await notion(transport).blocks.children(blockID: Self.uuid).response
    }

    private func body(of transport: InMemoryTransport) throws -> JSONValue {
        let request = try #require(transport.requests.first)
        return try #require(JSONReader.value(at: [], in: Array(request.text.utf8)))
    }

    @Test("the client of Notion reads blocks of all kinds, with the fields that they share")
    func children() async throws {
        let response = try await blocks(
            """
            {"object":"block","id":"\(Self.id)","type":"paragraph","has_children":false,
             "paragraph":{"rich_text":[
               {"type":"text","text":{"content":"Hi","link":null},"plain_text":"Hi","href":null},
               {"type":"mention","mention":{"type":"page","page":{"id":"\(Self.id)"}}}],
               "color":"default"}},
            {"image":{"external":{"url":"https://a.example/b.png"},"type":"external"},
             "type":"image"},
            {"type":"hologram","hologram":{"depth":3}}
            """)
        let results = response.value.results
        guard case .paragraph(let block) = results[0] else { return #expect(Bool(false)) }
        #expect(block.id == Self.uuid && block.hasChildren == false)
        guard case .text(let run) = block.paragraph.richText[0] else {
            return #expect(Bool(false))
        }
        #expect(run.text.content == "Hi" && run.plainText == "Hi")
        guard case .mention(let mention) = block.paragraph.richText[1],
            case .page(let page) = mention.mention
        else { return #expect(Bool(false)) }
        #expect(page.id == Self.uuid)
        guard case .image(let image) = results[1], case .external(let link) = image.image else {
            return #expect(Bool(false))
        }
        #expect(link.url == "https://a.example/b.png")
        guard case .unknown(let value) = results[2] else { return #expect(Bool(false)) }
        #expect(value["hologram"]?["depth"] == 3)
    }

    @Test("Notion's client leaves a malformed block out and tells of it; the others are there")
    func rubbish() async throws {
        let response = try await blocks(
            #"{"type":"divider","divider":{}},{"type":"paragraph","paragraph":7},5"#)
        #expect(response.value.results.count == 1)
        #expect(response.skipped.count == 2)
        #expect(response.skipped.violations.first?.path == "results[1].paragraph")
    }

    @Test("the generated client of Notion sends blocks without what only replies have")
    func append() async throws {
        let transport = InMemoryTransport { _ in
            .json(#"{"next_cursor":null,"has_more":false,"results":[]}"#)
        }
        let text = TextRun.Input(text: .init(content: "Milk", link: nil))
        let item = ToDoBlock.Input(toDo: .init(richText: [.text(text)]))
        _ = try await notion(transport).blocks.append(blockID: Self.uuid, children: [.toDo(item)])
            .value
        let body = try #require(body(of: transport)["children"]?[0])
        #expect(body["type"] == "to_do" && body["id"] == nil)
        #expect(body["to_do"]?["checked"] == false)
        #expect(body["to_do"]?["rich_text"]?[0]?["text"]?["content"] == "Milk")
    }

    @Test("the generated client of Notion tells pages from databases, and reads their properties")
    func search() async throws {
        let page = """
            {"object":"page","id":"\(Self.id)","created_time":"2026-01-31T09:00:00.000Z",
             "last_edited_time":"2026-01-31T09:00:00.000Z","archived":false,"icon":null,
             "cover":null,"parent":{"type":"workspace","workspace":true},
             "url":"https://www.notion.so/a",
             "properties":{"Done":{"id":"a","type":"checkbox","checkbox":true},
               "Sum":{"id":"b","type":"formula","formula":{"type":"number","number":null}}}}
            """
        let transport = InMemoryTransport { _ in
            .json(#"{"results":[\#(page)],"next_cursor":"c","has_more":true}"#)
        }
        let found = try await notion(transport).pages.search(query: "a").value
        guard case .page(let first) = found.results[0] else { return #expect(Bool(false)) }
        guard case .checkbox(let isDone)? = first.properties["Done"],
            case .formula(.number(nil))? = first.properties["Sum"]
        else { return #expect(Bool(false)) }
        #expect(isDone && found.nextCursor == "c")
    }
}

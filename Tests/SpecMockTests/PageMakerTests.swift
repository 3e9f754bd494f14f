import HTTPTypes
import SpecInterpreter
import TelexJSON
import Testing

@testable import SpecMock

@Suite("The pages of a mock")
struct PageMakerTests {
    private static let methods = """
        methods:
          lists.numbered:
            get: numbered
            query: { page: int? }
            returns: { items: [Entry], total_pages: int }
            pages: { items: items, page: page, last: total_pages }
          lists.after:
            post: search
            json: { after: string? }
            returns: { data: [Entry], paging: { next_cursor: string? } }
            pages: { items: data, send: after, take: paging.next_cursor }
          lists.keyed:
            post: scan
            json: { start: "{string: json}?" }
            returns: { data: [Entry], last_key: "{string: json}?" }
            pages: { items: data, send: start, take: last_key }
          lists.counted:
            get: counted
            query: { page: int? }
            returns: [Entry]
            pages: { items: $body, send: page, take: { header: X-Next-Page } }
          lists.charges:
            get: charges
            query: { starting_after: int? }
            returns: { data: [Entry], has_more: bool }
            pages: { items: data, send: starting_after, take: { last: id }, more: has_more }
          lists.merged:
            get: merged
            query: { list: { const: all } }
            returns:
              query: { pages: "{string: Entry}" }
              continue: { type: "{string: string}?", values: { from: either } }
            pages: { items: query.pages, merge: continue }
        models:
          Entry: { id: int }
        """

    /// The numbers of items in the pages, until there is no next one.
    private func counts(
        _ next: (_ reply: MockReply?) -> MockReply?, _ items: (JSONValue) -> Int?
    ) -> [Int] {
        var counts: [Int] = []
        var reply = next(nil)
        while let page = reply, counts.count < 10 {
            counts.append(page.json.flatMap(items) ?? -1)
            reply = next(page)
        }
        return counts
    }

    @Test("The pages of a mock are found by their number, by a token and by the last item")
    func forms() throws {
        let test = try MockTest(methods: Self.methods)
        var page = 1
        let numbered = counts({ last in
            defer { page += 1 }
            if let last, last.json?["total_pages"]?.asInt ?? 0 < page { return nil }
            return test.send("GET", "/v1/numbered?page=\(page)")
        }) { $0["items"]?.asArray?.count }
        #expect(numbered == [3, 3, 2])

        let after = counts({ last in
            guard let last else { return test.send("POST", "/v1/search", json: "{}") }
            guard let cursor = last.json?["paging"]?["next_cursor"] else { return nil }
            return test.send("POST", "/v1/search", json: "{\"after\": \(cursor)}")
        }) { $0["data"]?.asArray?.count }
        #expect(after == [3, 3, 2])

        let keyed = counts({ last in
            guard let last else { return test.send("POST", "/v1/scan", json: "{}") }
            guard let key = last.json?["last_key"] else { return nil }
            return test.send("POST", "/v1/scan", json: "{\"start\": \(key)}")
        }) { $0["data"]?.asArray?.count }
        #expect(keyed == [3, 3, 2])

        let counted = counts({ last in
            guard let last else { return test.send("GET", "/v1/counted") }
            let name = HTTPField.Name("X-Next-Page")
            return name.flatMap { last.fields[$0] }.map {
                test.send("GET", "/v1/counted?page=\($0)")
            }
        }) { $0.asArray?.count }
        #expect(counted == [3, 3, 2])

        let charges = counts({ last in
            guard let last else { return test.send("GET", "/v1/charges") }
            guard last.json?["has_more"] == true, let id = last.json?["data"]?[2]?["id"] else {
                return nil
            }
            return test.send("GET", "/v1/charges?starting_after=\(id)")
        }) { $0["data"]?.asArray?.count }
        #expect(charges == [3, 3, 2])

        let merged = counts({ last in
            guard let last else { return test.send("GET", "/v1/merged?list=all") }
            guard let member = last.json?["continue"]?.asObject?.members.first else { return nil }
            return test.send("GET", "/v1/merged?list=all&\(member.key)=\(member.value.writtenText)")
        }) { $0["query"]?["pages"]?.asObject?.members.count }
        #expect(merged == [3, 3, 2])
    }

    @Test("The pages of a mock end before a number that no page has", arguments: ["99", "-5", "x"])
    func outside(page: String) throws {
        let reply = try MockTest(methods: Self.methods).send("GET", "/v1/numbered?page=\(page)")
        #expect(reply.status == (page == "x" ? 400 : 200))
        if page == "99" { #expect(reply.json?["items"] == []) }
    }
}

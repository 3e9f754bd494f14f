import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import TelexTransport
import Testing

@testable import TelexRuntime

/// A reply with a link to the next page.
private func linked(_ items: String, next: String? = nil) -> TransportReply {
    var fields: HTTPFields = [:]
    if let name = HTTPField.Name("Link"), let next { fields[name] = "<\(next)>; rel=\"next\"" }
    return .json("{\"items\": \(items)}", fields: fields)
}

@Suite("A list in pages")
struct PagesTests {
    // MARK: How pages follow one another

    @Test(
        "a list in pages leaves out the items so far, and ends at its total or at an empty page",
        arguments: [true, false])
    func offsets(hasTotal: Bool) async throws {
        let list = PageList { request in
            let path = request.head.path ?? ""
            let isSecond = path.contains("offset=2")
            let items = path.contains("offset=3") ? "[]" : isSecond ? "[3]" : "[1, 2]"
            return .json("{\"items\": \(items), \"count\": 3}")
        }
        let rule = PageRule<JSONValue>.offset(from: 0) { hasTotal ? $0["count"]?.asInt : nil }
        #expect(try await list.pages(rule, size: 2).items.all() == [1, 2, 3])
        let paths = ["/v1/list?size=2", "/v1/list?size=2&offset=2", "/v1/list?size=2&offset=3"]
        #expect(list.paths == Array(paths.prefix(hasTotal ? 2 : 3)))
    }

    @Test(
        "a list in pages asks for one page number after another, up to the last",
        arguments: [true, false])
    func numbers(hasLast: Bool) async throws {
        let list = PageList { request in
            let path = request.head.path ?? ""
            let items = path.contains("page=3") ? "[]" : path.contains("page=2") ? "[2]" : "[1]"
            return .json("{\"items\": \(items), \"pages\": 2}")
        }
        let rule = PageRule<JSONValue>.page(from: 1) { hasLast ? $0["pages"]?.asInt : nil }
        #expect(try await list.pages(rule).items.all() == [1, 2])
        let paths = ["/v1/list", "/v1/list?page=2", "/v1/list?page=3"]
        #expect(list.paths == Array(paths.prefix(hasLast ? 2 : 3)))
    }

    @Test("a list in pages sends what the page before gave, also after a page without items")
    func tokens() async throws {
        let list = PageList { request in
            switch request.head.path {
            case "/v1/list": .json(#"{"items": [], "next": "a b"}"#)
            case "/v1/list?after=a%20b": .json(#"{"items": [7], "next": ""}"#)
            default: .bytes(status: .notFound)
            }
        }
        #expect(try await list.pages(.token { $0["next"]?.asString }).items.all() == [7])
        let numbers = PageList { request in
            .json(request.head.path == "/v1/list" ? #"{"next": 5}"# : #"{"items": [1]}"#)
        }
        #expect(try await numbers.pages(.number { $0["next"]?.asInt }).items.all() == [1])
        #expect(numbers.paths.last == "/v1/list?after=5")
    }

    @Test(
        "a list in pages sends what a header field has, up to one that is missing or empty",
        arguments: [false, true], [true, false])
    func headers(isNumber: Bool, isEmpty: Bool) async throws {
        let name = try #require(HTTPField.Name("X-Next-Page"))
        let list = PageList { request in
            let isFirst = request.head.path == "/v1/list"
            let field: HTTPFields = isFirst ? [name: "2"] : isEmpty ? [name: ""] : [:]
            return .json(#"{"items": [1]}"#, fields: field)
        }
        let rule = PageRule<JSONValue>.header("x-next-page", isNumber: isNumber)
        #expect(try await list.pages(rule).items.all() == [1, 1])
        #expect(list.paths == ["/v1/list", "/v1/list?after=2"])
    }

    @Test("a paged list throws where the next call sends an integer and a header field has none")
    func textInHeader() async throws {
        let name = try #require(HTTPField.Name("X-Next-Page"))
        let list = PageList { _ in .json(#"{"items": [1]}"#, fields: [name: "next"]) }
        let pages = list.pages(.header("X-Next-Page", isNumber: true))
        let error = await #expect(throws: OperationError.self) { try await pages.items.all() }
        #expect(error?.reason == .position && list.paths == ["/v1/list"])
    }

    @Test("a list sends the prior page's JSON, also from a stored position, up to an empty one")
    func json() async throws {
        let list = PageList { request in
            let path = request.head.path?.removingPercentEncoding
            let isFirst = path == "/v1/list"
            return .json(#"{"items": [1], "key": \#(isFirst ? #"["a", 2]"# : "[]")}"#)
        }
        let rule = PageRule<JSONValue>.json { $0["key"] }
        let pages = try await list.pages(rule).pages.all()
        #expect(pages.map(\.items) == [[1], [1]])
        #expect(list.paths.last?.removingPercentEncoding == #"/v1/list?after=["a",2]"#)
        let stored = try JSONEncoder().encode(pages[0].next)
        let position = try JSONDecoder().decode(PagePosition.self, from: stored)
        #expect(position.asJSON() == JSONValue.array([.string("a"), .int(2)]))
        let numbers = PageRule<JSONValue>.json { _ in [1, 2] }
        let wrong = list.pages(numbers).starting(at: position)
        await #expect(throws: OperationError.self) { try await wrong.items.all() }
        for end in [JSONValue.null, .object([:]), .array([])] {
            let pages = list.pages(.json { _ in end })
            #expect(try await pages.items.all() == [1])
        }
    }

    @Test("a list in pages ends where a page says that there are no more")
    func more() async throws {
        let list = PageList { request in
            let isFirst = request.head.path == "/v1/list"
            return .json(#"{"items": [7], "next": "\#(isFirst)", "more": \#(isFirst)}"#)
        }
        let pages = list.pages(.token { $0["next"]?.asString }, more: { $0["more"]?.asBool })
        #expect(try await pages.items.all() == [7, 7])
    }

    @Test("a list in pages ends where the server leads back to a page")
    func loop() async throws {
        let list = PageList { request in
            let isFirst = request.head.path == "/v1/list?after=a"
            return .json(#"{"items": [1], "next": "\#(isFirst ? "b" : "a")"}"#)
        }
        #expect(try await list.pages(.token { $0["next"]?.asString }).items.all() == [1, 1, 1])
        #expect(list.paths == ["/v1/list", "/v1/list?after=a", "/v1/list?after=b"])
    }

    @Test("a list follows `Link` fields, also relative ones, without repeating the call's query")
    func links() async throws {
        let list = PageList { request in
            switch request.head.path {
            case "/v1/list?size=2": linked("[1]", next: "?page=2")
            case "/v1/list?page=2": linked("[2]", next: "https://lists.test/v1/more")
            default: linked("[3]")
            }
        }
        #expect(try await list.pages(.link("next"), size: 2).items.all() == [1, 2, 3])
        #expect(list.paths == ["/v1/list?size=2", "/v1/list?page=2", "/v1/more"])
        let tokens = list.transport.requests.map { $0.head.headerFields[.authorization] }
        #expect(tokens == Array(repeating: "Bearer \(secret)", count: 3))
    }

    @Test("a list in pages follows addresses in the reply")
    func addresses() async throws {
        let list = PageList { request in
            let isFirst = request.head.path == "/v1/list"
            return .json(#"{"items": [1], "next": "\#(isFirst ? "/v1/list?skip=1" : "")"}"#)
        }
        #expect(try await list.pages(.address { $0["next"]?.asString }).items.all() == [1, 1])
        #expect(list.paths == ["/v1/list", "/v1/list?skip=1"])
    }

    @Test("a paged list adds query items of a reply to the next call, in place of equal names")
    func merging() async throws {
        let list = PageList { request in
            switch request.head.path {
            case "/v1/list?size=2": .json(#"{"items": [1], "more": {"size": "9", "from": "a&b"}}"#)
            default: .json(#"{"items": [2], "more": {}}"#)
            }
        }
        let rule = PageRule<JSONValue>.merging { page in
            page["more"]?.asObject.map { object in
                object.members.reduce(into: [:]) { $0[$1.key] = $1.value.asString }
            }
        }
        #expect(try await list.pages(rule, size: 2).items.all() == [1, 2])
        #expect(list.paths == ["/v1/list?size=2", "/v1/list?from=a%26b&size=9"])
    }

    @Test("a list in pages has the values of a map in the order of its keys")
    func map() async throws {
        let pages = Pages(PageRule<[Int: String]>.offset(from: 0), values: { $0 }) { position in
            NetworkOperation { position == .start ? [10: "c", 9: "b", 1: "a"] : [:] }
        }
        #expect(try await pages.items.all() == ["a", "b", "c"])
    }

    // MARK: Other origins

    @Test("a list in pages sends neither token nor secrets to an address at another origin")
    func otherOrigin() async throws {
        let list = PageList { request in
            request.head.authority == "lists.test"
                ? linked("[1]", next: "https://other.test/list") : linked("[2]")
        }
        let pages = list.pages(.link("next"), key: "k3y-0f-the-caller")
        #expect(try await pages.items.all() == [1, 2])
        let last = try #require(list.transport.requests.last?.head)
        #expect(last.authority == "other.test" && last.path == "/list")
        #expect(last.headerFields[.authorization] == nil)
        #expect(HTTPField.Name("X-Key").map { last.headerFields.contains($0) } == false)
        #expect(!"\(last)".contains(secret))
    }

    @Test("a paged list refuses another origin's address with a secret, or one without encryption")
    func refused() async throws {
        for address in ["https://other.test/\(secret)", "http://lists.test/a", "ftp://a.test/"] {
            let list = PageList { _ in linked("[1]", next: address) }
            var pages = list.pages(.link("next")).pages.makeAsyncIterator()
            #expect(try await pages.next()?.items == [1])
            await #expect(throws: APIError.self) { try await pages.next() }
            #expect(list.paths.count == 1)
        }
    }

    @Test("a paged list sends a token in the query once, also where a link repeats it or is empty")
    func queryToken() async throws {
        let list = PageList(.query("key")) { request in
            let path = request.head.path ?? ""
            if path.contains("page=2") { return linked("[2]", next: "") }
            return linked("[1]", next: "?page=2&key=\(secret)")
        }
        let pages = try await list.pages(.link("next")).pages.all()
        #expect(pages.map(\.items) == [[1], [2], [1]])
        let (first, second) = ("/v1/list?key=\(secret)", "/v1/list?page=2&key=\(secret)")
        #expect(list.paths == [first, second, first])
        #expect(pages[1].next == .address("https://lists.test/v1/list"))
    }

    // MARK: Lazy, resumable, retried

    @Test("a paged list sends nothing before a page is asked for, and no more after an early end")
    func lazy() async throws {
        let list = PageList { _ in .json(#"{"items": [1, 2]}"#) }
        let pages = list.pages(.offset(from: 0))
        #expect(list.paths.isEmpty)
        for try await item in pages.items where item == 2 { break }
        #expect(list.paths.count == 1)
    }

    @Test("a list in pages loads the same page again after an error")
    func retry() async throws {
        let list = PageList { request in
            request.head.path == "/v1/list"
                ? .json(#"{"items": [1]}"#) : .bytes(status: .badGateway)
        }
        var items = list.pages(.offset(from: 0)).items.makeAsyncIterator()
        #expect(try await items.next() == 1)
        for _ in 0..<2 { await #expect(throws: APIError.self) { try await items.next() } }
        #expect(list.paths == ["/v1/list", "/v1/list?offset=1", "/v1/list?offset=1"])
    }

    @Test("a list in pages goes on from a stored position")
    func resumed() async throws {
        let list = PageList { request in
            switch request.head.path {
            case "/v1/list": linked("[1]", next: "?page=2")
            case "/v1/list?page=2": linked("[2]")
            default: .bytes(status: .notFound)
            }
        }
        let pages = list.pages(.link("next"))
        var iterator = pages.pages.makeAsyncIterator()
        let next = try #require(try await iterator.next()?.next)
        let stored = try JSONEncoder().encode(next)
        let position = try JSONDecoder().decode(PagePosition.self, from: stored)
        #expect(try await pages.starting(at: position).items.all() == [2])
    }

    @Test(
        "a list in pages refuses a position of another kind of list, and sends nothing",
        arguments: [
            .page(2), .token("a"), .address("https://lists.test/"), .query([:]),
        ] as [PagePosition])
    func wrongPosition(position: PagePosition) async throws {
        let list = PageList { _ in .json("{}") }
        let pages = list.pages(.offset(from: 0)).starting(at: position)
        let error = await #expect(throws: OperationError.self) { try await pages.items.all() }
        #expect(error?.reason == .position)
        #expect(error?.description == "the list begins at an offset, not at \(position)")
        #expect(list.paths.isEmpty)
    }

    @Test("a list in pages applies the options of the call to each page")
    func options() async throws {
        let list = PageList { _ in .bytes(status: .serviceUnavailable) }
        let pages = list.pages(.offset(from: 0), options: CallOptions(queue: "none"))
        await #expect(throws: APIError.self) { try await pages.items.all() }
        #expect(list.paths.isEmpty)
    }

    @Test("a list in pages describes a position without what the server gave")
    func description() {
        let positions: [PagePosition] = [
            .token(secret), .address(secret), .query([secret: secret]),
        ]
        for position in positions {
            var dumped = ""
            dump(position, to: &dumped)
            #expect(!"\(position)\(String(reflecting: position))\(dumped)".contains(secret))
        }
        #expect("\(PagePosition.offset(3))" == "offset 3")
    }
}

import HTTPTypes
import SpecCall
import TelexCompiler
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

@Suite("Calls by the spec", .serialized)
struct CallTests {
    private static let files = [
        "api.yaml": """
        telex: 1
        api: Shop
        servers:
          main: https://shop.example/v1/
          local: { url: "http://127.0.0.1:{port}/", variables: { port: "8080" } }
        parameters: { v: "7" }
        auth: { account: { token: bearer, expired: 401 } }
        success: { status: 200 }
        unwrap: data

        """,
        "goods.yaml": """
        methods:
          list:
            get: goods
            query:
              count: { type: int, default: 20, min: 1, max: 100 }
              offset: int?
              tags: "[string]?"
              filter: { type: Filter?, style: deep }
            returns: { items: [Good], total: int }
            pages: { offset: offset, items: items, total: total }
          get: { get: "goods/{id}", path: { id: int }, returns: Good }
          add: { post: goods, json: { name: string, price: double?, new: bool? }, returns: Good }
          find: { get: found, query: { after: string? }, returns: { items: [Good], next: string? }, pages: { items: items, take: next, send: after } }
          photo: { post: photos, multipart: { photo: file, title: string? }, returns: Good }
          log-in: { post: token, auth: none, form: { user: string, password: { type: string, sensitive: true } }, returns: json }
        models:
          Good: { id: int, name: string }
          Filter: { city: string?, sizes: "[int]?" }

        """,
    ]

    private static let api = TelexCompiler.compile(
        SpecFolder(
            shownPath: "specs",
            files: files.map {
                SpecFolder.File(
                    relativePath: $0.key, shownPath: "specs/\($0.key)", bytes: Array($0.value.utf8))
            }))

    private static func caller(
        _ method: String, _ transport: InMemoryTransport,
        _ change: (inout SpecCaller.Settings) -> Void = { $0.token = "secret" }
    ) throws -> SpecCaller {
        let api = try #require(api.api, "\(api.diagnostics.all.map(\.message))")
        var settings = SpecCaller.Settings()
        change(&settings)
        return try SpecCaller(method, of: api, settings: settings, transport: transport)
    }

    private static let good = #"{"data":{"id":1,"name":"Cup"}}"#

    @Test(
        "A mistake in a call is told with its remedy before anything is sent",
        arguments: [
            ("goods.lst", [], "`Shop` has no method `goods.lst`", "did you mean `goods.list`?"),
            (
                "goods.list", ["coun=1"], "`goods.list` has no parameter `coun`",
                "did you mean `count`?"
            ),
            ("goods.list", ["v=8"], "`goods.list` has no parameter `v`", nil),
            ("goods.list", ["5"], "`5` is no argument", "write name=value, or name=@file"),
            ("goods.get", [], "`goods.get` needs `id`", "add id=…"),
            ("goods.photo", ["photo=a.png"], "`photo` is a file", "write photo=@path/of/the/file"),
            ("goods.photo", [], "`goods.photo` needs the file `photo`", nil),
            (
                "goods.add", ["name=@/no/such/file"],
                "the file of `name` cannot be read: /no/such/file", nil
            ),
        ] as [(String, [String], String, String?)])
    func mistakes(method: String, words: [String], message: String, help: String?) throws {
        let transport = InMemoryTransport { _ in .json(Self.good) }
        let error = #expect(throws: CallError.self) {
            _ = try Self.caller(method, transport).violations(words)
        }
        #expect(error?.message == message)
        if let help { #expect(error?.help == help) }
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "Arguments that break a rule are violations with the name of their parameter",
        arguments: [
            ("goods.list", ["count=500"], "count", "at most 100"),
            ("goods.list", ["count=many"], "count", "an integer"),
            ("goods.get", ["id=x"], "id", "an integer"),
            ("goods.add", ["name=Cup", "price=dear"], "price", "a number"),
        ] as [(String, [String], String, String)])
    func violations(method: String, words: [String], path: String, expected: String) throws {
        let found = try Self.caller(method, InMemoryTransport { _ in .json(Self.good) })
            .violations(words)
        #expect(found.map(\.violation.path) == [path])
        #expect(found.first?.violation.expected.contains(expected) == true)
        #expect(found.first?.parameter?.key == path)
    }

    @Test(
        "Arguments become the request that the spec describes",
        arguments: [
            ("goods.list", [], "GET /v1/goods?count=20&v=7", ""),
            (
                "goods.list", ["tags=a,b", "offset=3", #"filter={"city":"Bern","sizes":[1,2]}"#],
                "GET /v1/goods?count=20&offset=3&tags=a&tags=b&filter[city]=Bern&filter[sizes][0]=1"
                    + "&filter[sizes][1]=2&v=7", ""
            ),
            ("goods.get", ["id=7"], "GET /v1/goods/7?v=7", ""),
            (
                "goods.add", ["name=7", "price=2.5", "new=true"], "POST /v1/goods?v=7",
                #"{"name":"7","price":2.5,"new":true}"#
            ),
            (
                "goods.log-in", ["user=ann", "password=a b"], "POST /v1/token?v=7",
                "user=ann&password=a+b"
            ),
        ] as [(String, [String], String, String)])
    func requests(method: String, words: [String], line: String, body: String) async throws {
        let transport = InMemoryTransport { _ in .json(Self.good) }
        let caller = try Self.caller(method, transport)
        #expect(try caller.violations(words).isEmpty)
        _ = try await caller.call(words)
        let sent = try #require(transport.requests.first)
        let path = (sent.head.path ?? "").replacing("%5B", with: "[").replacing("%5D", with: "]")
        #expect("\(sent.head.method) \(path)" == line)
        #expect(sent.text == body)
        #expect(
            sent.head.headerFields[.authorization]
                == (method == "goods.log-in" ? nil : "Bearer secret"))
    }

    @Test(
        "A reply is judged by the spec: its status, and its body with the paths of the app's errors"
    )
    func replies() async throws {
        let transport = InMemoryTransport { request in
            switch request.head.path?.prefix(11) {
            case "/v1/goods/1": .json(Self.good)
            case "/v1/goods/2": .json(#"{"data":{"id":"2"}}"#)
            default: .json(#"{"message":"gone"}"#, status: 410)
            }
        }
        let caller = try Self.caller("goods.get", transport)
        let fine = try await caller.call(["id=1"])
        #expect(fine.isSuccess && fine.violations.isEmpty && fine.status == 200)
        let broken = try await caller.call(["id=2"])
        #expect(broken.violations.map(\.path) == ["data.id", "data.name"])
        let gone = try await caller.call(["id=3"])
        #expect(!gone.isSuccess && gone.status == 410 && gone.violations.isEmpty)
    }

    @Test("A server is named, has variables, or is an address")
    func servers() async throws {
        let transport = InMemoryTransport { _ in .json(Self.good) }
        let changes: [(inout SpecCaller.Settings) -> Void] = [
            { $0.server = "local" }, { ($0.server, $0.variables) = ("local", ["port": "9"]) },
            { $0.server = "http://127.0.0.1:4010/v2/" },
        ]
        for change in changes {
            _ = try await Self.caller("goods.get", transport, change).call(["id=1"])
        }
        #expect(
            transport.requests.map { "\($0.head.authority ?? "")\($0.head.path ?? "")" } == [
                "127.0.0.1:8080/goods/1?v=7", "127.0.0.1:9/goods/1?v=7",
                "127.0.0.1:4010/v2/goods/1?v=7",
            ])
        let unknown = #expect(throws: CallError.self) {
            _ = try Self.caller("goods.get", transport) { $0.server = "locl" }
        }
        #expect(unknown?.help == "did you mean `local`?")
    }

    @Test("A command line of curl has TOKEN in place of the token")
    func curl() async throws {
        let transport = InMemoryTransport { _ in .json(Self.good) }
        let get = try await Self.caller("goods.get", transport).curl(["id=7"])
        #expect(
            get
                == "curl -X GET 'https://shop.example/v1/goods/7?v=7' -H 'Authorization: Bearer TOKEN'"
        )
        let post = try await Self.caller("goods.add", transport).curl(["name=It's"])
        #expect(post.contains(#"--data-raw '{"name":"It'\''s"}'"#) && post.contains("Content-Type"))
        let upload = try await Self.caller("goods.photo", transport).curl(["photo=@\(#filePath)"])
        #expect(upload.contains("-F") && upload.contains("CallTests.swift"))
        #expect(![get, post, upload].contains { $0.contains("secret") })
        #expect(transport.requests.isEmpty)
    }

    @Test("All pages of a list are turned, by offset and by token, and a broken page is the last")
    func pages() async throws {
        let transport = InMemoryTransport { request in
            let path = request.head.path ?? ""
            if path.contains("found") {
                let isFirst = !path.contains("after=")
                return .json(
                    #"{"data":{"items":[{"id":1,"name":"A"}],"next":\#(isFirst ? #""x""# : "null")}}"#
                )
            }
            let offset = path.contains("offset=2") ? 2 : path.contains("offset=3") ? 3 : 0
            let items =
                offset == 0 ? #"{"id":1,"name":"A"},{"id":2,"name":"B"}"# : #"{"id":3,"name":"C"}"#
            return .json(#"{"data":{"items":[\#(items)],"total":3}}"#)
        }
        let api = try #require(Self.api.api)
        for (method, expected) in [("goods.list", ["1,2", "3"]), ("goods.find", ["1", "1"])] {
            var pages = try PageWalk(Self.caller(method, transport), of: api, [])
            var found: [String] = []
            while let page = try await pages.next() {
                found.append(page.items.map { $0["id"]?.description ?? "" }.joined(separator: ","))
            }
            #expect(found == expected)
        }
        let broken = InMemoryTransport { _ in .json(#"{"data":{"items":[{"id":1}],"total":9}}"#) }
        var pages = try PageWalk(Self.caller("goods.list", broken), of: api, [])
        let first = try await pages.next()
        let second = try await pages.next()
        #expect(first?.answer.violations.map(\.path) == ["data.items[0].name"])
        #expect(second == nil)
        let none = #expect(throws: CallError.self) {
            _ = try PageWalk(Self.caller("goods.get", transport), of: api, ["id=1"])
        }
        #expect(none?.message == "`goods.get` has no `pages`")
    }
}

import Foundation
import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing
import TrackerClient

/// A reply of a media type with header fields.
private func reply(
    _ text: String, status: HTTPResponse.Status = .ok, type: String = "application/json",
    _ fields: [String: String] = [:]
) -> TransportReply {
    var all: HTTPFields = [.contentType: type]
    for (name, value) in fields {
        if let name = HTTPField.Name(name) { all[name] = value }
    }
    return .bytes(Array(text.utf8), status: status, fields: all)
}

@Suite("The generated client of a tracker")
struct TrackerClientTests {
    private let issue = #"{"id": 7, "title": "It crashes"}"#

    private func tracker(
        _ reply: @escaping @Sendable (SentRequest) -> TransportReply
    ) -> (APIManager<Tracker>, InMemoryTransport) {
        let transport = InMemoryTransport { reply($0) }
        let manager = APIManager<Tracker>(
            transport: transport, credentials: .memory(Credential(token: "secret")))
        return (manager, transport)
    }

    private func error(
        of answer: @autoclosure @escaping @Sendable () -> TransportReply,
        _ call: (APIManager<Tracker>) async throws -> Void
    ) async -> APIError? {
        let (tracker, _) = tracker { _ in answer() }
        do { try await call(tracker) } catch { return error as? APIError }
        return nil
    }

    // MARK: Header fields

    @Test("the generated client of a tracker reads typed header fields beside the value")
    func headers() async throws {
        let (tracker, _) = tracker { _ in
            reply(
                "[]",
                [
                    "X-Total-Count": "61", "x-ratelimit-remaining": "12",
                    "Link": #"</v1/issues?page=2>; rel="next", <https://a.example/3>; rel=last"#,
                ])
        }
        let page = try await tracker.issues.list().value
        #expect(page.value.isEmpty && page.count == 0)
        #expect(page.headers.total == 61 && page.headers.remaining == 12)
        let next = "https://api.tracker.example/v1/issues?page=2"
        #expect(page.headers.next?.absoluteString == next)
        #expect(page.headers.last?.absoluteString == "https://a.example/3")
    }

    @Test(
        "the client of a tracker resolves a relative location against the address of the reply",
        arguments: ["issues/8", "/v1/issues/8", "https://api.tracker.example/v1/issues/8"])
    func location(_ location: String) async throws {
        let (tracker, _) = tracker { _ in
            reply(#"{"id": 8, "title": "New"}"#, status: .created, ["Location": location])
        }
        let created = try await tracker.issues.create(title: "New").value
        #expect(
            created.headers.location.absoluteString == "https://api.tracker.example/v1/issues/8")
    }

    @Test("a tracker's list has pages that follow the links, with the header fields of each")
    func list() async throws {
        let (tracker, transport) = tracker { request in
            request.head.path == "/v1/issues?page=1&per_page=1"
                ? reply(
                    #"[{"id": 1, "title": "a"}]"#,
                    ["X-Total-Count": "2", "Link": #"<issues?page=2>; rel="next""#])
                : reply(#"[{"id": 2, "title": "b"}]"#, ["X-Total-Count": "2"])
        }
        var ids: [Int] = []
        for try await page in tracker.issues.listPages(perPage: 1).pages {
            #expect(page.value.headers.total == 2)
            ids += page.items.map(\.id)
        }
        #expect(ids == [1, 2])
        #expect(transport.requests.last?.head.path == "/v1/issues?page=2")
    }

    @Test("the generated client of a tracker follows the links of pages in a group")
    func pages() async throws {
        let (tracker, transport) = tracker { request in
            request.head.path == "/v1/issues?page=1&per_page=2"
                ? reply(
                    #"[{"id": 1, "title": "a"}, {"id": 2, "title": "b"}]"#,
                    [
                        "X-Total-Count": "3", "Link": #"<issues?page=2>; rel="next""#,
                    ])
                : reply(#"[{"id": 3, "title": "c"}]"#)
        }
        let all = tracker.group { group in
            let first = try await group.run(tracker.issues.list(perPage: 2))
            var (issues, next) = (first.value, first.headers.next)
            while let url = next {
                let page = try await group.run(tracker.issues.page(url: url))
                issues += page.value
                next = page.headers.next
            }
            return issues.map(\.id)
        }
        #expect(try await all.value == [1, 2, 3])
        let paths = ["/v1/issues?page=1&per_page=2", "/v1/issues?page=2"]
        #expect(transport.requests.map(\.head.path) == paths)
    }

    @Test(
        "the client of a tracker refuses missing or invalid header fields, with their names",
        arguments: [
            ([:], #"headers["X-Total-Count"]: expected the key, found nothing [required]"#),
            (
                ["X-Total-Count": "many"],
                #"headers["X-Total-Count"]: expected an integer, found "many" [type]"#
            ),
            (
                ["X-Total-Count": "-1"],
                #"headers["X-Total-Count"]: expected at least 0, found -1 [min]"#
            ),
        ])
    func invalidHeaders(_ fields: [String: String], _ violation: String) async throws {
        let error = await error(of: reply("[]", fields)) { _ = try await $0.issues.list().value }
        #expect(error?.violations.map(\.description) == [violation])
        #expect(error?.reason == .unexpectedReply && error?.isRetryable == false)
    }

    @Test("the generated client of a tracker can be faked with header fields")
    func fakes() async throws {
        let fake = IssuesFake()
        fake.onList { _ in
            WithHeaders(
                [Issue(id: 1, title: "a")], headers: IssuesListHeaders(total: 1, remaining: 5))
        }
        let page = try await fake.list().value
        #expect(page.first?.title == "a" && page.headers.total == 1 && page.headers.next == nil)
    }

    @Test("the client's fake answers with the examples of the value and of its header fields")
    func exampleFake() async throws {
        let page = try await IssuesFake.examples.list().value
        #expect(page.value.map(\.title) == ["It crashes"])
        #expect(page.headers.total == 61 && page.headers.remaining == nil)
    }

    @Test("the client's fake fails if the example of a required header field is missing")
    func incompleteExample() async {
        let fake = IssuesFake()
        fake.onList.answer(json: "[]", headers: "{}") { $0.value() }
        let report = await #expect(throws: ValidationReport.self) {
            try await fake.list().value
        }
        #expect(report?.violations.map(\.path) == [#"headers["X-Total-Count"]"#])
    }

    // MARK: Statuses

    @Test("the generated client of a tracker tells replies apart by status")
    func statuses() async throws {
        let replies = [
            reply(#"{"url": "https://a.example/all.zip", "bytes": 9}"#),
            reply(#"{"job": 3, "wait": 60}"#, status: .accepted),
            .bytes(status: .noContent),
        ]
        var seen: [String] = []
        for answer in replies {
            let (tracker, _) = tracker { _ in answer }
            switch try await tracker.issues.export().value {
            case .ok(let export): seen.append("\(export.bytes) bytes")
            case .accepted(let job): seen.append("job \(job.job) in \(job.wait)")
            case .noContent: seen.append("nothing")
            }
        }
        #expect(seen == ["9 bytes", "job 3 in 60.0 seconds", "nothing"])
    }

    @Test("the tracker's client refuses a status it does not list, and another status's shape")
    func otherStatuses() async throws {
        let created = await error(of: reply("{}", status: .created)) {
            _ = try await $0.issues.export().value
        }
        #expect(created?.reason == .status(201))
        let early = await error(of: reply(#"{"job": 3, "wait": 60}"#)) {
            _ = try await $0.issues.export().value
        }
        #expect(early?.violations.map(\.path) == ["url", "bytes"])
    }

    @Test("the client of a tracker checks a reply without its status against each of the shapes")
    func validate() {
        let job = Array(#"{"job": 3, "wait": 60}"#.utf8)
        #expect(Tracker.validate(job, from: .issuesExport).isValid)
        #expect(Tracker.validate(Array("[]".utf8), from: .issuesExport).violations.count == 1)
    }

    // MARK: Media types and text

    @Test("the client of a tracker asks for the accepted media types, and refuses others by name")
    func accepts() async throws {
        let (tracker, transport) = tracker { _ in
            reply("<html>", type: "text/html; charset=utf-8")
        }
        do {
            _ = try await tracker.issues.people(id: 1).value
            Issue.record("a page of HTML was taken for people")
        } catch let error as APIError {
            #expect(
                error.violations.map(\.description) == [
                    "Content-Type: expected application/json, found text/html [accepts]"
                ])
            #expect(!error.isRetryable)
        }
        #expect(transport.requests.map { $0.head.headerFields[.accept] } == ["application/json"])
    }

    @Test(
        "the generated client of a tracker reads text in the charset of the reply",
        arguments: [
            ("text/plain", Array("Grüße".utf8)),
            ("text/plain; charset=UTF-8", [0xEF, 0xBB, 0xBF] + Array("Grüße".utf8)),
            ("text/plain; charset=us-ascii", [0xEF, 0xBB, 0xBF] + Array("Grüße".utf8)),
            ("text/plain; charset=\"ISO-8859-1\"", [0x47, 0x72, 0xFC, 0xDF, 0x65]),
            ("text/csv;charset=utf-16be", [0, 0x47, 0, 0x72, 0, 0xFC, 0, 0xDF, 0, 0x65]),
        ])
    func text(_ type: String, _ bytes: [UInt8]) async throws {
        let (tracker, _) = tracker { _ in
            .bytes(bytes, fields: [.contentType: type])
        }
        #expect(try await tracker.issues.log(id: 1).value == "Grüße")
    }

    @Test("the client reads the characters that Windows-1252 has in place of control characters")
    func western() async throws {
        let (tracker, _) = tracker { _ in
            .bytes([0x80, 0x99, 0x9F], fields: [.contentType: "text/plain; charset=latin1"])
        }
        #expect(try await tracker.issues.log(id: 1).value == "€™Ÿ")
    }

    @Test(
        "the generated client of a tracker refuses what is no text of the charset",
        arguments: [
            ("text/plain", [0xFF, 0x41], "$: expected text in UTF-8, found other bytes"),
            ("text/plain; charset=klingon", [0x41], "Content-Type: expected a known charset"),
            ("image/png", [0x89], "Content-Type: expected text/*, found image/png"),
        ] as [(String, [UInt8], String)])
    func noText(_ type: String, _ bytes: [UInt8], _ words: String) async throws {
        let error = await error(of: .bytes(bytes, fields: [.contentType: type])) {
            _ = try await $0.issues.log(id: 1).value
        }
        #expect(error?.violations.first?.description.hasPrefix(words) == true)
        #expect(error?.isRetryable == false)
    }

    @Test("the generated client of a tracker reads one object where a list may come")
    func objectOrList() async throws {
        let ann = #"{"id": 1, "name": "Ann"}"#
        let (tracker, _) = tracker { request in
            reply(request.head.path == "/v1/issues/1/people" ? ann : "[\(ann)]")
        }
        guard case .person(let person) = try await tracker.issues.people(id: 1).value,
            case .list(let people) = try await tracker.issues.people(id: 2).value
        else {
            Issue.record("a shape was not told apart")
            return
        }
        #expect(person.name == "Ann" && people.map(\.id) == [1])
    }

    // MARK: Logins

    @Test("a reply that is the credential logs in: later calls carry its token")
    func logIn() async throws {
        let (tracker, transport) = tracker { request in
            request.head.path == "/v1/session"
                ? reply(
                    """
                    {"access_token": "new", "refresh_token": "next", "expires_in_ms": 3600000,
                     "user": {"id": 5, "name": "Ann"}}
                    """)
                : reply("{}", status: .noContent)
        }
        let session = try await tracker.session.logIn(name: "ann", password: "pw").value
        #expect(session.user.id == 5)
        let credential = try #require(try await tracker.credentials.read())
        #expect(credential.token == "new" && credential.refreshToken == "next")
        #expect(credential.values == ["id": "5"])
        let life = try #require(credential.expiry?.timeIntervalSinceNow)
        #expect(life > 3000 && life <= 3600)
        try await tracker.issues.close(id: 1).value
        #expect(
            transport.requests.map { $0.head.headerFields[.authorization] } == [nil, "Bearer new"])
    }

    @Test("a login without a token leaves the old credential")
    func logInWithoutToken() async throws {
        let (tracker, _) = tracker { _ in
            reply(#"{"access_token": "", "expires_in_ms": 1, "user": {"id": 5, "name": "A"}}"#)
        }
        await #expect(throws: APIError.self) {
            _ = try await tracker.session.logIn(name: "ann", password: "pw").value
        }
        #expect(try await tracker.credentials.read()?.token == "secret")
    }

    // MARK: Problems

    @Test("the generated client of a tracker reads problem details by status")
    func problems() async throws {
        let problem = reply(
            #"{"title": "Invalid", "detail": "No title.", "fields": {"title": "missing"}}"#,
            status: HTTPResponse.Status(code: 422), type: "application/problem+json")
        let error = await error(of: problem) { _ = try await $0.issues.create(title: "a").value }
        #expect(error?.code(in: Tracker.self) == .invalidInput)
        #expect(error?.detail(in: Tracker.self)?.fields == ["title": "missing"])
        #expect(error?.message == "No title.")
    }
}

import HTTPTypes
import TelexRuntime
import TelexTesting
import Testing
import TrackerClient

@Suite("The page on the shapes of replies")
struct ReplyShapesPageTests {
    private let label = Display()

    private func tracker(
        _ reply: @escaping @Sendable (String?) -> TransportReply
    ) -> APIManager<Tracker> {
        APIManager<Tracker>(
            transport: InMemoryTransport { reply($0.head.path) },
            credentials: .memory(Credential(token: "secret")))
    }

    @Test("the page on the shapes of replies tells statuses apart")
    func statuses() async throws {
        let tracker = tracker { _ in .json(#"{"job": 1, "wait": 5}"#, status: .accepted) }
        switch try await tracker.issues.export().value {
        case .ok(let export): label.show(export.url)
        case .accepted(let job): label.show("ready in", job.wait)
        case .noContent: label.show("no issues")
        }
        #expect(label.lines == ["ready in 5.0 seconds"])
    }

    @Test("the page on the shapes of replies follows links")
    func links() async throws {
        let tracker = tracker { path in
            let isFirst = path?.hasPrefix("/v1/issues?page=1&") == true
            var fields: HTTPFields = [HTTPField.Name("X-Total-Count")!: "2"]
            if isFirst { fields[HTTPField.Name("Link")!] = "<issues?page=2>; rel=next" }
            return .json(#"[{"id": 1, "title": "Dusk"}]"#, fields: fields)
        }
        let first = try await tracker.issues.list().value
        label.show(first.count, "of", first.headers.total)
        var (issues, next) = (first.value, first.headers.next)
        while let url = next {
            let page = try await tracker.issues.page(url: url).value
            issues += page.value
            next = page.headers.next
        }
        #expect(label.lines == ["1 of 2"] && issues.count == 2)
    }

    @Test("the page on the shapes of replies fakes header fields")
    func fakes() async throws {
        let fake = IssuesFake()
        fake.onList { _ in
            WithHeaders([Issue(id: 1, title: "Dusk")], headers: IssuesListHeaders(total: 1))
        }
        #expect(try await fake.list().value.headers.total == 1)
    }

    @Test("the page on the shapes of replies logs in")
    func logIn() async throws {
        let (name, password) = ("Ann", "correct")
        let tracker = tracker { path in
            path == "/v1/session"
                ? .json(
                    #"{"access_token": "a", "expires_in_ms": 3600000, "user": {"id": 1, "name": "A"}}"#
                )
                : .bytes(status: .noContent)
        }
        let session = try await tracker.session.logIn(name: name, password: password).value
        try await tracker.issues.close(id: 1).value  // carries the new token
        #expect(session.user.name == "A")
        #expect(try await tracker.credentials.read()?.token == "a")
    }
}

import Foundation
import TelexRuntime
import Testing
import TrackerClient

extension RealServerTests {
    @Suite("a tracker made of Flask", .withAuthlib)
    struct TrackerTests {
        private static func run(
            _ body: @Sendable (APIManager<Tracker>) async throws -> Void
        ) async throws {
            try await TokenServer.run { server in
                let tracker = APIManager<Tracker>(transport: PatientTransport()) {
                    $0.server = .url("\(server.address)v1/")
                }
                _ = try await tracker.session.logIn(name: "Ann", password: "correct").value
                try await body(tracker)
            }
        }

        private static func error<Value>(
            of operation: NetworkOperation<Value>
        ) async -> APIError? {
            do { _ = try await operation.value } catch { return error as? APIError }
            return nil
        }

        @Test("a tracker made of Flask logs in with the reply of a method")
        func logIn() async throws {
            try await Self.run { tracker in
                let credential = try await tracker.credentials.read()
                #expect(credential?.token == "t1" && credential?.values == ["id": "5"])
            }
        }

        @Test("a tracker made of Flask leads from page to page with links")
        func pages() async throws {
            try await Self.run { tracker in
                let first = try await tracker.issues.list(perPage: 3).value
                #expect(first.headers.total == 7)
                #expect(first.headers.last?.query() == "page=3&per_page=3")
                var (ids, next) = (first.value.map(\.id), first.headers.next)
                while let url = next {
                    let page = try await tracker.issues.page(url: url).value
                    ids += page.value.map(\.id)
                    next = page.headers.next
                }
                #expect(ids == Array(1...7))
            }
        }

        @Test("a tracker has a list whose pages follow its links, also from a stored position")
        func list() async throws {
            try await Self.run { tracker in
                let list = tracker.issues.listPages(perPage: 3)
                var (ids, positions) = ([Int](), [PagePosition]())
                for try await page in list.pages {
                    ids += page.items.map(\.id)
                    positions.append(page.position)
                }
                #expect(ids == Array(1...7) && positions.count == 3)
                let rest = list.starting(at: positions[1]).items
                #expect(try await rest.reduce(into: []) { $0.append($1.id) } == [4, 5, 6, 7])
            }
        }

        @Test("a tracker made of Flask answers with problem details")
        func problems() async throws {
            try await Self.run { tracker in
                let missing = await Self.error(of: tracker.issues.log(id: 99))
                #expect(missing?.code(in: Tracker.self) == .notFound)
                #expect(missing?.message == "There is no issue 99.")
                let closed = await Self.error(of: tracker.issues.close(id: 1))
                #expect(closed?.code(in: Tracker.self) == .alreadyClosed)
                #expect(closed?.detail(in: Tracker.self)?.detail == "Issue 1 is closed.")
                let login = await Self.error(
                    of: tracker.session.logIn(name: "Ann", password: "wrong"))
                #expect(login?.code(in: Tracker.self) == .invalidInput)
                #expect(login?.detail(in: Tracker.self)?.fields == ["password": "wrong"])
            }
        }

        @Test(
            "a tracker made of Flask answers by status, with text, and with one person or several")
        func shapes() async throws {
            try await Self.run { tracker in
                guard case .accepted(let job) = try await tracker.issues.export().value,
                    case .ok(let export) = try await tracker.issues.export().value,
                    case .noContent = try await tracker.issues.export().value,
                    case .person = try await tracker.issues.people(id: 1).value,
                    case .list = try await tracker.issues.people(id: 2).value
                else {
                    Issue.record("another shape")
                    return
                }
                #expect(job.wait == .milliseconds(500) && export.bytes == 9)
                #expect(try await tracker.issues.log(id: 1).value == "Grüße")
                let created = try await tracker.issues.create(title: "New").value
                #expect(created.headers.location.path() == "/v1/issues/8/log")
                #expect(created.headers.etag == "\"one\"")
                guard case .created(let issue) = created.value else {
                    Issue.record("the status is not 201")
                    return
                }
                #expect(issue.title == "New")
            }
        }
    }
}

import Foundation
import KintoClient
import TelexRuntime
import Testing

extension RealServerTests {
    @Suite("a Kinto store of records", .withKinto)
    struct KintoTests {
        /// Runs Kinto with a bucket of this many notes.
        private static func run(
            notes count: Int, _ body: @Sendable (APIManager<Kinto>) async throws -> Void
        ) async throws {
            try await KintoServer.run { address in
                let kinto = APIManager<Kinto>(transport: PatientTransport()) {
                    $0.server = .url(address)
                }
                try await kinto.logIn(Credential(user: "ann", password: "secret"))
                _ = try await kinto.buckets.create(bucket: "shop", permissions: .init()).value
                _ = try await kinto.buckets.addNotes(bucket: "shop").value
                for number in 1...count {
                    let note = NotesAddData(text: "Note \(number)")
                    _ = try await kinto.notes.add(bucket: "shop", data: note).value
                }
                try await body(kinto)
            }
        }

        @Test("a Kinto store of records leads from page to page by a header field")
        func pages() async throws {
            try await Self.run(notes: 7) { kinto in
                let first = try await kinto.notes.list(bucket: "shop", limit: 3).value
                var (texts, next) = (first.value.map(\.text), first.headers.next)
                while let url = next {
                    let page = try await kinto.notes.page(url: url).value
                    texts += page.value.map(\.text)
                    next = page.headers.next
                }
                #expect(texts == (1...7).reversed().map { "Note \($0)" })
            }
        }

        @Test(
            "Kinto answers a list again from the cache, confirms it, and forgets it after a change")
        func caching() async throws {
            try await Self.run(notes: 2) { kinto in
                let list = { (use: CacheUse?) in
                    try await kinto.notes.list(
                        bucket: "shop", options: CallOptions(cache: use)
                    ).response
                }
                #expect(try await list(nil).source == .network)
                let again = try await list(nil)
                #expect(again.source == .cache && again.value.value.count == 2)
                let confirmed = try await list(.validate)
                #expect(confirmed.source == .revalidated)
                #expect(confirmed.value.headers.version == again.value.headers.version)
                _ = try await kinto.notes.add(bucket: "shop", data: NotesAddData(text: "New")).value
                let new = try await list(nil)
                #expect(new.source == .network && new.value.value.first?.text == "New")
                let id = try #require(new.value.value.first?.id)
                _ = try await kinto.notes.get(bucket: "shop", id: id).value
                _ = try await kinto.notes.remove(bucket: "shop", id: id).value
                // The list has another path, so it is asked for with the version that it had.
                #expect(try await list(.validate).source == .network)
                do {
                    _ = try await kinto.notes.get(bucket: "shop", id: id).value
                    Issue.record("the note is still there")
                } catch let error as APIError {
                    #expect(error.code(in: Kinto.self) == .missing)
                }
            }
        }

        @Test("a Kinto store of records refuses a change to another version of a note")
        func versions() async throws {
            try await Self.run(notes: 1) { kinto in
                let listed = try await kinto.notes.list(bucket: "shop").value
                let id = try #require(listed.value.first?.id)
                let note = try await kinto.notes.get(bucket: "shop", id: id).value
                let change = { (text: String) in
                    kinto.notes.change(
                        bucket: "shop", id: id, data: NotesChangeData(text: text),
                        version: note.headers.version)
                }
                #expect(try await change("First").value.text == "First")
                do {
                    _ = try await change("Second").value
                    Issue.record("the change was accepted")
                } catch let error as APIError {
                    #expect(error.code(in: Kinto.self) == .changed && error.status == 412)
                    #expect(error.message == "Resource was modified meanwhile")
                }
                #expect(
                    try await kinto.notes.get(bucket: "shop", id: id).value.value.text == "First")
            }
        }
    }
}

import GalleryClient
import TelexRuntime
import TelexTesting
import Testing

@Suite("The page on queues and limits")
struct QueuesAndLimitsPageTests {
    @Test("the page on queues and limits starts a group in a queue")
    func groups() async throws {
        let gallery = APIManager<Gallery>(
            transport: InMemoryTransport { _ in .json(#"{"id": 7, "title": "Dawn"}"#) },
            credentials: .memory(Credential(token: "t")))
        let start = GroupStart(queue: "edits", throttle: Throttle(.seconds(30), from: .end))
        let sync = gallery.group("sync", start: start) { group in
            try await group.run(gallery.pictures.rename(id: 7, title: "Dawn"))
        }
        #expect(try await sync.value.title == "Dawn")
        #expect(gallery.group("sync", start: start) { _ in }.throttledUntil != nil)
    }
}

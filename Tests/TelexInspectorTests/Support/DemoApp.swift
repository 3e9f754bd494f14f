import Foundation
import GalleryClient
import TelexInspector
import TelexRuntime
import TelexTesting
import TrackerClient

/// An app that makes 200 calls to two servers, and shows them to an inspector: 8 that find nothing, 4 that
/// meet a busy server twice, 3 that lose their connection, 5 with a reply that is not as the spec says, 20
/// with an expired token, 20 in a serial queue, 11 to a stored reply, 3 pages of a list and a download.
struct DemoApp {
    private let gallery: APIManager<Gallery>
    private let tracker: APIManager<Tracker>
    private let listener: InspectorListener

    init(showing inspector: Inspector) {
        let clock = DemoClock()
        let transport = DemoServer(clock)
        let listener = InspectorListener(
            transport: InMemoryTransport(serving: inspector.answer), app: "Demo",
            clock: clock.runtimeClock)
        self.listener = listener
        gallery = APIManager<Gallery>(
            transport: transport, credentials: .memory(Credential(token: "old", refreshToken: "r1"))
        ) {
            $0.listeners = [listener]
            $0.settings.clock = clock.runtimeClock
        }
        tracker = APIManager<Tracker>(
            transport: transport, credentials: .memory(Credential(token: "old"))
        ) {
            $0.listeners = [listener]
            $0.settings.clock = clock.runtimeClock
        }
    }

    func run() async {
        for _ in 0..<10 { await all(10) { _ in gallery.pictures.list(options: .owner("feed")) } }
        await all(25) { gallery.pictures.search(text: "dusk\($0)", options: .owner("search")) }
        await all(8) { gallery.pictures.search(text: "none\($0)", options: .owner("search")) }
        await all(4) { gallery.pictures.search(text: "busy\($0)", options: .owner("search")) }
        await all(3) { gallery.pictures.search(text: "lost\($0)", options: .owner("search")) }
        await all(20) {
            gallery.pictures.rename(id: $0 + 10, title: "Noon", options: .owner("editor"))
        }
        await all(20) { _ in gallery.account.get(options: .owner("profile")) }
        await all(5) { _ in
            gallery.pictures.list(painter: "broken", options: .owner("feed"))
        }
        for _ in 0..<11 { await all(1) { _ in gallery.pictures.popular(options: .owner("feed")) } }
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try? await gallery.pictures.original(
            id: 7, to: file.path, options: .owner("viewer")
        ).value
        do {
            for try await _ in tracker.issues.listPages(perPage: 1).items {}
        } catch {}
        await listener.flush()
    }

    /// Runs calls at the same time, to their ends.
    private func all<Output>(
        _ count: Int, _ make: (Int) -> DataOperation<Output>
    ) async {
        let calls = (0..<count).map(make)
        for call in calls { call.start() }
        for call in calls { _ = try? await call.value }
    }
}

extension CallOptions {
    fileprivate static func owner(_ name: String) -> CallOptions {
        CallOptions(owner: OperationOwner(name))
    }
}

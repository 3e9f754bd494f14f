import Dispatch
import GalleryClient
import TelexRuntime
import TelexTesting
import Testing

@Suite("The page on the lifecycle of an operation")
struct OperationLifecyclePageTests {
    private struct Screen: Sendable {
        let name: String
        let own: [Picture]
        let found: Result<[Picture], any Error>
    }

    final class GalleryModel: Sendable {
        let gallery: APIManager<Gallery>
        let scope: OperationScope

        init(_ gallery: APIManager<Gallery>) {
            self.gallery = gallery
            scope = OperationScope(gallery)
        }

        func load() -> DataOperation<[Picture]> {
            gallery.pictures.list(options: CallOptions(owner: scope.owner))
        }
    }

    private let label = Display()
    private let log = Display()
    private let bar = Display()

    @Test("the page on the lifecycle of an operation begins with a handle")
    func handle() async throws {
        let transport = galleryTransport
        let gallery = APIManager<Gallery>(transport: transport, credentials: credentials)
        let call = gallery.pictures.get(id: 7)
        #expect(call.state == .ready)
        let picture = try await call.value
        #expect(picture.title == "Dusk")
        #expect(call.state == .succeeded)
    }

    @Test("the page on the lifecycle of an operation has the controls of a player")
    func controls() async {
        let gate = Gate()
        let gallery = makeGallery(after: gate)
        let call = gallery.pictures.list().start()
        #expect(call.state == .running(attempt: 1))
        call.suspend()
        #expect(call.state == .suspended)
        call.resume()
        #expect(call.state == .running(attempt: 1))
        call.toggle()
        #expect(call.state == .suspended)
        call.cancel()
        #expect(call.state == .cancelled)
    }

    @Test("the page on the lifecycle of an operation tells what happens")
    func following() async throws {
        let call = makeGallery().pictures.list()
        Task { for await state in call.states { label.show(state) } }
        Task { for await event in call.events { log.show(event) } }
        Task { for await progress in call.progress { bar.show(progress.fraction) } }
        call.onProgress(on: MainActor.shared) { progress in bar.show(progress.fraction) }
        await label.isUsed.wait()
        let response = try await call.response
        label.show(response.attempts.count, response.metrics.total)
        #expect(response.attempts.map(\.status) == [200])
        #expect(response.metrics.total >= response.metrics.working)
    }

    @Test("the page on the lifecycle of an operation knows closures and threads")
    func callbacks() async throws {
        let gallery = makeGallery()
        gallery.pictures.get(id: 7).start { result in label.show(result) }
        await label.isUsed.wait()
        #expect(label.lines.first?.hasPrefix("success") == true)
        let count = try await withCheckedThrowingContinuation { done in
            DispatchQueue.global().async {
                done.resume(
                    with: Result {
                        let newest = try gallery.pictures.list().waitSync()
                        return newest.count
                    })
            }
        }
        #expect(count == 1)
    }

    @Test("the lifecycle page gives out turns, and ends what is not wanted any more")
    func turns() async {
        let gallery = makeGallery(after: Gate())
        let urgent = CallOptions(queue: "edits", priority: .high, tags: ["sync"])
        gallery.pictures.rename(id: 7, title: "Dawn", options: urgent).start()
        let second = gallery.pictures.rename(id: 8, title: "Dusk", options: urgent)
        second.start()
        #expect(second.state == .queued)
        var model: GalleryModel? = GalleryModel(gallery)
        let list = model?.load()
        list?.start()
        model = nil
        #expect(list?.state == .cancelled)
        let low = gallery.pictures.list(options: CallOptions(priority: .low))
        let other = gallery.pictures.list()
        for call in [low, other] { call.start() }
        gallery.cancel(tag: "sync")
        #expect(second.state == .cancelled)
        gallery.cancel { $0.priority == .low }
        #expect([low.state, other.state] == [.cancelled, .running(attempt: 1)])
        gallery.cancelAll()
        #expect(gallery.operations.isEmpty)
    }

    @Test("the page on the lifecycle of an operation lets one operation wait for another")
    func dependencies() async throws {
        let transport = InMemoryTransport { request in
            request.head.method == .patch ? .json(#"{"id": 7, "title": "Dusk"}"#) : .json("[]")
        }
        let gallery = makeGallery(transport)
        let renamed = gallery.pictures.rename(id: 7, title: "Dusk")
        let listed = gallery.operation(PicturesRequests.list(painter: nil), after: [renamed])
        listed.start()
        #expect(listed.state == .queued)
        renamed.start()
        #expect(try await listed.value == [])
        #expect(transport.requests.map(\.head.method) == [.patch, .get])
    }

    @Test("the lifecycle page calls a method by its name, and checks a reply without a call")
    func byName() async throws {
        let reply = #"{"id": 7, "title": "Dusk"}"#
        let gallery = makeGallery(InMemoryTransport { _ in .json(reply) })
        let request = try Gallery.request(.picturesGet, properties: ["id": 7])
        let picture = try await gallery.operation(request).value
        #expect((picture as? Picture)?.title == "Dusk")
        let report = Gallery.validate(Array(reply.utf8), from: .picturesGet)
        #expect(report.isValid)
    }

    @Test("the page on the lifecycle of an operation refuses what comes too soon")
    func throttled() async throws {
        let clock = VirtualClock()
        let gallery = APIManager<Gallery>(transport: galleryTransport, credentials: credentials) {
            $0.settings.clock = clock.runtimeClock
        }
        var hits = try await gallery.pictures.search(text: "sea").value
        do {
            hits = try await gallery.pictures.search(text: "sea").value
        } catch let error as APIError {
            if case .throttled(let moment) = error.reason { label.show(moment) }
        }
        #expect(hits.count == 1)
        #expect(label.lines == ["\(clock.date.addingTimeInterval(0.5))"])
    }

    @Test("the page on the lifecycle of an operation sends once what is to be sent once")
    func retries() async throws {
        let gallery = makeGallery()
        let once = CallOptions(timeouts: Timeouts(total: .seconds(30)), retry: .never)
        let list = try await gallery.pictures.list(options: once).value
        #expect(list.count == 1)
        let transport = InMemoryTransport { _ in .bytes(status: .serviceUnavailable) }
        await #expect(throws: APIError.self) {
            try await makeGallery(transport).pictures.list(options: once).value
        }
        #expect(transport.requests.count == 1)
    }

    @Test("the page on the lifecycle of an operation makes one of several")
    func groups() async throws {
        let gallery = makeGallery()
        let steps: [OperationProgress.Step] = [.init("account"), .init("pictures", weight: 4)]
        let screen = gallery.group("screen", steps: steps) { group in
            let me = try await group.run(gallery.account.get(), step: "account")
            async let own = group.run(gallery.pictures.list(painter: me.name), step: "pictures")
            let hits = try await group.attempt(gallery.pictures.search(text: me.name))
            return try await Screen(name: me.name, own: own, found: hits)
        }
        Task { for await progress in screen.progress { bar.show(progress.fraction) } }
        let shown = try await screen.value
        #expect(shown.name == "Ann" && shown.own.count == 1)
        #expect(try shown.found.get().count == 1)
        #expect(screen.state == .succeeded)
    }

    @Test("the page on the lifecycle of an operation ends a group of tasks with the first failure")
    func firstFailure() async {
        let transport = InMemoryTransport { request in
            if request.head.path?.contains("Bob") == true { return .json("{}", status: .notFound) }
            await Gate().wait()
            return .json("[]")
        }
        let gallery = makeGallery(transport)
        let both = gallery.group("both") { group in
            try await withThrowingTaskGroup { tasks in
                for painter in ["Ann", "Bob"] {
                    tasks.addTask { try await group.run(gallery.pictures.list(painter: painter)) }
                }
                return try await tasks.reduce(into: []) { $0 += $1 }
            }
        }
        let error = await #expect(throws: APIError.self) { try await both.value }
        #expect(error?.status == 404)
        #expect(both.state == .failed)
    }
}

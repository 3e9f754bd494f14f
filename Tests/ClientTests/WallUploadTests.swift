import TelexRuntime
import TelexTesting
import Testing
import VKClient

@testable import demo

/// The calls that upload and save one picture.
private let onePicture = ["photos.getWallUploadServer", "upload", "photos.saveWallPhoto"]

@Suite("A group that uploads pictures to a wall")
struct WallUploadTests {
    private let vk = ScriptedVKServer()

    private func pictures(_ count: Int) -> [UploadFile] {
        (1...count).map { number in
            UploadFile(bytes: [0xFF, 0xD8, 0xFF, UInt8(number)], name: "\(number).jpg")
        }
    }

    @Test("a group that uploads pictures to a wall uploads one after the other into one post")
    func success() async throws {
        #expect(try await vk.manager().post(pictures(3), saying: "Look!").value == 55)
        #expect(vk.calls == onePicture + onePicture + onePicture + ["wall.post"])
        let post = try #require(vk.requests("wall.post").first)
        #expect(post.form["attachments"] == "photo7_101,photo7_102,photo7_103")
        #expect(post.form["message"] == "Look!")
    }

    @Test("a group that uploads pictures to a wall uploads one to the server of the demo")
    func demo() async throws {
        let clock = VirtualClock()
        let transport = InMemoryTransport(serving: { request in
            clock.advance(by: .seconds(1))
            return FakeVKServer.answer(request)
        })
        let manager = APIManager<VK>(
            transport: transport,
            credentials: .memory(Credential(token: "old", values: ["user_id": "7"]))
        ) {
            $0.server = .named("local", ["port": "9090"])
            $0.settings.clock = clock.runtimeClock
        }
        #expect(try await manager.post(pictures(1), saying: "Dusk").value == 55)
        #expect(transport.requests.map(\.name) == onePicture + ["wall.post"])
        #expect(transport.requests[1].head.authority == "127.0.0.1:9090")
        #expect(transport.requests[1].query == ["ticket": "1"])
    }

    @Test("a group sends files to the given address without the token, saving them by its reply")
    func addresses() async throws {
        _ = try await vk.manager().post(pictures(2), saying: "Look!").value
        let uploads = vk.requests("upload")
        #expect(uploads.map(\.head.authority) == ["upload.vk.test", "upload.vk.test"])
        #expect(uploads.map(\.head.path) == ["/upload?ticket=1", "/upload?ticket=2"])
        for (upload, number) in zip(uploads, 1...) {
            #expect(upload.text.contains(#"name="photo"; filename="\#(number).jpg""#))
            #expect(upload.text.contains("Content-Type: image/jpeg"))
            #expect(upload.body.firstRange(of: [0xFF, 0xD8, 0xFF, UInt8(number)]) != nil)
            #expect(!upload.text.contains("old"))
        }
        let kept = vk.requests("photos.saveWallPhoto").map(\.form)
        #expect(kept.map { $0["photo"] } == ["photo of 1", "photo of 2"])
        #expect(kept.map { $0["server"] } == ["9", "9"])
        #expect(kept.map { $0["hash"] } == ["hash1", "hash2"])
    }

    @Test("a group that uploads pictures to a wall reports progress step by step, never backwards")
    func progress() async throws {
        let upload = vk.manager().post(pictures(2), saying: "Look!")
        let progress = upload.progress
        let seen = Task { await progress.reduce(into: []) { $0.append($1) } }
        _ = try await upload.value
        let all = await seen.value
        let labels = ["1.jpg", "2.jpg"].flatMap {
            ["asking where to send \($0)", "sending \($0)", "keeping \($0)"]
        }
        #expect(all.last?.steps.map(\.label) == labels + ["posting"])
        #expect(all.filter(\.hasStarted).allSatisfy { $0.steps.count == 7 })
        let fractions = all.compactMap(\.fraction)
        #expect(fractions == fractions.sorted())
        #expect(fractions.last == 1)
    }

    @Test("a group that uploads pictures stops when cancelled, and leaves no operation running")
    func cancelled() async throws {
        let (stalled, letGo) = (Gate(), Gate())
        vk.meet { sent throws(TransportError) in
            guard sent.query["ticket"] == "2" else { return nil }
            stalled.open()
            await Gate().wait()
            letGo.open()
            throw .cancelled
        }
        let manager = vk.manager()
        let upload = manager.post(pictures(3), saying: "Look!")
        upload.start()
        await stalled.wait()
        let running = manager.operations
        #expect(Set(running.map(\.method)) == ["wall upload", "photos.upload"])
        upload.cancel()
        await letGo.wait()
        await #expect(throws: CancellationError.self) { try await upload.value }
        for operation in running { for await _ in operation.states {} }
        #expect(running.map(\.state) == [.cancelled, .cancelled])
        #expect(manager.operations.isEmpty)
        #expect(vk.calls == onePicture + onePicture.dropLast())
    }

    @Test("a group that uploads pictures stops at the first error, which names its method")
    func firstError() async throws {
        vk.meet { sent throws(TransportError) in
            sent.form["hash"] == "hash2"
                ? .json(#"{"error": {"error_code": 121, "error_msg": "invalid hash"}}"#) : nil
        }
        let manager = vk.manager()
        let upload = manager.post(pictures(3), saying: "Look!")
        let error = await #expect(throws: APIError.self) { try await upload.value }
        #expect(error?.method == "photos.saveWallPhoto")
        #expect(error?.code(in: VK.self) == .invalidHash)
        #expect(upload.state == .failed)
        #expect(vk.calls == onePicture + onePicture)
        #expect(manager.operations.isEmpty)
    }

    @Test(
        "a group that uploads pictures continues with a new token when the old one expires",
        arguments: [1, 2])
    func expired(picture: Int) async throws {
        vk.meet { [vk] sent throws(TransportError) in
            if sent.query["ticket"] == "\(picture)" { vk.goodToken.withLock { $0 = "new" } }
            return nil
        }
        let upload = vk.manager().post(pictures(2), saying: "Look!")
        #expect(try await upload.value == 55)
        #expect(vk.logins.withLock { $0 } == 1)
        // The refused request was repeated, and no other one.
        #expect(vk.requests("photos.saveWallPhoto").count == 3)
        #expect(vk.requests("upload").count == 2)
        let post = try #require(vk.requests("wall.post").first)
        #expect(post.form["attachments"] == "photo7_101,photo7_102")
        #expect(vk.requests("wall.post").count == 1)
    }
}

import Foundation
import TelexRuntime
import TelexTesting
import TelexURLSession
import Testing
import VKClient

/// The code of the README, as it is written there.
@Suite("The README")
struct ReadmeTests {
    /// A screen that posts a photo.
    private final class WallScreen: Sendable {
        let vk: APIManager<VK>
        let bar = Display()
        /// Opens when the buttons of the player have been pressed.
        let isPlayed: Gate

        init(_ vk: APIManager<VK>, _ isPlayed: Gate) {
            self.vk = vk
            self.isPlayed = isPlayed
        }

        func post(_ photo: UploadFile) async throws -> Int {
            let post = vk.group("post a photo", owner: self) { [vk] group in
                let server = try await group.run(vk.photos.getWallUploadServer())
                let upload = vk.photos.upload(uploadURL: server.uploadURL, photo: photo)
                let sent = try await group.run(upload)
                let save = vk.photos.saveWallPhoto(
                    photo: sent.photo, server: sent.server, hash: sent.hash)
                let saved = try await group.run(save)
                let names = saved.map { "photo\($0.ownerID)_\($0.id)" }
                return try await group.run(vk.wall.post(attachments: names)).postID
            }
            post.onProgress { [bar] in bar.show($0.fraction) }.start()
            post.toggle()
            #expect(post.state == .suspended)
            post.toggle()
            #expect(post.state == .running(attempt: 1))
            isPlayed.open()
            let id = try await post.value
            vk.cancel(owner: self)
            return id
        }
    }

    /// The reply of VK to a request of the upload.
    private func reply(to path: String) -> String {
        switch path.prefix(while: { $0 != "?" }).split(separator: "/").last {
        case "photos.getWallUploadServer":
            #"""
            {"response": {"upload_url": "https://upload.test/u", "album_id": -14, "user_id": 1}}
            """#
        case "u": #"{"server": 3, "photo": "[1]", "hash": "h"}"#
        case "photos.saveWallPhoto":
            #"""
            {"response": [{"id": 9, "owner_id": 1, "album_id": -14, "date": 1, "has_tags": false}]}
            """#
        default: #"{"response": {"post_id": 44}}"#
        }
    }

    private let credential = Credential(token: "t", values: ["user_id": "1"])

    @Test("the README has calls that compile and do what the README says")
    func calls() async throws {
        let transport = InMemoryTransport { request in
            request.head.path?.contains("wall.post") == true
                ? .json(
                    #"{"error": {"error_code": 14, "error_msg": "no", "captcha_sid": "1", "#
                        + #""captcha_img": "https://vk.test/c"}}"#)
                : .json(#"{"response": {"count": 0, "items": []}}"#)
        }
        let vk = APIManager<VK>(transport: transport, credentials: .memory(credential))

        let call = vk.wall.get(count: 50)
        #expect(transport.requests.isEmpty)
        let page = try await call.value
        #expect(page.count == 0)

        var isRefused = false
        do {
            _ = try await vk.wall.post(message: "Hello").value
        } catch let error as APIError where error.code(in: VK.self) == .captchaNeeded {
            let captcha = error.detail(as: Captcha.self)
            isRefused = captcha != nil
        }
        #expect(isRefused)
    }

    #if canImport(Security)
        @Test("the README has a manager with the keychain that can be created")
        func keychain() {
            let vk = APIManager<VK>(transport: .urlSession, credentials: .keychain("vk"))
            #expect(vk.operations.isEmpty)
        }
    #endif

    @Test("the README has a manager that can be created")
    func manager() throws {
        let folder = try FileManager.default.url(
            for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil,
            create: true)
        let vk = APIManager<VK>(
            transport: .urlSession, credentials: .file(folder.appending(path: "vk.json").path))
        #expect(vk.operations.isEmpty)
        #expect(FileManager.default.isWritableFile(atPath: folder.path))
    }

    @Test("the README has a group that posts a photo")
    func groups() async throws {
        let (isPlayed, isSaved, clock) = (Gate(), Gate(), VirtualClock())
        let transport = InMemoryTransport { request in
            await isPlayed.wait()
            let path = request.head.path ?? ""
            if path.contains("saveWallPhoto") { isSaved.open() }
            return .json(reply(to: path))
        }
        let screen = WallScreen(
            APIManager<VK>(transport: transport, credentials: .memory(credential)) {
                $0.settings.clock = clock.runtimeClock
            },
            isPlayed)
        async let post = screen.post(
            UploadFile(bytes: [1, 2, 3], name: "a.png", type: "image/png"))
        await isSaved.wait()
        // VK allows three requests a second, and this is the fourth.
        clock.advance(by: .seconds(1))
        #expect(try await post == 44)
        #expect(transport.requests.last?.text.contains("photo1_9") == true)
        #expect(transport.requests.count == 4)
    }

    @Test("the README shows only calls that a test runs, and settings that a spec has")
    func pieces() throws {
        let readme = try Page("README.md")
        let tests = try Page.files("swift", in: "Tests/ClientTests")
        let calls = readme.pieces(of: "swift").filter { piece in
            ["vk.", "\"vk\""].contains { piece.joined().contains($0) }
        }.dropFirst()
        #expect(calls.count == 5)
        for call in calls {
            #expect(tests.contains { $0.hold(call) }, "\(call.joined(separator: "\n"))")
        }
        let spec = Page.lines(try Page("specs/vk/api.yaml").text)
        let settings = readme.pieces(of: "yaml").filter { $0.first != "# file: users.yaml" }
            .filter { $0.first != "models:" }
        #expect(settings.count == 2)
        for piece in settings {
            #expect(spec.hold(piece.filter { !$0.hasPrefix("# file") }), "\(piece)")
        }
    }
}

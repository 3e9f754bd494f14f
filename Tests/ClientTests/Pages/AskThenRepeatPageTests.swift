import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing
import VKClient

extension APIManager where API == VK {
    func asking<Output>(
        _ ask: @escaping @Sendable (Captcha) async throws -> String,
        _ call: @escaping @Sendable (_ sid: String?, _ key: String?) -> DataOperation<Output>
    ) -> GroupOperation<Output> {
        group("asking") { [self] steps in
            var answer: (sid: String, key: String)?
            while true {
                do {
                    return try await steps.run(call(answer?.sid, answer?.key))
                } catch let error as APIError where error.code(in: VK.self) == .captchaNeeded {
                    guard let captcha = error.detail(as: Captcha.self) else { throw error }
                    let question = group("captcha", start: GroupStart(queue: "questions")) { _ in
                        try await ask(captcha)
                    }
                    answer = (captcha.captchaSid, try await steps.run(question))
                }
            }
        }
    }
}

/// A screen whose user answers when the test says so.
private final class CaptchaScreen: Sendable {
    private typealias Answer = CheckedContinuation<String, any Error>

    private let questions = Lock<[(sid: String, answer: Answer)]>([])
    private let asked = Lock<[String]>([])

    /// The captchas that have been shown.
    var shown: [String] { asked.withLock { $0 } }
    /// How many questions are on the screen.
    var open: Int { questions.withLock { $0.count } }

    func ask(_ captcha: Captcha) async throws -> String {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { answer in
                questions.withLock { $0.append((captcha.captchaSid, answer)) }
                asked.withLock { $0.append(captcha.captchaSid) }
                if Task.isCancelled { reply(throwing: CancellationError()) }
            }
        } onCancel: {
            reply(throwing: CancellationError())
        }
    }

    /// Answers the question on the screen with the text of its picture.
    func reply(_ suffix: String = "") {
        let question = questions.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let question { question.answer.resume(returning: "text of \(question.sid)\(suffix)") }
    }

    func reply(throwing error: any Error) {
        questions.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.answer.resume(throwing: error)
    }

    /// Returns once this many captchas have been shown.
    func hasShown(_ count: Int) async { while shown.count < count { await Task.yield() } }
}

@Suite("The page on questions to the user")
struct AskThenRepeatPageTests {
    private let server = ScriptedVKServer()
    private let screen = CaptchaScreen()
    private let vk: APIManager<VK>

    init() {
        let captchas = Lock(0)
        server.meet { sent throws(TransportError) in
            guard sent.name == "wall.post" else { return nil }
            if let sid = sent.form["captcha_sid"], sent.form["captcha_key"] == "text of \(sid)" {
                return nil
            }
            let number = captchas.withLock { count in
                count += 1
                return count
            }
            return .json(
                #"{"error": {"error_code": 14, "error_msg": "Captcha needed", "captcha_sid": "#
                    + #""\#(number)", "captcha_img": "https://vk.test/\#(number).png"}}"#)
        }
        vk = server.manager()
    }

    private func post(_ message: String) -> GroupOperation<WallPostReply> {
        vk.asking(screen.ask) { [vk] sid, key in
            vk.wall.post(message: message, captchaSid: sid, captchaKey: key)
        }
    }

    @Test("the page on questions asks once, and repeats a call with the answer, as one operation")
    func once() async throws {
        let post = vk.asking(screen.ask) { sid, key in
            vk.wall.post(message: "Hello", captchaSid: sid, captchaKey: key)
        }
        post.start()
        await screen.hasShown(1)
        #expect(post.state == .running(attempt: 1))
        #expect(Set(vk.operations.map(\.method)) == ["asking", "captcha"])
        screen.reply()
        let id = try await post.start().value.postID
        #expect(id == 55)
        #expect(screen.shown == ["1"] && vk.operations.isEmpty)
        let forms = server.requests("wall.post").map(\.form)
        #expect(forms.map { $0["message"] } == ["Hello", "Hello"])
        #expect(forms.map { $0["captcha_key"] } == [nil, "text of 1"])
    }

    @Test("the page asks nothing if the server asks nothing, and fails with any other error")
    func unasked() async throws {
        let loaded = vk.asking(screen.ask) { _, _ in vk.photos.getWallUploadServer() }
        #expect(try await loaded.value.albumID == -14)
        let failed = vk.asking(screen.ask) { _, _ in vk.users.get() }
        let error = await #expect(throws: APIError.self) { try await failed.value }
        #expect(error?.code(in: VK.self) == .unknownMethod && screen.shown.isEmpty)
    }

    @Test("the page shows one question at a time, asks each once, and lets other calls go on")
    func several() async throws {
        let posts = ["a", "b", "c"].map { post($0).start() }
        for number in 1...3 {
            await screen.hasShown(number)
            #expect(screen.open == 1)
            #expect(try await vk.photos.getWallUploadServer().value.albumID == -14)
            screen.reply()
        }
        for post in posts { #expect(try await post.value.postID == 55) }
        #expect(Set(screen.shown) == ["1", "2", "3"] && screen.shown.count == 3)
        #expect(server.requests("wall.post").count == 6)
    }

    @Test("the page on questions to the user asks again after a wrong answer")
    func wrong() async throws {
        let post = post("a").start()
        await screen.hasShown(1)
        screen.reply(", almost")
        await screen.hasShown(2)
        screen.reply()
        #expect(try await post.value.postID == 55)
        #expect(screen.shown == ["1", "2"])
    }

    @Test("a post ends with the user who gives up, and the question of a cancelled post is closed")
    func ends() async throws {
        let first = post("a").start()
        await screen.hasShown(1)
        screen.reply(throwing: CancellationError())
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(first.state == .cancelled)
        let second = post("b").start()
        await screen.hasShown(2)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        while screen.open > 0 { await Task.yield() }
        #expect(server.requests("wall.post").count == 2)
    }

    @Test("the page on questions repeats the call of a suspended post only when it is resumed")
    func suspended() async throws {
        let post = post("a").start()
        await screen.hasShown(1)
        post.suspend()
        #expect(post.state == .suspended)
        screen.reply()
        while screen.open > 0 { await Task.yield() }
        #expect(server.requests("wall.post").count == 1)
        post.resume()
        #expect(try await post.value.postID == 55)
        #expect(server.requests("wall.post").count == 2)
    }
}

import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A reply")
struct ReplyHandlingTests {
    @Test("a reply becomes the value under the unwrapped key")
    func unwraps() async throws {
        let (manager, transport) = tiny { _ in .json(#"{"response":[{"id":1,"name":"Ann"}]}"#) }
        let users = try await manager.operation(UsersRequests.get(ids: ["1", "a&b"])).value
        #expect(users == [User(id: "1", name: "Ann")])
        let head = transport.requests.first?.head
        #expect(
            head?.path
                == "/method/users.get?v=5.199&user_ids=1,a%26b&owner_id=7&access_token=\(secret)")
        #expect(head?.headerFields[.acceptLanguage] == "en")
        #expect(head?.authority == "api.tiny.test")
    }

    @Test("a reply with an error inside a 200 is a failure with code, message and detail")
    func errorInside200() async {
        let error = await failure {
            .json(
                #"{"error":{"error_code":14,"error_msg":"Captcha needed","captcha_img":"u"}}"#,
                fields: .requestID("r-1"))
        }
        #expect(error?.phase == .status)
        #expect(error?.reason == .refused)
        #expect(error?.status == 200)
        #expect(error?.code(in: TinyAPI.self) == .captcha)
        #expect(error?.detail(as: Captcha.self) == Captcha(image: "u"))
        #expect(error?.detail(as: User.self) == nil)
        #expect(error?.fault == .server)
        #expect(
            error?.description
                == "`users.get` of Tiny failed: the server refused it: the reply has `error` "
                + "(status 200, code 14, the server says: Captcha needed; request id r-1)")
    }

    @Test("a reply keeps its bytes in the error, and shows them only if they are a refusal")
    func body() async {
        let words = "the disk of db7 is full"
        let replies: [TransportReply] = [
            .bytes(Array(words.utf8), status: .internalServerError), .bytes(Array(words.utf8)),
            .json(#"{"error":{"note":"\#(words)"}}"#),
        ]
        for reply in replies {
            let error = await failure { reply }
            #expect(error.map { String(decoding: $0.body, as: UTF8.self).contains(words) } == true)
            var dumped = "\(String(reflecting: error)) \(error?.localizedDescription ?? "")"
            dump(error, to: &dumped)
            #expect(dumped.contains(words) == (error?.phase == .status))
        }
    }

    @Test("a reply describes the server's delay, and the missing key")
    func words() async {
        let busy = await failure { .bytes(status: .tooManyRequests, fields: [.retryAfter: "7"]) }
        #expect(
            busy?.description
                == "`users.get` of Tiny failed: the server answered with a status that is not a "
                + "success; it asks to wait 7.0 seconds (status 429)")
        let hasty = await failure { .bytes(status: .tooManyRequests, fields: [.retryAfter: "0"]) }
        #expect(hasty?.description.contains("wait") == false)
        let endpoint = Endpoint(.get, "a", reply: ReplyRules(present: ["data", "ok"]))
        let request: APIRequest<Void> = RequestBuilder(
            RequestTemplate(method: "a", endpoint: endpoint)
        ).finishEmpty()
        let lacking = await failure(tiny { _ in .json("{}") }.manager.operation(request))
        #expect(
            lacking?.description
                == "`a` of Tiny failed: the server refused it: the reply has no `data.ok` "
                + "(status 200)")
    }

    @Test("a reply that names a retryable code may be retried")
    func retryableCode() async {
        let error = await failure { .json(#"{"error":{"error_code":6}}"#) }
        #expect(error?.isRetryable == true)
    }

    @Test("a reply that names a retryable code may be retried, whatever its status is")
    func retryableCodeOfFailure() async {
        let save = UsersRequests.save(name: "Ivan", password: "1234")
        for (code, isRetryable) in [(6, true), (7, false)] {
            let (manager, _) = tiny { _ in
                .json(
                    #"{"error":{"error_code":\#(code)}}"#, status: .internalServerError)
            }
            let error = await failure(manager.operation(save))
            #expect(error?.status == 500 && error?.isRetryable == isRetryable)
        }
    }

    @Test("a reply that declares the token expired is an auth failure")
    func expiredToken() async {
        let error = await failure { .json(#"{"error":{"error_code":5}}"#) }
        #expect(error?.phase == .auth)
        #expect(error?.reason == .credentialRefused)
        #expect(error?.code(in: TinyAPI.self) == .invalidToken)
    }

    @Test("a reply with `error: null` is a success")
    func nullErrorIsNone() async throws {
        let (manager, _) = tiny { _ in .json(#"{"error":null,"response":[]}"#) }
        #expect(try await manager.operation(UsersRequests.get(ids: [])).value == [])
    }

    @Test(
        "a reply with an error status determines whose fault it is and whether to retry",
        arguments: [
            (404, APIError.Fault.caller, false), (429, .server, true), (500, .server, true),
            (503, .server, true), (301, .server, false),
        ])
    func status(_ code: Int, _ fault: APIError.Fault, _ isRetryable: Bool) async {
        let error = await failure { .bytes(Array("oops".utf8), status: .init(code: code)) }
        #expect(error?.phase == .status)
        #expect(error?.reason == .status(code))
        #expect(error?.fault == fault)
        #expect(error?.isRetryable == isRetryable)
    }

    @Test("a reply of another shape has the path, the expectation and the value found")
    func wrongShape() async {
        let error = await failure { .json(#"{"response":[{"id":1,"name":2}]}"#) }
        #expect(error?.phase == .map)
        #expect(error?.violations.first?.path == "response[0].name")
        let missing = await failure { .json(#"{"other":[]}"#) }
        #expect(missing?.phase == .map)
        #expect(missing?.violations.first?.rule == "required")
    }

    @Test("a reply that breaks a rule fails validation")
    func brokenRule() async {
        let error = await failure { .json(#"{"response":[{"id":1,"name":"abcdefghijk"}]}"#) }
        #expect(error?.phase == .validate)
        #expect(error?.violations.map(\.rule) == ["max-length"])
    }

    @Test("a reply that is not JSON has the byte offset of the error")
    func notJSON() async {
        let error = await failure { .bytes(Array("<html>".utf8)) }
        #expect(error?.phase == .map)
        guard case .malformedReply(let problem) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.offset == 0)
    }

    @Test("a reply that is not JSON is retried if that is safe")
    func malformedTwice() async {
        let (manager, _) = tiny { _ in .bytes(Array("<html>".utf8)) }
        let get = manager.operation(UsersRequests.get(ids: ["1"]))
        #expect(await failure(get)?.isRetryable == true)
        var request = RequestBuilder(TinyAPI.APIMethod.usersSave)
        request.form("name", "a")
        let post = manager.operation(request.finish(UsersMapper.get))
        #expect(await failure(post)?.isRetryable == false)
    }

    @Test("a reply that lacks a required key beside its value is no success")
    func lacksKey() async {
        let rules = ReplyRules(present: ["status"], unwrap: ["response"])
        let endpoint = Endpoint(.get, "users", reply: rules)
        for (text, isRefused) in [
            (#"{"response":[]}"#, true), (#"{"response":[],"status":"ok"}"#, false),
        ] {
            let (manager, _) = tiny { _ in .json(text) }
            let request = RequestBuilder(RequestTemplate(method: "users", endpoint: endpoint))
            let error = await failure(manager.operation(request.finish(UsersMapper.get)))
            #expect((error?.reason == .refused) == isRefused)
        }
    }

    @Test("a reply that is empty is an error if a value is promised, and otherwise a success")
    func empty() async throws {
        let error = await failure { .bytes(status: .noContent) }
        #expect(error?.reason == .emptyReply)
        #expect(error?.description.contains("no body, but a value is promised") == true)
        let (manager, _) = tiny { _ in .bytes(status: .noContent) }
        try await manager.operation(UsersRequests.ping()).value
    }

    @Test(
        "a reply that has no body by its status is not retried",
        arguments: [(204, false), (205, false), (304, false), (200, true)])
    func bodiless(status: Int, isRetryable: Bool) async {
        let endpoint = Endpoint(.get, "users", reply: ReplyRules(status: [200...299, 304...304]))
        let (manager, _) = tiny { _ in .bytes(status: .init(code: status)) }
        let request = RequestBuilder(RequestTemplate(method: "users", endpoint: endpoint))
        let error = await failure(manager.operation(request.finish(UsersMapper.get)))
        #expect(error?.reason == .emptyReply && error?.isRetryable == isRetryable)
    }

    @Test("a reply with status 304 is an error, unless the spec accepts it")
    func notModified() async {
        let error = await failure { .bytes(status: .notModified) }
        #expect(error?.reason == .status(304) && error?.isRetryable == false)
    }

    @Test("a reply without content is null where that is a value, and nowhere else")
    func noContent() async throws {
        let request = RequestBuilder(TinyAPI.APIMethod.ping).finish { json -> Int?? in
            json.isNull() ? .some(nil) : (json.value() as Int?).map { .some($0) }
        }
        for status in [HTTPResponse.Status.noContent, .resetContent] {
            let (manager, _) = tiny { _ in .bytes(status: status) }
            #expect(try await manager.operation(request).value == nil)
        }
        let (conditional, _) = tiny { _ in .bytes(status: .notModified) }
        let endpoint = Endpoint(.get, "users", reply: ReplyRules(status: [200...200, 304...304]))
        let asked = RequestBuilder(RequestTemplate(method: "users", endpoint: endpoint))
            .finish { json -> Int?? in json.isNull() ? .some(nil) : nil }
        #expect(try await conditional.operation(asked).value == nil)
    }

    /// A method that changes something, and whose reply is read by `read`.
    private func change<Value>(
        _ rules: ReplyRules? = nil, _ read: @escaping @Sendable (inout JSONReader) -> Value?
    ) -> APIRequest<Value> {
        let endpoint = Endpoint(.patch, "users/1", reply: rules)
        return RequestBuilder(RequestTemplate(method: "users.change", endpoint: endpoint))
            .finish(read)
    }

    @Test(
        "a reply with a success status and an empty body is null, too",
        arguments: [HTTPResponse.Status.ok, .created, .accepted])
    func emptySuccess(_ status: HTTPResponse.Status) async throws {
        let (manager, _) = tiny { _ in .bytes(status: status) }
        let user = change { json -> User?? in
            json.isNull() ? .some(nil) : (json.value() as User?).map { .some($0) }
        }
        #expect(try await manager.operation(user).value == nil)
        let any = change { json -> JSONValue? in json.value() }
        #expect(try await manager.operation(any).value == .null)
    }

    @Test("an empty reply is an error if the value is never null, or a key must be there")
    func emptyRefusal() async {
        let (manager, _) = tiny { _ in .bytes() }
        let user = change { json -> User? in json.value() }
        #expect(await failure(manager.operation(user))?.reason == .emptyReply)
        let rules = [
            ReplyRules(present: ["response"]),
            ReplyRules(conditions: [.value(at: ["ok"], in: [.flag(true)])]),
        ]
        for rules in rules {
            let nullable = change(rules) { json -> Int?? in json.isNull() ? .some(nil) : nil }
            #expect(await failure(manager.operation(nullable))?.reason == .emptyReply)
        }
    }

    @Test("a reply of white space is not empty", arguments: [" ", "\n"])
    func whiteSpace(_ text: String) async {
        let (manager, _) = tiny { _ in .bytes(Array(text.utf8)) }
        let nullable = change { json -> Int?? in json.isNull() ? .some(nil) : nil }
        guard case .malformedReply = await failure(manager.operation(nullable))?.reason else {
            Issue.record("it is a value")
            return
        }
    }

    @Test("a reply with a range of a full request is no success")
    func part() async throws {
        for range in [nil, "bytes 0-1/10", "bytes 0-1/*", "bytes 2-3/4", "rubbish"] {
            var fields = HTTPFields()
            fields[.contentRange] = range
            let error = await failure { [fields] in
                .json(#"{"response":[]}"#, status: .partialContent, fields: fields)
            }
            #expect(error?.reason == .status(206))
            #expect(error?.description.contains("a part of what was asked for") == true)
        }
        let (manager, _) = tiny { _ in
            .json(
                #"{"response":[]}"#, status: .partialContent,
                fields: [.contentRange: "bytes 0-14/15"])
        }
        #expect(try await manager.operation(UsersRequests.get(ids: ["1"])).value.isEmpty)
    }

    @Test("a reply with a range is a success of a call that requests one, or accepts it")
    func wantedPart() async throws {
        var request = RequestBuilder(TinyAPI.APIMethod.ping)
        request.header("Range", "bytes=0-1")
        let (manager, _) = tiny { _ in .bytes(status: .partialContent) }
        try await manager.operation(request.finishEmpty()).value
        #expect(ReplyRules(status: [200...200, 206...206]).names(status: 206))
        #expect(ReplyRules(status: [200...206]).names(status: 206))
        #expect(!ReplyRules().names(status: 206))
    }

    @Test("a reply with an error inside also fails a method without a value")
    func errorForNothing() async {
        let (manager, _) = tiny { _ in .json(#"{"error":{"error_code":14}}"#) }
        #expect(await failure(manager.operation(UsersRequests.ping()))?.reason == .refused)
    }

    @Test("a reply nested too deeply is refused")
    func tooDeep() async {
        let deep = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
        let error = await failure { .json("{\"response\":\(deep)}") }
        guard case .malformedReply(let problem) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.reason == .tooDeep(limit: 8))
    }

    @Test("a reply larger than the limit is refused while it arrives")
    func tooLarge() async {
        let error = await failure {
            .chunks(Array(repeating: [UInt8](repeating: 32, count: 1000), count: 9))
        }
        #expect(error?.phase == .receive)
        #expect(error?.reason == .transport(.tooLarge(limit: 4096)))
        #expect(error?.isRetryable == false)
    }

    @Test("a reply that ends early is no success and may be retried")
    func truncated() async {
        let error = await failure { .truncated(Array(#"{"response":[]}"#.utf8), declaring: 100) }
        #expect(error?.phase == .receive)
        #expect(error?.fault == .network)
        #expect(error?.isRetryable == true)
        #expect(error?.status == 200)
    }

    @Test("a reply of bytes is returned unchanged")
    func raw() async throws {
        let (manager, _) = tiny { _ in .bytes([0, 1, 255]) }
        #expect(
            try await manager.operation(UsersRequests.file(name: "a")).value == Data([0, 1, 255]))
    }

    @Test("a reply can be checked without a call")
    func validates() {
        func report(_ text: String) -> [String] {
            TinyAPI.validate(Array(text.utf8), UsersMapper.get).violations.map(\.rule)
        }
        #expect(report(#"{"response":[{"id":1,"name":"Ann"}]}"#) == [])
        #expect(report(#"{"response":[{"id":1}]}"#) == ["required"])
        #expect(report(#"{"error":1,"response":[]}"#) == ["absent"])
    }

    @Test("a reply is mapped with its type erased, too")
    func erased() async throws {
        let (manager, _) = tiny { _ in .json(#"{"response":[{"id":1,"name":"Ann"}]}"#) }
        let request = try UsersRequests.get(properties: ["user_ids": ["1"]]).erased()
        let value = try await manager.operation(request).value
        #expect(value as? [User] == [User(id: "1", name: "Ann")])
        let twice = try await manager.operation(request.erased()).value
        #expect(twice as? [User] == [User(id: "1", name: "Ann")])
    }

    @Test("a reply of a transfer is the result of the transfer, with its type erased, too")
    func erasedTransfers() async throws {
        let (manager, _) = tiny { _ in .bytes(Array("1\n2\n".utf8)) }
        let stream = try await manager.operation(EngineRequests.lines().erased()).value
        #expect((stream as? StreamEnd<Int>)?.count == 2)
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let request = EngineRequests.download(id: 1, to: path).erased()
        let file = try await manager.operation(request).value as? DownloadedFile
        #expect(file?.path == path && file?.bytes == 4)
    }
}

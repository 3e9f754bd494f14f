import Foundation
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The HAR recorder")
struct HARRecorderTests {
    private static let start = Date(timeIntervalSince1970: 1_717_186_500.25)

    private static func event(
        _ exchange: ExchangeRecord, isBroken: Bool = false
    ) -> APIEvent {
        APIEvent(
            date: start, elapsed: .zero, api: "Tiny", method: "users.save",
            operation: OperationID(number: 7), attempt: 2, owner: nil, tags: [],
            kind: isBroken ? .disconnected(exchange) : .received(exchange))
    }

    private static var post: ExchangeRecord {
        ExchangeRecord(
            request: RequestRecord(
                method: "POST", url: "https://a.test/x?a%20b=%26&token=‹redacted›",
                fields: [RecordField("Content-Type", "application/x-www-form-urlencoded")],
                body: RequestBodyRecord(
                    type: "application/x-www-form-urlencoded", size: 6,
                    parts: [BodyPartRecord(name: "name", value: "\"n\"")])),
            reply: ReplyRecord(
                status: 200, fields: [RecordField("content-type", "application/json")], size: 20,
                text: "{}"),
            start: start,
            timings: ExchangeTimings(
                queued: .milliseconds(2), sent: .milliseconds(3), firstByte: .milliseconds(10),
                lastByte: .microseconds(12_500)))
    }

    @Test("the HAR recorder writes an archive as version 1.2 describes it")
    func golden() {
        let recorder = HARRecorder()
        recorder.handle(Self.event(Self.post))
        let expected = #"""
            {"log":{"version":"1.2","creator":{"name":"Telex","version":"1"},"entries":[
            {"startedDateTime":"2024-05-31T20:15:00.248Z","time":14.5,
            "request":{"method":"POST","url":"https://a.test/x?a%20b=%26&token=‹redacted›",
            "httpVersion":"unknown","cookies":[],
            "headers":[{"name":"Content-Type","value":"application/x-www-form-urlencoded"}],
            "queryString":[{"name":"a b","value":"&"},{"name":"token","value":"‹redacted›"}],
            "postData":{"mimeType":"application/x-www-form-urlencoded","text":"name=%22n%22",
            "params":[{"name":"name","value":"\"n\""}]},"headersSize":-1,"bodySize":6},
            "response":{"status":200,"statusText":"","httpVersion":"unknown","cookies":[],
            "headers":[{"name":"content-type","value":"application/json"}],
            "content":{"size":20,"mimeType":"application/json","text":"{}"},"redirectURL":"","headersSize":-1,"bodySize":20},
            "cache":{},
            "timings":{"blocked":2,"dns":-1,"connect":-1,"ssl":-1,"send":3,"wait":7,"receive":2.5},
            "comment":"users.save of Tiny #7, attempt 2"}]}}
            """#.replacing("\n", with: "")
        #expect(String(decoding: recorder.data(), as: UTF8.self) == expected)
    }

    @Test("the HAR recorder has every mandatory field, also for an exchange that broke off")
    func structure() throws {
        let recorder = HARRecorder()
        recorder.handle(Self.event(Self.post))
        let broken = ExchangeRecord(
            request: RequestRecord(method: "GET", url: "https://a.test/"),
            failure: TransportError(.connectionLost, "it broke"),
            start: Self.start)
        recorder.handle(Self.event(broken, isBroken: true))
        let archive = try #require(
            JSONSerialization.jsonObject(with: Data(recorder.data())) as? [String: Any])
        let log = try #require(archive["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2")
        let entries = try #require(log["entries"] as? [[String: Any]])
        #expect(entries.count == 2)
        for entry in entries {
            expect(
                ["startedDateTime", "time", "request", "response", "cache", "timings"], in: entry)
            let request = entry["request"] as? [String: Any]
            expect(
                [
                    "method", "url", "httpVersion", "cookies", "headers", "queryString",
                    "headersSize", "bodySize",
                ], in: request)
            let response = entry["response"] as? [String: Any]
            expect(
                [
                    "status", "statusText", "httpVersion", "cookies", "headers", "content",
                    "redirectURL", "headersSize", "bodySize",
                ], in: response)
            expect(["size", "mimeType"], in: response?["content"] as? [String: Any])
            let timings = entry["timings"] as? [String: Double]
            let parts = ["blocked", "send", "wait", "receive"].compactMap { timings?[$0] }
            #expect(parts.count == 4)
            #expect(entry["time"] as? Double == parts.reduce(0, +))
        }
        let response = entries[1]["response"] as? [String: Any]
        #expect(response?["status"] as? Int == 0)
        #expect(response?["comment"] as? String == "it broke")
    }

    @Test("the HAR recorder has times that are the sum of their parts, to the microsecond")
    func sums() throws {
        let recorder = HARRecorder()
        var exchange = ExchangeRecord(
            request: RequestRecord(method: "GET", url: "https://a.test/"), start: Self.start)
        exchange.timings = ExchangeTimings(
            queued: .nanoseconds(1_999), sent: .nanoseconds(3_900), firstByte: .nanoseconds(7_800),
            lastByte: .nanoseconds(11_700))
        recorder.handle(Self.event(exchange))
        let archive = try #require(
            JSONSerialization.jsonObject(with: Data(recorder.data())) as? [String: Any])
        let log = try #require(archive["log"] as? [String: Any])
        let entry = try #require((log["entries"] as? [[String: Any]])?.first)
        let timings = try #require(entry["timings"] as? [String: Double])
        let parts = ["blocked", "send", "wait", "receive"].compactMap { timings[$0] }
        #expect(parts == [0.001, 0.003, 0.004, 0.004])
        #expect(entry["time"] as? Double == 0.012)
    }

    @Test("the HAR recorder has the text of a multipart body, for tools that display nothing else")
    func multipart() throws {
        let recorder = HARRecorder()
        let exchange = ExchangeRecord(
            request: RequestRecord(
                method: "POST", url: "https://a.test/",
                body: RequestBodyRecord(
                    type: "multipart/form-data; boundary=b", size: 90,
                    parts: [
                        BodyPartRecord(name: "a", value: Redactor.mark),
                        BodyPartRecord(name: "f", fileName: "f.png", type: "image/png"),
                    ])), start: Self.start)
        recorder.handle(Self.event(exchange))
        let archive = try #require(
            JSONSerialization.jsonObject(with: Data(recorder.data())) as? [String: Any])
        let log = try #require(archive["log"] as? [String: Any])
        let entry = try #require((log["entries"] as? [[String: Any]])?.first)
        let body = (entry["request"] as? [String: Any])?["postData"] as? [String: Any]
        let lines = [
            "--b", "Content-Disposition: form-data; name=\"a\"", "", "‹redacted›", "--b",
            "Content-Disposition: form-data; name=\"f\"; filename=\"f.png\"",
            "Content-Type: image/png", "", "‹a file›", "--b--", "",
        ]
        #expect(body?["text"] as? String == lines.joined(separator: "\r\n"))
        #expect((body?["params"] as? [Any])?.count == 2)
    }

    @Test("the HAR recorder does not report the decompressed size of a body as its size")
    func compressed() async throws {
        let recorder = HARRecorder()
        let manager = TestAPI.manager(
            VaultAPI.definition,
            transport: InMemoryTransport { _ in
                .json("{}", fields: [.contentEncoding: "gzip", .contentLength: "2"])
            },
            credentials: .memory(Credential(token: secret))
        ) { $0.listeners = [recorder] }
        let call: DataOperation<Data> = manager.operation(
            RequestBuilder(VaultAPI.APIMethod.form).finishRaw())
        _ = try await call.value
        #expect(String(decoding: recorder.data(), as: UTF8.self).contains(#""bodySize":-1}"#))
    }

    private func expect(_ keys: [String], in object: [String: Any]?) {
        for key in keys { #expect(object?[key] != nil, "\(key)") }
    }

    @Test("the HAR recorder has the texts of whole bodies alone")
    func wholeTexts() async throws {
        func archive(_ limit: Int, _ reply: TransportReply) async throws -> String {
            let recorder = HARRecorder(bodyLimit: limit)
            let manager = TestAPI.manager(
                VaultAPI.definition, transport: InMemoryTransport { _ in reply },
                credentials: .memory(Credential(token: secret))
            ) { $0.listeners = [recorder] }
            var request = RequestBuilder(VaultAPI.APIMethod.form)
            request.jsonObject { json in json.field("name", String(repeating: "n", count: 300)) }
            let call: DataOperation<Data> = manager.operation(request.finishRaw())
            _ = try await call.value
            return String(decoding: recorder.data(), as: UTF8.self)
        }
        let text = #"{"access_token":"\#(String(repeating: "x", count: 200))","a":"shown"}"#
        let whole = try await archive(400, .json(text))
        #expect(whole.contains("nnn") && whole.contains("shown") && !whole.contains("xxx"))
        let short = try await archive(100, .json(text))
        #expect(!short.contains("nnn") && !short.contains("shown"))
        let content = #""content":{"size":\#(text.utf8.count),"mimeType":"application/json"}"#
        #expect(short.contains(content))
    }

    @Test("the HAR recorder drops the oldest exchanges when limits are reached, and counts them")
    func limits() throws {
        let recorder = HARRecorder(entries: 3)
        for number in 0..<10 {
            var exchange = Self.post
            exchange.request.url = "https://a.test/\(number)"
            exchange.start = Self.start.addingTimeInterval(Double(number))
            recorder.handle(Self.event(exchange))
        }
        #expect(recorder.count == 3)
        #expect(recorder.dropped == 7)
        let text = String(decoding: recorder.data(), as: UTF8.self)
        let kept = (0..<10).filter { text.contains("https://a.test/\($0)\"") }
        #expect(kept == [7, 8, 9])
        #expect(text.contains("7 older entries were dropped"))
        let small = HARRecorder(bytes: 1)
        for _ in 0..<5 { small.handle(Self.event(Self.post)) }
        #expect(small.count == 1)
        recorder.clear()
        #expect(recorder.count == 0 && recorder.dropped == 0)
    }

    @Test("the HAR recorder records calls of a manager with redirects, and bodies up to its limit")
    func calls() async throws {
        let recorder = HARRecorder(bodyLimit: 10)
        let reply = #"{"response":[{"id":"1","name":"Ann"}]}"#
        let transport = InMemoryTransport { request in
            request.head.path == "/there"
                ? .json(reply) : .bytes(status: .found, fields: .location("/there"))
        }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: .memory(Credential(token: secret))
        ) {
            $0.settings.clock = .stopped
            $0.listeners = [recorder]
        }
        _ = try await manager.operation(UsersRequests.get(ids: ["1"])).value
        let path = NSTemporaryDirectory() + "telex-\(UUID().uuidString).har"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try recorder.write(to: path)
        let data = try #require(FileManager.default.contents(atPath: path))
        #expect(Array(data) == recorder.data())
        let facts = try FileManager.default.attributesOfItem(atPath: path)
        #expect(facts[.posixPermissions] as? Int == 0o600)
        let nowhere = #expect(throws: CocoaError.self) { try recorder.write(to: "/nowhere/a.har") }
        #expect(nowhere?.code == .fileNoSuchFile)
        #expect(recorder.count == 2)
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains(#""redirectURL":"/there""#))
        #expect(text.contains(#""content":{"size":38,"mimeType":"application/json"}"#))
        #expect(text.contains("user_ids=1"))
        #expect(!text.contains(secret))
    }

    /// Returns why an archive cannot be written to a path; nil if it can.
    private func refusal(_ path: String) -> CocoaError? {
        do {
            try HARRecorder().write(to: path)
            return nil
        } catch { return error as? CocoaError }
    }

    private func why(_ error: CocoaError?) -> String {
        error?.userInfo["NSLocalizedFailureReason"] as? String ?? ""
    }

    @Test("a HAR recorder accepts only a file's or a link's path, and its error names the remedy")
    func places() throws {
        try withFolder { folder in
            let pipe = "\(folder)/pipe"
            mkfifo(pipe, 0o600)
            let refused = refusal(pipe)
            #expect(refused?.code == .fileWriteInvalidFileName)
            #expect(why(refused).contains("a pipe or the like; give the path of a file"))
            #expect(DiskFile.kind(of: pipe) == S_IFIFO)
            #expect(why(refusal(folder)).contains("it is a folder"))
            let (file, link) = ("\(folder)/file", "\(folder)/link")
            try DiskFile.replace(file, with: [1])
            symlink(file, link)
            #expect(refusal(link) == nil && DiskFile.kind(of: link) == S_IFREG)
            #expect(try DiskFile.read(file) == [1])
            #expect(why(refusal("\(file)/a.har")).contains("a part of its path is a file"))
            for (name, goal) in [("toPipe", pipe), ("toFolder", folder)] {
                let link = "\(folder)/\(name)"
                symlink(goal, link)
                #expect(why(refusal(link)).contains("it leads to a "))
                #expect(DiskFile.kind(of: link) == S_IFLNK)
            }
            #expect(
                try names(in: folder) == ["file", "link", "pipe", "toFolder", "toPipe"])
        }
    }

    @Test("the HAR recorder checks a path before it opens the file")
    func paths() {
        #expect(why(refusal("")) == "its path is empty; give the path of a file")
        #expect(why(refusal("/nowhere/")).contains("ends in a slash"))
        #expect(why(refusal("~/a.har")).contains("`~` is not expanded: give the whole path"))
        let long = refusal("/tmp/" + String(repeating: "a", count: 300))
        #expect(long?.code == .fileWriteInvalidFileName)
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
        @Test("the HAR recorder reports missing permission to write")
        func noPermission() async {
            await #expect(processExitsWith: .success) {
                try withoutPrivileges { folder in
                    chmod(folder, 0o500)
                    let error = #expect(throws: CocoaError.self) {
                        try HARRecorder().write(to: "\(folder)/a.har")
                    }
                    #expect(error?.code == .fileWriteNoPermission)
                }
            }
        }
    #endif
}

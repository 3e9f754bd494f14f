import TelexJSON
import TelexRuntime
import Testing
import VKClient

@Suite("Single values of VK's replies")
struct VKExtractionTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func failure<Value>(_ read: () throws(APIError) -> Value) -> APIError? {
        do throws(APIError) {
            _ = try read()
            return nil
        } catch {
            return error
        }
    }

    @Test("single values of VK's replies are read without the rest of the reply")
    func alone() throws {
        // No user of this reply has the keys that a profile requires.
        let users = bytes(
            #"{"response": [{"last_seen": {"platform": 4}, "counters": {"followers": 12}}, 5]}"#)
        #expect(try UsersExtractions.lastSeenPlatform(inGet: users) == Platform(rawValue: 4))
        #expect(try UsersExtractions.followers(inGet: users) == 12)
        let wall = bytes(
            #"{"response": {"count": 3, "items": [{}, {"text": "a"}, {"text": "b"}]}}"#)
        #expect(try WallExtractions.itemsCount(inGet: wall) == 3)
        #expect(try WallExtractions.firstText(inGet: wall) == "a")
        #expect(try WallExtractions.lastText(inGet: wall) == "b")
        #expect(try WallExtractions.texts(inGet: wall) == ["a", "b"])
    }

    @Test("single values of VK's replies are read from the container that holds them")
    func containers() throws {
        let lastSeen = bytes(#"{"platform": 4}"#)
        #expect(
            try UsersExtractions.lastSeenPlatform(inGetFromLastSeen: lastSeen)
                == Platform(rawValue: 4))
        #expect(try UsersExtractions.followers(inGetFromCounters: bytes("{}")) == nil)
        #expect(try WallExtractions.lastText(inGetFromItems: bytes(#"[{"text": "x"}]"#)) == "x")
    }

    @Test(
        "a single value of a reply tells which level failed, what it expected and what it found",
        arguments: [
            (#"{}"#, "response: expected the key, found nothing [required]"),
            (#"{"response": {}}"#, "response: expected an array, found an object [type]"),
            (
                #"{"response": [7]}"#,
                "response[0]: expected an object with the key `last_seen`, found 7 [type]"
            ),
            (
                #"{"response": [{"last_seen": 7}]}"#,
                "response[0].last_seen: expected an object with the key `platform`, found 7 [type]"
            ),
            (
                #"{"response": [{"last_seen": {"platform": "x"}}]}"#,
                #"response[0].last_seen.platform: expected an integer, found "x" [type]"#
            ),
        ])
    func levels(reply: String, problem: String) {
        let error = failure { () throws(APIError) in
            try UsersExtractions.lastSeenPlatform(inGet: bytes(reply))
        }
        #expect(error?.violations.map(\.description) == [problem])
        #expect(error?.method == "users.get")
    }

    @Test("single values of VK's replies fail with VK's error, as a call does")
    func refused() {
        let reply = bytes(#"{"error": {"error_code": 30, "error_msg": "private"}}"#)
        let error = failure { () throws(APIError) in
            try WallExtractions.itemsCount(inGet: reply)
        }
        #expect(error?.code(in: VK.self) == .privateProfile && error?.message == "private")
    }

    @Test("single values of VK's replies obey the rules of the model")
    func rules() {
        let error = failure { () throws(APIError) in
            try WallExtractions.itemsCount(inGet: bytes(#"{"response": {"count": -1}}"#))
        }
        #expect(error?.violations.first?.rule == "min")
    }

    @Test("a reply to a logout is validated although nothing of it is read")
    func logout() {
        #expect(VK.validate(bytes("{}"), from: .authLogout).isValid)
        let report = VK.validate(bytes(#"{"error": "invalid_token"}"#), from: .authLogout)
        #expect(report.violations.map(\.rule) == ["absent"])
        #expect(VK.validate(bytes("<html>"), from: .authLogout).syntaxError != nil)
    }
}

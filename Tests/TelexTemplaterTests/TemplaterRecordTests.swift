import Foundation
import TelexJSON
import TelexTemplater
import TemplaterTestSupport
import Testing

@Suite("A recorded reply")
struct TemplaterRecordTests {
    private let folder: StoreFolder
    private let templater: Templater

    init() throws {
        folder = try StoreFolder()
        templater = folder.templater
    }

    @discardableResult
    private func record(
        _ text: String, _ mode: TemplateRecording = .always, secrets: Set<String> = []
    ) async throws -> Bool {
        try await templater.record(
            Array(text.utf8), for: "users.get", mode: mode, secrets: secrets)
    }

    private func sample() throws -> JSONValue? {
        try templater.template(for: "users.get")?.sample
    }

    /// The text on disk without white space.
    private func text() throws -> String {
        try folder.text("store/users.get.json").filter { !$0.isWhitespace }
    }

    @Test("a recorded reply is refused if it is empty, not JSON, or JSON with comments")
    func refused() async throws {
        try await record("[1]")
        for text in ["", "{}", "<html>", "[1] // one", "[1,]"] {
            await #expect(throws: TemplaterError.self) { try await record(text) }
            #expect(try sample() == [1])
        }
    }

    @Test("a recorded reply replaces the template before, or only stands in for a missing one")
    func modes() async throws {
        #expect(try await record("[1]", .missing))
        #expect(try await !record("[2]", .missing))
        #expect(try await !record("no JSON", .missing))
        #expect(try sample() == [1])
        #expect(try await record("[2]", .always))
        #expect(try sample() == [2])
        try folder.write("bundle/friends.get.json", "[1]")
        let templater = Templater(
            folder: folder.base, home: folder.path, bundled: folder.place("bundle"))
        #expect(try await !templater.record([0x31], for: "friends.get", mode: .missing))
    }

    @Test("a recorded reply has placeholders of the same kinds in place of secrets")
    func secrets() async throws {
        try await record(
            #"""
            {"id":1,"access_token":"geheim","user":{"Password":123,"pin":[1.5,{"a":true,"b":"x"}],
             "PIN2":null},"next":"https://a.example/?access_token=geheim","text":"harmless",
             "nested":"{\"refresh_token\":\"geheim\"}"}
            """#, secrets: ["Pin", "pin2"])
        #expect(
            try sample() == [
                "id": 1, "access_token": "‹redacted›",
                "user": [
                    "Password": 0, "pin": [0, ["a": false, "b": "‹redacted›"]], "PIN2": nil,
                ],
                "next": "‹redacted›", "text": "harmless", "nested": "‹redacted›",
            ])
        #expect(try !text().contains("geheim") && text().contains("0.0"))
        #expect(try !text().contains("123"))
    }

    @Test("a recorded reply keeps the rules of the template before, and what they are about")
    func rules() async throws {
        try folder.write(
            "store/users.get.json",
            #"""
            { "age": 20, "age-Rules": { "minimum": 18 }, // adults
              "film": "Alien", "film-Rules": { "isOptional": true }, "gone": 1,
              "job": { "title": "x", "title-Rules": { "lengthMustBeEqualOrLessThan": 9 } },
              "list": [ { "a": 1 }, { "b": 2, "b-Rules": { "maximum": 5 } } ] }
            """#)
        try await record(#"{"new":1,"age":30,"list":[{"b":1},{"a":2},{"b":3}],"job":null}"#)
        #expect(
            try text()
                == #"{"new":1,"age":30,"age-Rules":{"minimum":18},"list":[{"b":1},{"a":2,"b":2,"#
                + #""b-Rules":{"maximum":5}},{"b":3}],"job":{"title":"x","title-Rules":"#
                + #"{"lengthMustBeEqualOrLessThan":9}},"film":"Alien","#
                + #""film-Rules":{"isOptional":true}}"#)
        let once = try text()
        try await record(#"{"new":1,"age":30,"list":[],"job":{}}"#)
        #expect(try text().contains(#""list":[{"a":2,"b":2,"b-Rules":{"maximum":5}}]"#))
        #expect(try text() != once)
        let template = try #require(try templater.template(for: "users.get"))
        let reply = #"{"new":1,"age":17,"list":[{"a":1,"b":6}],"job":{"title":"x"}}"#
        #expect(template.validate(Array(reply.utf8)).violations.count == 2)
    }

    @Test("a recorded reply is refused if the rules of the template before do not fit it")
    func misfit() async throws {
        try await templater.write(
            Array(#"{"age":20,"age-Rules":{"minimum":18}}"#.utf8), for: "users.get")
        let error = await #expect(throws: TemplaterError.self) {
            try await record(#"{"age":"twenty"}"#)
        }
        #expect(error?.description.contains("minimum") == true)
        #expect(try sample() == ["age": 20])
    }

    @Test("a recorded reply brings no rules of its own")
    func foreignRules() async throws {
        try await record(#"{"a":1,"a-Rules":{"minimum":1},"b":{"c":1,"d-Rules":{}},"e-Rules":2}"#)
        #expect(try text() == #"{"a":1,"b":{"c":1},"e-Rules":2}"#)
    }

    @Test("a recorded reply may have 128 levels on the small stack of an app's secondary thread")
    func deep() async throws {
        func nested(_ start: String, _ end: String, _ count: Int = 63) -> String {
            String(repeating: start, count: count) + "1" + String(repeating: end, count: count)
        }
        let ruled = nested(#"[{"a":"#, #","a-Rules":{"isOptional":true}}]"#)
        try folder.write("store/users.get.json", ruled)
        try await withTaskExecutorPreference(SmallThreads()) {
            #expect(try await record(nested(#"[{"a":"#, "}]")))
            #expect(try text() == ruled)
            let deep = nested("[", "]", 128)
            #expect(try await record(deep))
            try await templater.write(Array(deep.utf8), for: "users.get")
            #expect(try templater.template(for: "users.get") != nil)
            let error = await #expect(throws: TemplaterError.self) {
                try await record(nested("[", "]", 129))
            }
            #expect(error?.description.contains("nested deeper than 128 levels") == true)
            let tooDeep = Array(nested("[", "]", 100_000).utf8)
            await #expect(throws: TemplaterError.self) {
                try await templater.write(tooDeep, for: "users.get")
            }
        }
    }

    @Test("a recorded reply is stored once if many calls record at the same time")
    func concurrent() async throws {
        let count = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask { try await self.record("[\(number)]", .missing) }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 1)
    }
}

/// Runs each job on a thread with as much stack as Apple's systems give to secondary threads.
private final class SmallThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        thread.stackSize = 512 << 10
        thread.start()
    }
}

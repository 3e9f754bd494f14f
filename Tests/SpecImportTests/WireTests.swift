import Foundation
import ProcessSupport
import SpecImport
import TelexCompiler
import TestSupport
import Testing

/// Programs of imported clients, with replies that were made from the descriptions alone.
@Suite("An imported client")
struct WireTests {
    /// Groups of the VK API, with a third of its methods.
    private static let groups = [
        "account", "board", "fave", "friends", "groups", "likes", "photos", "polls", "users",
        "wall",
    ]

    @Test(
        "a client of VK's schema sends every method of a large part, and reads its replies",
        .enabled(if: VKFiles.areThere, "the schema is not beside the package"),
        .enabled(if: SwiftToolchain.objects != nil, "needs the object files of the runtime"))
    func vk() async throws {
        let files = try VKFiles.read()
        let calls = try Self.groups.flatMap(VKSample(files).calls)
        #expect(calls.count > 150)
        var options = DescriptionImport.Options()
        options.selection = OperationSelection(including: Self.groups)
        options.api = "VK"
        let (client, methods) = try await onThreadForLongTests {
            try Self.program(Self.caller, of: Imported(vk: files, options))
        }
        let input = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-calls-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: input) }
        let lines = try calls.map { call in
            let name = methods["GET \(call.method)"] ?? methods["POST \(call.method)"]
            return "\(try #require(name))\t\(call.method)\t\(call.parameters)\t\(call.reply)"
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: input)
        let report = try await SwiftToolchain.run(client, [input.path])
        #expect(report.isSuccess, "\(report.text)")
        #expect(report.text == "\(calls.count) calls\n")
    }

    /// Makes the calls of a file: lines of the method, its path, its parameters, and the reply of the
    /// server.
    private static let caller = #"""
        import Foundation
        import HTTPTypes
        import TelexJSON
        import TelexRuntime
        import TelexTesting

        let text = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
        let calls = text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        let replies = Dictionary(uniqueKeysWithValues: calls.map { ($0[1], $0[3]) })
        let transport = InMemoryTransport { request in
            let path = (request.head.path ?? "").prefix { $0 != "?" }
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            return replies[name].map { .json($0) } ?? .json("", status: .notFound)
        }
        let vk = APIManager<VK>(transport: transport)
        try await vk.logIn(Credential(token: "token"))
        var count = 0
        for call in calls {
            guard let method = VK.APIMethod(rawValue: call[0]) else {
                print("no method \(call[0])")
                continue
            }
            let given: JSONResult<JSONObject> = JSONReader.read(Array(call[2].utf8)) { $0.value() }
            let members = given.value?.members.map { ($0.key, $0.value) } ?? []
            do {
                let properties = Properties(uniqueKeysWithValues: members)
                _ = try await vk.operation(VK.request(method, properties: properties)).value
                count += 1
            } catch {
                print(method.rawValue, error)
            }
        }
        print(count, "calls")
        """#

    private static let slack = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("shared/data/openapi/slack-2.0.json")

    @Test(
        "a client accepts and refuses the replies of Slack's description as `jsonschema` does",
        .enabled(
            if: FileManager.default.fileExists(atPath: slack.path),
            "the description is not beside the package"),
        .enabled(if: SwiftToolchain.objects != nil, "needs the object files of the runtime"),
        .enabled("needs `python3 -m venv` and the package `jsonschema` from PyPI") {
            try await SchemaValidator.installed.value != nil
        })
    func verdicts() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-replies-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let python = try #require(try await SchemaValidator.installed.value)
        let replies = try await ExampleReplies.read(Self.slack.path, in: folder, by: python)
        let (client, methods) = try await onThreadForLongTests {
            let bytes = Array(try Data(contentsOf: Self.slack))
            return try Self.program(
                Self.checker, of: Imported([(path: "slack.json", bytes: bytes)]))
        }
        let input = folder.appendingPathComponent("replies")
        let lines = try replies.map { reply in
            "\(try #require(methods[reply.operation]))\t\(reply.json)"
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: input)
        let report = try await SwiftToolchain.run(client, [input.path])
        let found = report.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        try #require(
            found.count == replies.count && replies.count > 1_500, "\(report.text.prefix(500))")
        var kept = 0
        for (reply, violation) in zip(replies, found) {
            if (reply.violation == nil) == violation.isEmpty { continue }
            // A client keeps an unknown alternative, and merges objects that cannot be told apart.
            if violation.isEmpty, reply.rule == "anyOf" || reply.rule == "oneOf" {
                kept += 1
                continue
            }
            Issue.record(
                """
                \(reply.operation): jsonschema says \(reply.violation ?? "valid"), Telex says \
                \(violation), of \(reply.json)
                """)
        }
        // Both verdicts are common, or the comparison says little.
        let refused = replies.count { $0.violation != nil }
        #expect(refused > replies.count / 5 && refused < replies.count * 4 / 5, "\(refused)")
        #expect(kept < replies.count / 100, "\(kept)")
    }

    /// Checks the replies of a file: lines of the method and a reply.
    private static let checker = #"""
        import Foundation
        import TelexJSON
        import TelexRuntime

        let text = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1)
            guard let method = Slack.APIMethod(rawValue: String(parts[0])) else {
                print("no method \(parts[0])")
                continue
            }
            let report = Slack.validate(Array(parts[1].utf8), from: method)
            print(report.violations.first.map { "\($0)" } ?? "")
        }
        """#

    @Test(
        "a tolerant imported client returns replies without required keys, and warns of them",
        .enabled(if: SwiftToolchain.objects != nil, "needs the object files of the runtime"))
    func tolerant() async throws {
        let description = """
            openapi: 3.1.0
            info: { title: Shop, version: "1" }
            servers: [{ url: https://shop.example }]
            paths:
              /goods:
                get:
                  operationId: listGoods
                  responses:
                    "200":
                      description: ok
                      content:
                        application/json:
                          schema: { type: array, items: { $ref: "#/components/schemas/Good" } }
            components:
              schemas:
                Good:
                  type: object
                  required: [id, title]
                  properties: { id: { type: integer }, title: { type: string } }
            """
        var options = DescriptionImport.Options()
        options.isTolerant = true
        let (client, _) = try await onThreadForLongTests {
            try Self.program(Self.reader, of: Imported(["shop.yaml": description], options))
        }
        let report = try await SwiftToolchain.run(client, [])
        #expect(
            report.text == """
                [Optional(1), Optional(2)]
                [1].id: expr: expected `present(id) and present(title)`

                """)
    }

    /// Reads a list whose second element lacks a key.
    private static let reader = #"""
        import TelexRuntime
        import TelexTesting

        let transport = InMemoryTransport { _ in .json(#"[{"id":1,"title":"a"},{"id":2}]"#) }
        let response = try await APIManager<Shop>(transport: transport).goods.list().response
        print(response.value.map(\.id))
        for warning in response.warnings { print("\(warning.path): \(warning.rule): expected \(warning.expected)") }
        """#

    @Test(
        "a client asks for a reply as JSON, or as a stream of events, with the flag of its body",
        .enabled(if: SwiftToolchain.objects != nil, "needs the object files of the runtime"))
    func streams() async throws {
        let description = """
            openapi: 3.1.0
            info: { title: Choir, version: "1" }
            servers: [{ url: https://choir.example }]
            paths:
              /songs:
                post:
                  operationId: createSong
                  description: "The last event is `data: [DONE]`."
                  requestBody:
                    required: true
                    content: { application/json: { schema: { $ref: "#/components/schemas/Ask" } } }
                  responses:
                    "200":
                      description: ok
                      content:
                        application/json: { schema: { $ref: "#/components/schemas/Song" } }
                        text/event-stream: { schema: { $ref: "#/components/schemas/Note" } }
            components:
              schemas:
                Ask:
                  type: object
                  required: [words]
                  properties: { words: { type: string }, stream: { type: boolean } }
                Song: { type: object, required: [title], properties: { title: { type: string } } }
                Note: { type: object, required: [pitch], properties: { pitch: { type: integer } } }
            """
        let (client, _) = try await onThreadForLongTests {
            try Self.program(Self.singer, of: Imported(["choir.yaml": description]))
        }
        let report = try await SwiftToolchain.run(client, [])
        #expect(
            report.text == """
                {"words":"la","stream":false} Dusk
                {"words":"la","stream":true} [60, 62]

                """)
    }

    /// Calls both methods of one operation.
    private static let singer = #"""
        import HTTPTypes
        import TelexRuntime
        import TelexTesting

        let transport = InMemoryTransport { request in
            guard request.text.contains(#""stream":true"#) else {
                return .json(#"{"title":"Dusk"}"#)
            }
            let data = [#"{"pitch":60}"#, #"{"pitch":62}"#, "[DONE]"]
            let events = data.map { Array("data: \($0)\n\n".utf8) }
            return .chunks(events, fields: [.contentType: "text/event-stream"])
        }
        let choir = APIManager<Choir>(transport: transport)
        let song = try await choir.songs.create(body: .init(words: "la")).value
        print(transport.requests[0].text, song.title)
        var pitches: [Int] = []
        for try await note in choir.songs.createStream(body: .init(words: "la")).elements {
            pitches.append(note.pitch)
        }
        print(transport.requests[1].text, pitches)
        """#

    /// The Swift files of a program with an imported client, and the names of the client's methods by
    /// verb and path.
    private static func program(
        _ main: String, of imported: Imported
    ) throws -> (files: [String: String], methods: [String: String]) {
        let compilation = TelexCompiler.compile(
            Imported.folder(of: imported.files(adding: "generate: [requests]\n")))
        let api = try #require(compilation.api, "\(compilation.diagnostics.all.map(\.message))")
        let methods = api.groups.flatMap(\.methods).map {
            ("\($0.verb.name) \($0.path)", $0.apiName)
        }
        var files = Dictionary(uniqueKeysWithValues: compilation.files.map { ($0.name, $0.text) })
        files["main.swift"] = main
        return (files, Dictionary(methods) { $1 })
    }
}

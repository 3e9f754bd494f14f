import Foundation
import ProcessSupport
import Testing

@Suite("telex template")
struct TemplateCommandTests {
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write(
            "spec/api.yaml", "telex: 1\napi: Shop\nservers: { a: https://a.example/v1/ }\n")
        try sandbox.write(
            "spec/users.yaml",
            """
            unwrap: response
            methods:
              users.list: { get: users, returns: [User] }
              users.get: { get: "users/{id}", path: { id: int }, returns: User }
              users.me: { get: users/me, returns: User }
              users.find: { post: users/find }
              users.text: { get: users/text, returns: text }
            models:
              User: { id: int, name: string, nick: string? }

            """)
        try sandbox.write(
            "spec/other.yaml",
            """
            methods:
              other.search: { post: find }
              other.call: { post: rpc }
              other.send: { post: rpc }
              "../../evil": { get: evil }

            """)
        return sandbox
    }

    @Test("telex template add writes a template that fits the type, below the keys of `unwrap`")
    func add() async throws {
        let sandbox = try sandbox()
        try sandbox.write("r.json", #"{"response": {"id": 1, "name": "A", "nick": "a"}}"#)
        let run = try await TelexTool.run(
            "template", "add", "get", "r.json", "--spec", "spec", in: sandbox)
        #expect(run.errors == "")
        #expect(run.status == 0)
        #expect(
            try sandbox.read("spec/templates/users.get.json") == """
                {
                  "response": {
                    "id": 1,
                    "name": "A",
                    "nick": "a",
                    "nick-Rules": {"isOptional": true}
                  }
                }

                """)
        #expect(try await TelexTool.run("check", "spec", in: sandbox).status == 0)
    }

    @Test("telex template add reports new keys, missing keys and kinds that differ")
    func drift() async throws {
        let sandbox = try sandbox()
        try sandbox.write("r.json", #"{"response": {"id": "1", "nam": "A"}}"#)
        let run = try await TelexTool.run(
            "template", "add", "users.get", "r.json", "--spec", "spec", in: sandbox)
        #expect(run.status == 1)
        let place = "spec/templates/users.get.json"
        #expect(run.errors.contains("\(place):1:21: error: expected an integer, found a"))
        #expect(run.errors.contains("\(place):1:26: error: `User` has no field `nam`"))
        #expect(run.errors.contains("\(place):1:14: error: the template has no `name`"))
        #expect(run.errors.contains("spec/users.yaml:9:11: note: the declaration is here"))
    }

    @Test(
        "telex template add replaces only with --replace, and keeps rules and what they concern")
    func replace() async throws {
        let sandbox = try sandbox()
        let path = "spec/templates/other.search.json"
        try sandbox.write(
            path,
            #"{"a": 1, "a-Rules": {"minimum": 1}, "b": "x", "b-Rules": {"mustMatch": true}, "c": [{"d": 1, "d-Rules": {"maximum": 9}}]}"#
        )
        try sandbox.write("r.json", #"{"a": 5, "b": "y", "c": [{"d": 2}, {}]}"#)
        let arguments = ["template", "add", "other.search", "r.json", "--spec", "spec"]
        let before = try sandbox.read(path)
        let refused = try await TelexTool.run(arguments, in: sandbox)
        #expect(refused.status == 1)
        #expect(
            refused.errors.hasPrefix("\(path):1:1: error: `other.search` has a template [T0909]"))
        #expect(try sandbox.read(path) == before)
        let run = try await TelexTool.run(arguments + ["--replace"], in: sandbox)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            try sandbox.read(path) == """
                {
                  "a": 5,
                  "a-Rules": {"minimum": 1},
                  "b": "x",
                  "b-Rules": {"mustMatch": true},
                  "c": [
                    {
                      "d": 2,
                      "d-Rules": {"maximum": 9, "isOptional": true}
                    }
                  ]
                }

                """)
    }

    @Test("secrets are in no template, at any depth and of any kind")
    func secrets() async throws {
        let sandbox = try sandbox()
        try sandbox.write(
            "r.json",
            #"{"password": "hunter2", "access_token": {"hunter2": "hunter2", "n": 42.5}, "api_key": ["hunter2"], "x": {"auth_token": 4242, "secret_key": true}, "next": "https://a.example/?access_token=hunter2"}"#
        )
        let run = try await TelexTool.run(
            "template", "add", "other.search", "r.json", "--spec", "spec", in: sandbox)
        let text = try sandbox.read("spec/templates/other.search.json")
        #expect(run.status == 0)
        #expect(!text.contains("\"hunter2\",") && !text.contains(": \"hunter2\""))
        #expect(text.contains("\"next\": \"hidden\""))
        #expect(!text.contains("42") && !text.contains("true"))
        #expect(text.contains("\"auth_token\": 0"))
    }

    @Test(
        "a template command that cannot be done is reported with the remedy, and writes nothing",
        arguments: [
            ("users.got", "r.json", "the spec has no method `users.got` [T0809]"),
            ("users.got", "r.json", "did you mean `users.get`?"),
            ("users.text", "r.json", "the reply of `users.text` is not one JSON value [T0907]"),
            ("../../evil", "r.json", "`../../evil.json` is no name of a file in `templates` [T09"),
            ("../../evil", "r.json", "another name: `template: reply.json`"),
            ("users.get", "bad.json", "bad.json:2:3: error: the reply is no JSON: expected"),
            ("users.get", "blank.json", "blank.json:1:1: error: the reply is empty"),
            ("users.get", "none.json", "none.json:1:1: error: the file cannot be read"),
            ("users.get", "spec", "spec:1:1: error: expected a file, found a folder"),
        ])
    func mistakes(method: String, reply: String, message: String) async throws {
        let sandbox = try sandbox()
        try sandbox.write("r.json", "{}")
        try sandbox.write("bad.json", "{\n  x}")
        try sandbox.write("blank.json", " \n")
        let run = try await TelexTool.run(
            "template", "add", method, reply, "--spec", "spec", in: sandbox)
        #expect(run.status == 1)
        #expect(run.output == "")
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: sandbox.place("spec/templates").path))
    }

    @Test("a spec with errors is reported, and nothing is written")
    func brokenSpec() async throws {
        let sandbox = try sandbox()
        try sandbox.write("r.json", "{}")
        try sandbox.replace("nick: string?", by: "nick: strin", in: "spec/users.yaml")
        for command in [["add", "users.find", "r.json"], ["from-har", "r.json"]] {
            let run = try await TelexTool.run(
                ["template"] + command + ["--spec", "spec"], in: sandbox)
            #expect(run.status == 1)
            #expect(run.errors.hasPrefix("spec/users.yaml:9:"), "\(run.errors)")
        }
    }

    @Test("types prints the types of a template, with its rules, and names no type of the spec")
    func types() async throws {
        let sandbox = try sandbox()
        try sandbox.write(
            "spec/templates/users.find.json",
            #"{"response": {"user": {"age": 20, "age-Rules": {"minimum": 18}}}, "time": 1}"#)
        let run = try await TelexTool.run(
            "template", "types", "find", "--spec", "spec", in: sandbox)
        #expect(
            run.output == """
                # users.find, in users.yaml:
                    returns: UsersFindReply

                models:
                  UsersFindReply:
                    fields:
                      user: UsersFindReplyUser
                  UsersFindReplyUser:
                    fields:
                      age: { type: int, min: 18 }

                """)
        let none = try await TelexTool.run(
            "template", "types", "users.me", "--spec", "spec", in: sandbox)
        #expect(none.status == 1)
        #expect(none.errors.contains("spec:1:1: error: `users.me` has no template [T0904]"))
        let unknown = try await TelexTool.run(
            "template", "types", "users.m", "--spec", "spec", in: sandbox)
        #expect(unknown.errors.contains("did you mean `users.me`?"))
    }

    @Test("check reports the violations of a reply, without the values of secrets")
    func check() async throws {
        let sandbox = try sandbox()
        try sandbox.write("spec/users.yaml", "methods: { a: { get: a, returns: json } }\n")
        try sandbox.write("spec/templates/users.a.json", #"{"password": "a", "n": 1}"#)
        try sandbox.write("good.json", #"{"password": "b", "n": 2}"#)
        try sandbox.write("bad.json", #"{"password": 4242, "n": 1.5}"#)
        let check = ["template", "check", "spec"]
        #expect(try await TelexTool.run(check, in: sandbox).status == 0)
        let good = try await TelexTool.run(check + ["a", "--against", "good.json"], in: sandbox)
        #expect(good.status == 0)
        #expect(good.output + good.errors == "")
        let bad = try await TelexTool.run(check + ["a", "--against", "bad.json"], in: sandbox)
        #expect(bad.status == 1)
        #expect(bad.output.contains("bad.json: n: expected an integer, found 1.5 [type]\n"))
        #expect(
            bad.output.contains("bad.json: password: expected a string, found ‹redacted› [type]\n"))
        let half = try await TelexTool.run(check + ["a"], in: sandbox)
        #expect(half.status == 64)
    }

    @Test("from-har finds methods by verb and path, and the most literal path wins")
    func recording() async throws {
        let sandbox = try sandbox()
        let user = #"{"response": {"id": 1, "name": "A"}}"#
        let entries = [
            entry("GET", "https://a.example/v1/users/7?access_token=s3cret", user),
            entry("GET", "http://127.0.0.1:8080/users/me", user),
            entry("GET", "https://b.example/users/8#x", user),
            entry(
                "GET", "https://a.example/v1/users",
                Data(#"{"response": []}"#.utf8)
                    .base64EncodedString(), encoding: "base64"),
            entry("PUT", "https://a.example/v1/users?token=s3cret", user),
            entry("POST", "https://a.example/rpc", user),
            entry("GET", "https://a.example/v1/users/9", "<html>", mime: "text/html"),
            entry("GET", "https://a.example/v1/users/9", user, status: 500),
        ]
        try sandbox.write(
            "a.har",
            "{\"log\": {\"version\": \"1.2\", \"entries\": [\(entries.joined(separator: ","))]}}")
        let run = try await TelexTool.run(
            "template", "from-har", "a.har", "--spec", "spec", in: sandbox)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output == """
                no method matches
                  PUT /v1/users
                several methods match; `telex template add` takes a reply of one
                  POST /rpc: other.call, other.send
                wrote spec/templates/users.get.json from 2 replies
                wrote spec/templates/users.list.json from 1 reply
                wrote spec/templates/users.me.json from 1 reply

                """)
    }

    private func entry(
        _ verb: String, _ url: String, _ text: String, encoding: String? = nil,
        mime: String = "application/json", status: Int = 200
    ) -> String {
        var content: [String: Any] = ["mimeType": mime, "text": text]
        content["encoding"] = encoding
        let entry: [String: Any] = [
            "request": ["method": verb, "url": url],
            "response": ["status": status, "content": content],
        ]
        let data = try? JSONSerialization.data(withJSONObject: entry)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    @Test(
        "a broken recording is reported at its place",
        arguments: [
            ("{\n  \"log\": }", "a.har:2:10: error: the recording is no JSON: "),
            ("{\"log\": 1}", "a.har:1:1: error: the recording has no list `log.entries` [T0908]"),
            (
                #"{"log": {"entries": [{"request": {"method": "GET"}}]}}"#,
                "a.har#0:1:1: error: `log.entries[0]` has no text `request.url` [T0908]"
            ),
            (
                #"{"log": {"entries": [{"request": {"method": "GET", "url": "/users"}, "response": {"status": 200, "content": {"mimeType": "application/json", "text": "{x"}}}]}}"#,
                "a.har#0:1:2: error: the reply of `GET /users` is no JSON: expected"
            ),
            (
                #"{"log": {"entries": [{"request": {"method": "GET", "url": "/users"}, "response": {"status": 200, "content": {"mimeType": "application/json", "text": "!", "encoding": "base64"}}}]}}"#,
                "a.har#0:1:1: error: the content of `log.entries[0]` is no base64"
            ),
        ])
    func brokenRecording(text: String, message: String) async throws {
        let sandbox = try sandbox()
        try sandbox.write("a.har", text)
        let run = try await TelexTool.run(
            "template", "from-har", "a.har", "--spec", "spec", in: sandbox)
        #expect(run.status == 1)
        #expect(run.errors.contains(message), "\(run.errors)")
    }

    @Test("new --from writes a spec that compiles, whatever the files are called")
    func new() async throws {
        let sandbox = try Sandbox()
        let names = [
            "users.list", "users.get", "class", "self", "init", "Type", "users.init", "1", "日本",
            "shop", "api", "parameters", "x.y-z", "a b", ".hidden", "string",
        ]
        for name in names {
            try sandbox.write("replies/\(name).json", #"{"user": {"id": 1, "class": [1, "x"]}}"#)
        }
        let run = try await TelexTool.run(
            ["new", "shop", "--from"] + names.map { "replies/\($0).json" }, in: sandbox)
        #expect(run.status == 0, "\(run.errors)")
        let check = try await TelexTool.run(
            "generate", "shop", "-o", "out", "--strict", in: sandbox)
        #expect(check.errors == "")
        #expect(
            try sandbox.read("shop/users.yaml").contains("  users.list: { get: users/list,"))
        let bad = try await TelexTool.run("new", "b", "--from", "shop/users.yaml", in: sandbox)
        #expect(bad.errors.contains("shop/users.yaml:1:1: error: the reply is no JSON"))
        #expect(try !sandbox.names("").contains("b"))
    }
}

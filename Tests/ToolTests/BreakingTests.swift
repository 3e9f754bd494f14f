import Foundation
import ProcessSupport
import Testing

@Suite("telex breaking")
struct BreakingTests {
    /// A repository with the spec in two commits: the first has the tag `v1`.
    private static func repository() async throws -> Sandbox {
        let sandbox = try Sandbox.withSpec()
        try await git(["init", "-q", "-b", "main"], in: sandbox)
        try await commit("one", in: sandbox)
        try await git(["tag", "v1"], in: sandbox)
        try sandbox.replace("list: {", by: "all: {", in: "spec/goods.yaml")
        try await commit("two", in: sandbox)
        return sandbox
    }

    private static func git(_ arguments: [String], in sandbox: Sandbox) async throws {
        let run = try await Run.program(
            "/usr/bin/env", ["git"] + arguments, in: sandbox.url,
            environment: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"])
        try #require(run.status == 0, "\(run.errors)")
    }

    private static func commit(_ message: String, in sandbox: Sandbox) async throws {
        try await git(["add", "-A"], in: sandbox)
        let author = ["-c", "user.name=A", "-c", "user.email=a@b.example"]
        try await git(author + ["commit", "-q", "-m", message], in: sandbox)
    }

    @Test("telex breaking --used-by fails only for a change that the code of the app uses")
    func usedBy() async throws {
        let sandbox = try await Self.repository()
        let header = try await TelexTool.run("generate", "spec", "-o", "App/Client", in: sandbox)
        #expect(header.status == 0, "\(header.errors)")
        try sandbox.write("App/Main.swift", "let goods = shop.users.list()\n")
        let arguments = ["breaking", "v1", "spec", "--used-by"]
        let none = try await TelexTool.run(arguments + ["App"], in: sandbox)
        #expect(none.output == "2 changes, 0 touch your code\nsuggested version step: major\n")
        #expect(none.status == 0)
        try sandbox.write("App/Main.swift", "\nlet goods = shop.goods.list()\n")
        let one = try await TelexTool.run(arguments + ["App"], in: sandbox)
        #expect(one.output.contains("    used: App/Main.swift:2\n"), "\(one.output)")
        #expect(one.output.contains("2 changes, 1 touches your code\n"))
        #expect(one.status == 1)
        let allowed = try await TelexTool.run(
            arguments + ["App", "--allow", "source"], in: sandbox)
        #expect(allowed.status == 0)
        #expect(try await TelexTool.run(arguments + ["missing"], in: sandbox).status == 64)
    }

    @Test("telex breaking compares revisions with each other and with the folder")
    func revisions() async throws {
        let sandbox = try await Self.repository()
        let expected = """
            source-breaking:
              v1:spec/goods.yaml:2: goods.list: the method is gone; renamed to `all`?

            additive:
              main:spec/goods.yaml:2: goods.all: the method is new: `all() -> DataOperation<[String]>`

            suggested version step: major

            """
        let run = try await TelexTool.run(
            "breaking", "v1", "main", "--spec", "spec/", in: sandbox)
        #expect(run.errors == "")
        #expect(run.output == expected)
        #expect(run.status == 1)
        let folder = try await TelexTool.run("breaking", "v1", "./spec", in: sandbox)
        #expect(
            folder.output
                == expected.replacing("v1:spec", with: "v1:./spec").replacing(
                    "main:spec", with: "./spec"))
        #expect(folder.status == 1)
        let none = try await TelexTool.run("breaking", "spec", "HEAD", in: sandbox)
        #expect(none.output == "suggested version step: none\n")
        #expect(none.status == 0)
    }

    @Test("a spec may be the folder of the repository itself, or be named from a folder inside it")
    func folders() async throws {
        let sandbox = try await Self.repository()
        let path = try #require(TelexTool.path)
        let run = try await Run.program(
            path, ["breaking", "v1", "main", "--spec", "."], in: sandbox.place("spec"))
        #expect(run.output.contains("source-breaking:\n  v1:./goods.yaml:2: goods.list: "))
        #expect(run.status == 1)
    }

    @Test("--allow chooses what does not fail, and --format json is for tools")
    func options() async throws {
        let sandbox = try await Self.repository()
        let allowed = try await TelexTool.run(
            "breaking", "v1", "spec", "--allow", "source", in: sandbox)
        #expect(allowed.status == 0)
        try sandbox.replace("get: goods", by: "get: all-goods", in: "spec/goods.yaml")
        #expect(try await TelexTool.run("breaking", "main", "spec", in: sandbox).status == 1)
        let run = try await TelexTool.run(
            "breaking", "main", "spec", "--allow", "behaviour", "--format", "json", in: sandbox)
        #expect(run.status == 0)
        #expect(
            run.output == """
                {
                  "changes" : [
                    {
                      "change" : "the path: from `goods` to `all-goods`",
                      "kind" : "behaviour",
                      "new" : {
                        "file" : "spec/goods.yaml",
                        "line" : 2
                      },
                      "old" : {
                        "file" : "main:spec/goods.yaml",
                        "line" : 2
                      },
                      "subject" : "goods.all"
                    }
                  ],
                  "step" : "minor"
                }

                """)
    }

    @Test("a spec with errors is shown with them, and ends with 2")
    func errors() async throws {
        let sandbox = try await Self.repository()
        try sandbox.write("spec/goods.yaml", "methods: { list: { gte: goods } }\n")
        let run = try await TelexTool.run("breaking", "v1", "spec", in: sandbox)
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("spec/goods.yaml:1:12: error: method `list` has no HTTP verb"))
        #expect(run.output == "")
    }

    @Test(
        "what is neither a folder nor a revision is refused",
        arguments: [
            (
                "nothing",
                "nothing:spec:1:1: error: there is neither a folder nor a git revision `nothing`"
            ),
            ("--output=x", "--output=x:spec:1:1: error: a revision does not begin with `-`"),
            (
                "main:",
                "main::spec:1:1: error: there is neither a folder nor a git revision `main:`"
            ),
        ])
    func refusals(_ version: String, _ message: String) async throws {
        let sandbox = try await Self.repository()
        let run = try await TelexTool.run("breaking", "--", version, "spec", in: sandbox)
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix(message), "\(run.errors)")
    }

    @Test("links and outsiders are told: a repository is necessary, and a folder")
    func missing() async throws {
        let outside = try Sandbox.withSpec()
        let run = try await TelexTool.run("breaking", "main", "spec", in: outside)
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("main:spec:1:1: error: there is no git repository here"))
        let sandbox = try await Self.repository()
        let none = try await TelexTool.run("breaking", "v1", "main", in: sandbox)
        #expect(none.status == 64)
        #expect(none.errors.contains("name the folder of the spec with --spec"))
        try sandbox.link("spec/more.yaml", to: "goods.yaml")
        try await Self.commit("three", in: sandbox)
        let link = try await TelexTool.run(
            "breaking", "HEAD", "main", "--spec", "spec", in: sandbox)
        #expect(link.status == 2)
        #expect(
            link.errors.hasPrefix(
                "HEAD:spec/more.yaml:1:1: error: the file cannot be read: it is not a regular file")
        )
    }
}

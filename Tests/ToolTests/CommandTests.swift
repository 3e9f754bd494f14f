import Foundation
import ProcessSupport
import Testing

@Suite("The other commands")
struct CommandTests {
    @Test("check prints nothing without diagnostics, and --strict fails on warnings")
    func check() async throws {
        let sandbox = try Sandbox.withSpec()
        let fine = try await TelexTool.run("check", "spec", in: sandbox)
        #expect(fine.status == 0)
        #expect(fine.output + fine.errors == "")
        try sandbox.write("spec/more.yaml", "models: { Unused: { fields: { a: int } } }\n")
        let warned = try await TelexTool.run("check", "spec", in: sandbox)
        #expect(warned.status == 0)
        #expect(warned.errors.contains("spec/more.yaml:1:11: warning: "))
        #expect(try await TelexTool.run("check", "spec", "--strict", in: sandbox).status == 1)
        let strict = try await TelexTool.run(
            "generate", "spec", "-o", "out", "--strict", in: sandbox)
        #expect(strict.status == 1)
        #expect(try !sandbox.names("").contains("out"))
    }

    @Test("diagnostics have formats for terminals, build logs and tools")
    func formats() async throws {
        let sandbox = try Sandbox.withSpec()
        try sandbox.replace("returns", by: "retuns", in: "spec/goods.yaml")
        let line = try await TelexTool.run("check", "spec", in: sandbox)
        #expect(line.errors.hasPrefix("spec/goods.yaml:2:23: error: "))
        let people = try await TelexTool.run("check", "spec", "--format", "terminal", in: sandbox)
        #expect(people.errors.hasPrefix("error[T0101]: "))
        #expect(!people.errors.contains("\u{1B}"))
        let colored = try await TelexTool.run(
            "check", "spec", "--format", "terminal", "--color", "always", in: sandbox)
        #expect(colored.errors.hasPrefix("\u{1B}["))
        let tools = try await TelexTool.run("check", "spec", "--format", "sarif", in: sandbox)
        #expect(tools.status == 1)
        #expect(tools.errors == "")
        let log = try JSONSerialization.jsonObject(with: Data(tools.output.utf8))
        #expect((log as? [String: Any])?["version"] as? String == "2.1.0")
    }

    @Test("a thousand diagnostics are shown, and the number of all", arguments: ["line", "sarif"])
    func many(format: String) async throws {
        let sandbox = try Sandbox.withSpec()
        let lines = (0..<1_200).map { "key\($0): 1\n" }.joined()
        try sandbox.write("spec/goods.yaml", lines)
        let run = try await TelexTool.run("check", "spec", "--format", format, in: sandbox)
        #expect(run.status == 1)
        let shown = (run.output + run.errors).components(separatedBy: "unknown key `key").count - 1
        #expect(shown == 1_000)
        #expect(run.errors.hasSuffix("1200 errors (the first 1000 are shown)\n"))
    }

    @Test("new writes a spec that compiles, and never overwrites one")
    func new() async throws {
        let sandbox = try Sandbox()
        let made = try await TelexTool.run("new", "specs/my-shop", in: sandbox)
        #expect(made.status == 0)
        #expect(made.output + made.errors == "")
        #expect(try sandbox.names("specs/my-shop") == [".telex-schema", "api.yaml", "users.yaml"])
        #expect(try sandbox.read("specs/my-shop/api.yaml").contains("\napi: MyShopAPI\n"))
        let checked = try await TelexTool.run("check", "specs/my-shop", "--strict", in: sandbox)
        #expect(checked.status == 0, "\(checked.errors)")
        let generated = try await TelexTool.run(
            "generate", "specs/my-shop", "-o", "out", in: sandbox)
        #expect(generated.status == 0)

        try sandbox.write("specs/my-shop/users.yaml", "mine")
        let again = try await TelexTool.run("new", "specs/my-shop", in: sandbox)
        #expect(again.status == 1)
        #expect(again.errors.hasPrefix("specs/my-shop:1:1: error: the folder is not empty [T0808]"))
        #expect(try sandbox.read("specs/my-shop/users.yaml") == "mine")
        let file = try await TelexTool.run("new", "specs/my-shop/users.yaml", in: sandbox)
        #expect(file.errors.contains("a file of this name exists [T0808]"))
    }

    @Test(
        "an invalid command line is reported with a suggestion",
        arguments: [
            (["chek", "spec"], "There is no command 'chek'. Did you mean 'check'?"),
            (["spec"], "There is no command 'spec'."),
            (
                ["generate", "spec", "-o", "a", "--output", "b"],
                "The option --output is given twice."
            ),
            (["generate", "spec", "-o", "a", "-ob"], "The option --output is given twice."),
            (
                ["explain", "list", "--spec=spec", "--spec", "b"],
                "The option --spec is given twice."
            ),
        ])
    func nonsense(arguments: [String], message: String) async throws {
        let sandbox = try Sandbox.withSpec()
        let run = try await TelexTool.run(arguments, in: sandbox)
        #expect(run.status == 64)
        #expect(run.errors.contains("Error: \(message)\n"))
        #expect(try sandbox.names("") == ["spec"])
    }

    @Test("values of options and what follows `--` are no options")
    func optionValues() async throws {
        let sandbox = try Sandbox.withSpec()
        let run = try await TelexTool.run("generate", "-o", "out", "--", "spec", in: sandbox)
        #expect(run.status == 0, "\(run.errors)")
        let help = try await TelexTool.run("help", "check", in: sandbox)
        #expect(help.status == 0)
    }

    @Test(
        "an empty path is not the current folder",
        arguments: [
            ["new", ""], ["check", ""], ["generate", "", "-o", "out"],
            ["generate", "spec", "-o", ""], ["dump", "ast", ""],
            ["explain", "goods.list", "--spec", ""],
        ])
    func emptyPaths(arguments: [String]) async throws {
        let sandbox = try Sandbox.withSpec()
        let names = try sandbox.names("")
        let run = try await TelexTool.run(arguments, in: sandbox)
        #expect(run.status == 64)
        #expect(run.errors.contains("is empty."))
        #expect(try sandbox.names("") == names)
    }

    @Test("new derives an API name from any folder name")
    func newNames() async throws {
        let sandbox = try Sandbox()
        for folder in ["string", "2 фото", "api", "a.b-c d"] {
            #expect(try await TelexTool.run("new", folder, in: sandbox).status == 0)
            let run = try await TelexTool.run("check", folder, "--strict", in: sandbox)
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test("the other commands explain shows a code with its example")
    func explainCode() async throws {
        let sandbox = try Sandbox()
        let run = try await TelexTool.run("explain", "t0101", in: sandbox)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("error T0101: unknown key\n\n"))
        #expect(run.output.contains("\n    error[T0101]: "))
        let unknown = try await TelexTool.run("explain", "T9999", in: sandbox)
        #expect(unknown.status == 64)
    }

    @Test("the other commands explain shows the effective values of a method with their origins")
    func explainMethod() async throws {
        let sandbox = try Sandbox.withSpec()
        let run = try await TelexTool.run("explain", "goods.list", "--spec", "spec", in: sandbox)
        #expect(run.status == 0)
        #expect(
            run.output == """
                goods.list
                  get                    goods                   spec/goods.yaml:2:16 (method)
                  server                 a (https://a.example/)  spec/api.yaml:3:12 (api)
                  timeout                1m                      (default)
                  timeout of an attempt  none                    (default)
                  timeout in total       none                    (default)
                  longest pause          5m                      (default)
                  retry attempts         3                       (default)
                  retry on               transport, 429, 503     (default)
                  first wait             500ms                   (default)
                  further waits          x2                      (default)
                  jitter                 ±20%                    (default)
                  longest wait           20s                     (default)
                  returns                [string]                spec/goods.yaml:2:32 (method)

                """)
        let short = try await TelexTool.run("explain", "list", "--spec", "spec", in: sandbox)
        #expect(short.output == run.output)
        try sandbox.write("spec/shops.yaml", "methods: { list: { get: shops } }\n")
        let several = try await TelexTool.run("explain", "list", "--spec", "spec", in: sandbox)
        #expect(several.status == 1 && several.output == "")
        #expect(several.errors.contains("name one of them: `goods.list`, `shops.list`"))
        let unknown = try await TelexTool.run(
            "explain", "goods.lists", "--spec", "spec", in: sandbox)
        #expect(unknown.status == 1)
        #expect(
            unknown.errors.contains("spec:1:1: error: the spec has no method `goods.lists` [T0809]")
        )
        #expect(unknown.errors.contains("did you mean `goods.list`?"))
    }

    @Test("dump prints the AST and the IR of a spec")
    func dump() async throws {
        let sandbox = try Sandbox.withSpec()
        let tree = try await TelexTool.run("dump", "ast", "spec", in: sandbox)
        #expect(tree.status == 0)
        #expect(tree.output.contains("    name: \"Shop\"  @2:6\n"))
        let meaning = try await TelexTool.run("dump", "ir", "spec", in: sandbox)
        #expect(meaning.status == 0)
        #expect(meaning.output.hasPrefix("API\n  name: \"Shop\"\n"))
        #expect(!meaning.output.contains(sandbox.url.path))
        // A set has the same order in each run.
        let words = meaning.output.split(separator: "\n").map { $0.filter { $0 != " " } }
        #expect(words.contains(["-:keys", "-:nestedKeys", "-:rules", "-:types"]))
    }

    @Test("help and version are complete; an invalid command line exits with 64")
    func usage() async throws {
        let sandbox = try Sandbox()
        let help = try await TelexTool.run("--help", in: sandbox)
        #expect(help.status == 0)
        for word in ["generate", "check", "explain", "dump", "new", "Exit codes", "64"] {
            #expect(help.output.contains(word))
        }
        for command in ["generate", "check", "explain", "dump", "new"] {
            let help = try await TelexTool.run(command, "--help", in: sandbox)
            #expect(help.output.contains("telex \(command) "))
            #expect(help.output.contains("--format"))
        }
        #expect(try await TelexTool.run("--version", in: sandbox).status == 0)
        for wrong in [["generate", "spec"], ["chek"], ["dump", "asm", "spec"], ["check"]] {
            let run = try await Run.program(try #require(TelexTool.path), wrong, in: sandbox.url)
            #expect(run.status == 64)
        }
    }

    @Test("a closed pipe does not fail the tool")
    func brokenPipe() async throws {
        let sandbox = try Sandbox.withSpec()
        let tool = try #require(TelexTool.path)
        // `true` ends at once; the status is that of telex (POSIX sh has no PIPESTATUS).
        let run = try await Run.program(
            "/bin/sh", ["-c", "{ \"$0\" dump ast spec; echo $? >status; } | true", tool],
            in: sandbox.url)
        #expect(run.status == 0)
        #expect(try sandbox.read("status") == "0\n")
    }
}

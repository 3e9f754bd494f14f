import Foundation
import ProcessSupport
import Testing

@Suite("Errors of the file system are diagnostics")
struct FailureTests {
    private func errors(_ arguments: [String], in sandbox: Sandbox) async throws -> String {
        let path = try #require(TelexTool.path)
        let run = try await Run.program(path, arguments, in: sandbox.url)
        #expect(run.status == 1)
        #expect(run.output == "")
        return run.errors.split(separator: "\n").filter { !$0.contains(": note: ") }
            .joined(separator: "\n")
    }

    @Test("a spec folder that is missing, a file, or without an API gives a diagnostic")
    func folders() async throws {
        let sandbox = try Sandbox.withSpec()
        try sandbox.write("bare/a.yaml", "models: { A: { fields: { b: int } } }\n")
        #expect(
            try await errors(["check", "nowhere/"], in: sandbox)
                == "nowhere:1:1: error: no such folder [T0801]")
        #expect(
            try await errors(["check", "spec/api.yaml"], in: sandbox)
                == "spec/api.yaml:1:1: error: expected a spec folder, found a file [T0801]")
        #expect(try await errors(["check", "bare"], in: sandbox).hasSuffix("[T0206]"))
        try sandbox.remove("bare/a.yaml")
        #expect(
            try await errors(["check", "bare"], in: sandbox)
                == "bare:1:1: error: the folder has no YAML files [T0206]")
    }

    @Test("the APIs in a folder of several are named, and nothing else is reported")
    func severalAPIs() async throws {
        let sandbox = try Sandbox.withSpec()
        try sandbox.write("other/mine.yaml", "methods: 5\n")
        let path = try #require(TelexTool.path)
        let run = try await Run.program(path, ["check", "."], in: sandbox.url)
        #expect(
            run.errors == """
                other/mine.yaml:1:1: error: the folder has no `api.yaml` [T0206]
                other/mine.yaml:1:1: note: help: name a folder that has one: `spec`

                """)
    }

    @Test("a full standard output gives an error")
    func fullOutput() async throws {
        guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
        let sandbox = try Sandbox.withSpec()
        let tool = try #require(TelexTool.path)
        for command in ["check spec --format sarif", "dump ir spec", "explain T0101"] {
            let run = try await Run.program(
                "/bin/sh", ["-c", "'\(tool)' \(command) > /dev/full"], in: sandbox.url)
            #expect(run.status == 1)
            #expect(run.errors.hasPrefix("error: standard output cannot be written: "), "\(run)")
        }
        // A closed pipe is not an error.
        let run = try await Run.program(
            "/bin/sh", ["-c", "'\(tool)' explain T0101 | true; echo $?"], in: sandbox.url)
        #expect(run.errors == "")
    }

    @Test("a broken link, and a folder that contains itself, give diagnostics")
    func links() async throws {
        let sandbox = try Sandbox.withSpec()
        try sandbox.link("spec/lost.yaml", to: "nowhere.yaml")
        try FileManager.default.createDirectory(
            at: sandbox.place("spec/deep"), withIntermediateDirectories: true)
        try sandbox.link("spec/deep/loop", to: "../../spec")
        let errors = try await errors(["check", "spec"], in: sandbox).split(separator: "\n")
        #expect(
            errors.first == """
                spec/deep/loop:1:1: error: the link leads back to an enclosing folder [T0803]
                """)
        #expect(
            errors.last?.hasPrefix("spec/lost.yaml:1:1: error: the file cannot be read: ") == true)
        #expect(errors.count == 2)
    }

    @Test("a link to a folder outside of the spec, maybe to the whole disk, gives a diagnostic")
    func outside() async throws {
        let sandbox = try Sandbox.withSpec()
        try sandbox.link("spec/disk", to: "/")
        #expect(
            try await errors(["check", "spec"], in: sandbox) == """
                spec/disk:1:1: error: the link leads to a folder outside of the spec [T0803]
                """)
    }

    @Test("a pipe is not read, because it might never end")
    func pipe() async throws {
        let sandbox = try Sandbox.withSpec()
        #expect(mkfifo(sandbox.place("spec/pipe.yaml").path, 0o600) == 0)
        #expect(
            try await errors(["check", "spec"], in: sandbox) == """
                spec/pipe.yaml:1:1: error: the file cannot be read: it is not a regular file [T0802]
                """)
    }

    @Test("links to files and folders are followed; hidden files are no part of a spec")
    func followed() async throws {
        let sandbox = try Sandbox.withSpec()
        try sandbox.write(
            "spec/.other/more.yaml", "methods:\n  ping: { get: ping, returns: nothing }\n")
        try sandbox.link("spec/media", to: ".other")
        try sandbox.write("spec/.draft.yaml", "?: [")
        try sandbox.write("spec/.git/x.yaml", "?: [")
        let run = try await TelexTool.run("generate", "spec", "--output", "out", in: sandbox)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try sandbox.names("out").contains("Media+More.swift"))
    }

    @Test("an output folder that is a file, or lies in one, gives a diagnostic")
    func outputIsFile() async throws {
        let sandbox = try Sandbox.withSpec()
        try sandbox.write("out", "text")
        #expect(
            try await errors(["generate", "spec", "-o", "out"], in: sandbox)
                == "out:1:1: error: expected a folder, found a file [T0804]")
        let inside = try await errors(["generate", "spec", "-o", "out/in"], in: sandbox)
        #expect(inside.hasPrefix("out/in:1:1: error: cannot be made: "))
        #expect(try sandbox.read("out") == "text")
    }

    @Test("a folder at the place of a generated file leaves the others as they were")
    func folderInTheWay() async throws {
        let sandbox = try Sandbox.withSpec()
        try sandbox.write("out/Goods.swift/keep", "text")
        let errors = try await errors(["generate", "spec", "-o", "out"], in: sandbox)
        #expect(
            errors == """
                out/Goods.swift:1:1: error: expected a file, found a folder [T0804]
                """)
        #expect(try sandbox.names("out") == ["Goods.swift"])
    }

    @Test("a full disk leaves the old files whole and no temporary ones")
    func fullDisk() async throws {
        let sandbox = try Sandbox.withSpec()
        _ = try await TelexTool.run("generate", "spec", "-o", "out", in: sandbox)
        let before = try sandbox.names("out").map { try sandbox.read("out/\($0)") }
        try sandbox.replace("api: Shop", by: "api: Store", in: "spec/api.yaml")
        let tool = try #require(TelexTool.path)
        // A file size limit of one block of 512 or 1,024 bytes simulates a full disk.
        let run = try await Run.program(
            "/bin/sh", ["-c", "ulimit -f 1; exec \"$0\" generate spec -o out 2>/dev/null", tool],
            in: sandbox.url)
        #expect(run.status == 1)
        #expect(try sandbox.names("out") == ["API+Methods.swift", "API.swift", "Goods.swift"])
        #expect(try sandbox.names("out").map { try sandbox.read("out/\($0)") } == before)
    }

    @Test(
        "an output folder without permission to write gives a diagnostic",
        .enabled(if: geteuid() != 0))
    func unwritable() async throws {
        let sandbox = try Sandbox.withSpec()
        try FileManager.default.createDirectory(
            at: sandbox.place("out"), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o555])
        let errors = try await errors(["generate", "spec", "-o", "out"], in: sandbox)
        #expect(errors.contains("[T0804]"))
        #expect(try sandbox.names("out") == [])
    }

    @Test("two spec files that make one Swift file where names ignore case give a diagnostic")
    func collision() async throws {
        let sandbox = try Sandbox.withSpec()
        try sandbox.write("spec/gOods.yaml", "methods:\n  ping: { get: ping, returns: nothing }\n")
        let names = try sandbox.names("spec")
        try #require(names.count == 3 || names.count == 2)
        guard names.count == 3 else { return }
        let errors = try await errors(["check", "spec"], in: sandbox)
        #expect(errors.hasSuffix("[T0807]"), "\(errors)")
    }
}

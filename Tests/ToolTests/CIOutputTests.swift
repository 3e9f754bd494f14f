import Foundation
import ProcessSupport
import Testing

/// Runs `.ci/run` with a fake `swift`.
@Suite("The last lines of .ci/run")
struct CIOutputTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let passed = """
        ✔ Test "is fine" passed after 0.1 seconds.
        ➜ Test "is skipped" skipped.
        ✔ Test run with 2 tests in 1 suite passed after 0.1 seconds.
        """

    /// Runs the gate with a first run that prints `first`, and a second run that passes.
    ///
    /// - Parameters:
    ///   - first: What the first run prints.
    ///   - status: The status of the first run.
    ///   - lines: How many of the last lines to return.
    ///   - limit: The time limit of a run in seconds. With one, the first run hangs.
    ///   - building: What the first build prints, if it fails.
    ///   - isMac: Whether the programs that a Mac lacks are missing.
    ///   - apple: The commands of `.ci/apple`.
    /// - Returns: The last lines, and the status of the gate.
    private func end(
        _ first: String, status: Int32, lines: Int, limit: Int? = nil, building: String? = nil,
        isMac: Bool = false, apple: String = ""
    ) async throws -> (lines: [String], status: Int32) {
        let sandbox = try Sandbox()
        let gate = try String(
            contentsOf: Self.root.appendingPathComponent(".ci/run"), encoding: .utf8)
        try sandbox.write(".ci/run", gate)
        try sandbox.write("first", first + "\n")
        try sandbox.write("second", Self.passed + "\n")
        try sandbox.write(
            "bin/swift",
            """
            #!/bin/sh
            if [ "$1" = build ]; then
                if [ $# -gt 2 ]; then exit 0; fi
                \(building.map { "echo '\($0)'; exit 1" } ?? "exit 0")
            fi
            if [ $# -gt 1 ]; then exec cat second; fi
            cat first
            \(limit == nil ? "exit \(status)" : "exec sleep 3600")

            """)
        let scripts = [".ci/setup", ".ci/servers", ".ci/docs", ".ci/apple"]
        for script in scripts { try sandbox.write(script, "#!/bin/sh\n") }
        try sandbox.write(".ci/apple", "#!/bin/sh\n\(apple)\n")
        for program in scripts + ["bin/swift"] {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: sandbox.place(program).path)
        }
        let path = try isMac ? Self.programs(in: sandbox) : Self.path
        let run = try await Run.program(
            "/usr/bin/env", ["bash", ".ci/run"], in: sandbox.url,
            environment: [
                "PATH": "\(sandbox.place("bin").path):\(path)",
                "TELEX_TEST_LIMIT": "\(limit ?? 9999)",
            ])
        let all = run.output.split(separator: "\n").map(String.init)
        return (all.suffix(lines), run.status)
    }

    private static let path = ProcessInfo.processInfo.environment["PATH"] ?? ""

    /// Makes a folder of links to the programs of `PATH` that a Mac has, too.
    private static func programs(in sandbox: Sandbox) throws -> String {
        let folder = sandbox.place("programs")
        let files = FileManager.default
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        for place in path.split(separator: ":").map({ URL(fileURLWithPath: String($0)) }) {
            for name in (try? files.contentsOfDirectory(atPath: place.path)) ?? []
            where !["timeout", "stdbuf", "gawk"].contains(name) {
                // The first of several with one name counts, as in `PATH`.
                try? files.createSymbolicLink(
                    at: folder.appendingPathComponent(name),
                    withDestinationURL: place.appendingPathComponent(name))
            }
        }
        return folder.path
    }

    @Test("the end of .ci/run names failed tests and their issues, and counts in the last line")
    func failures() async throws {
        let issue = #"✘ Test "is wrong" recorded an issue at A.swift:12:3: Expectation failed: a"#
        let other =
            #"✘ Test "is bad" recorded an issue with 1 argument n → 1 at B.swift:1:1: Caught: b"#
        let (lines, status) = try await end(
            """
            ◇ Test "is wrong" started.
            \(issue)
            ↳ a → false
            ✘ Test "is wrong" failed after 0.1 seconds with 1 issue.
            \(other)
            ✘ Test "is bad" with 2 test cases failed after 0.1 seconds with 1 issue.
            ✘ Suite "Things" failed after 0.1 seconds with 2 issues.
            ✘ Test run with 2 tests in 1 suite failed after 0.1 seconds with 2 issues.
            """, status: 1, lines: 5)
        #expect(
            lines == [
                issue, other, #"✘ Test "is wrong" failed after 0.1 seconds with 1 issue."#,
                #"✘ Test "is bad" with 2 test cases failed after 0.1 seconds with 1 issue."#,
                "1 passed, 2 failed, 1 skipped",
            ])
        #expect(status == 1)
    }

    @Test("the last lines of .ci/run has the last lines of an aborted run")
    func crash() async throws {
        let (lines, status) = try await end(
            """
            ✔ Test "is fine" passed after 0.1 seconds.
            A.swift:1: Fatal error: no
            error: Exited with unexpected signal code 5
            """, status: 7, lines: 3)
        #expect(
            lines == [
                "A.swift:1: Fatal error: no", "error: Exited with unexpected signal code 5",
                "2 passed, 1 failed, 1 skipped",
            ])
        #expect(status == 7)
    }

    @Test("the last lines of .ci/run have the errors of a build that failed")
    func build() async throws {
        let (lines, status) = try await end(
            "", status: 0, lines: 3, building: "A.swift:1:2: error: no")
        #expect(
            lines == [
                "A.swift:1:2: error: no", "run: the build failed", "1 passed, 1 failed, 1 skipped",
            ])
        #expect(status == 1)
    }

    @Test(
        ".ci/run ends a run that hangs, and names the tests not ended, also without `timeout`",
        arguments: [false, true])
    func hang(isMac: Bool) async throws {
        let first = """
            ◇ Test "is slow" started.
            ◇ Test case passing 1 argument n → 1 to "is slow" started.
            ◇ Test "is fine" started.
            ◇ Test "has cases" started.
            ◇ Test "is broken" started.
            ✔ Test "is fine" passed after 0.1 seconds.
            ✔ Test "has cases" with 2 test cases passed after 0.1 seconds.
            ✘ Test "is broken" failed after 0.1 seconds with 1 issue.
            """
        // Repeated with more time, because on a slow machine a run may be ended before it prints.
        for limit in [1, 10, 100] {
            let (lines, status) = try await end(
                first, status: 0, lines: 4, limit: limit, isMac: isMac)
            let expected = [
                #"✘ Test "is broken" failed after 0.1 seconds with 1 issue."#,
                "run: ended after \(limit) s; tests that had started and not ended:", #""is slow""#,
                "3 passed, 1 failed, 1 skipped",
            ]
            if lines != expected && limit < 100 { continue }
            #expect(lines == expected)
            #expect(status == 124)
            return
        }
    }

    @Test("the last lines of .ci/run name a check that failed or was skipped, and count it")
    func checks() async throws {
        let fails = try await end(
            Self.passed, status: 0, lines: 3, apple: "echo 'A.swift:1:2: error: no'; exit 3")
        #expect(
            fails.lines == [
                "A.swift:1:2: error: no", "run: .ci/apple failed", "2 passed, 1 failed, 2 skipped",
            ])
        #expect(fails.status == 3)
        let skips = try await end(
            Self.passed, status: 0, lines: 2, apple: "echo 'apple: skipped: no interface'")
        #expect(
            skips.lines == ["apple: skipped: no interface", "2 passed, 0 failed, 3 skipped"])
        #expect(skips.status == 0)
    }

    @Test("the last lines of .ci/run reports a run without tests, and otherwise only counts")
    func others() async throws {
        let none = try await end(
            "✔ Test run with 0 tests in 0 suites passed after 0.1 seconds.", status: 0, lines: 2)
        #expect(none.lines == ["run: no test ran", "1 passed, 1 failed, 1 skipped"])
        #expect(none.status == 1)
        let fine = try await end(Self.passed, status: 0, lines: 2)
        #expect(
            fine.lines == [
                "✔ Test run with 2 tests in 1 suite passed after 0.1 seconds.",
                "2 passed, 0 failed, 2 skipped",
            ])
        #expect(fine.status == 0)
    }
}

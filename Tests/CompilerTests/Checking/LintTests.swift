import SpecDiagnostics
import Testing

@Suite("Warnings that a spec switches on and off")
struct LintTests {
    /// What the compiler says of a group `users`, with the lines of the places.
    private func report(_ users: String, lint: String = "") -> [String] {
        let api = Analysis.smallAPI + (lint.isEmpty ? "" : "lint: { \(lint) }\n")
        let analysis = Analysis(compiling: [
            ExampleFile("api.yaml", api), ExampleFile("users.yaml", users),
        ])
        return analysis.bag.all.map { diagnostic in
            let line = analysis.sources.position(of: diagnostic.span).line
            return "\(line) \(diagnostic.code.id) \(diagnostic.severity.rawValue)"
        }
    }

    private let unused = """
        methods: { get: { get: users } }
        models:
          A: { id: int }
          B: { id: int }

        """

    @Test("a warning is an error, a warning or nothing, as `lint` says of its code")
    func levels() {
        #expect(report(unused) == ["3 T0205 warning", "4 T0205 warning"])
        #expect(report(unused, lint: "t0205: off") == [])
        #expect(report(unused, lint: "T0205: warning").count == 2)
        #expect(
            report(unused, lint: "T0205: error") == ["3 T0205 error", "4 T0205 error"])
    }

    @Test("an error cannot be switched off, and an unknown code is one")
    func errors() {
        #expect(
            report("methods: { get: { gett: users } }\n", lint: "T0101: off").contains {
                $0.hasSuffix("T0101 error")
            })
        #expect(report(unused, lint: "T0025: off").contains("4 T1101 error"))
        #expect(report(unused, lint: "T0205: no").contains { $0.hasSuffix("T0107 error") })
    }

    @Test("the help for a misspelt code names the nearest code of a warning")
    func misspelt() {
        let api = Analysis.smallAPI + "lint: { T0025: off }\n"
        let analysis = Analysis(compiling: [
            ExampleFile("api.yaml", api), ExampleFile("users.yaml", unused),
        ])
        let helps = analysis.bag.all.filter { $0.code.id == "T1101" }.map(\.help)
        #expect(helps == ["did you mean `T0205`?"])
    }

    @Test("a comment ignores a warning on its line, and on those of the entry under it")
    func ignored() {
        #expect(
            report(
                unused.replacing("A: { id: int }", with: "A: { id: int } # telex:ignore T0205 x"))
                == ["4 T0205 warning"])
        #expect(
            report(unused.replacing("  A:", with: "  # telex:ignore T0205 used by B\n  A:"))
                == ["5 T0205 warning"])
        #expect(
            report(unused.replacing("models:", with: "# telex:ignore T0516, T0205 later\nmodels:"))
                == [])
    }

    @Test("a text that reads like such a comment is none")
    func text() {
        let users = unused.replacing(
            "A: {", with: "A: { doc: \"# telex:ignore T0205 x\", fields: {"
        )
        .replacing("int }\n  B", with: "int } }\n  B")
        #expect(report(users) == ["3 T0205 warning", "4 T0205 warning"])
    }

    @Test("a comment without a code or a reason is reported, as is one that ignores nothing")
    func comments() {
        let lines = "# telex:ignore\n# telex:ignore T0205\n# telex:ignore T0101 x\n"
        #expect(
            report(lines + "methods: { get: { get: users } }\n") == [
                "1 T1102 warning", "2 T1102 warning", "2 T1103 warning", "3 T1102 warning",
            ])
        let unneeded = "methods: { get: { get: users } } # telex:ignore T0205 x\n"
        #expect(report(unneeded) == ["1 T1103 warning"])
        #expect(report(unneeded, lint: "T1103: off") == [])
        #expect(report(unneeded, lint: "T0205: off") == [])
    }

    @Test("a rule that is off by default says nothing without `lint`, and obeys its level with it")
    func style() {
        let users = "methods: { get: { get: users } }\n"
        #expect(report(users) == [])
        #expect(report(users, lint: "T1110: error") == ["1 T1110 error"])
        #expect(report(users, lint: "T1110: off") == [])
        #expect(
            report(
                "methods: { get: { get: users } } # telex:ignore T1110 x\n", lint: "T1110: error")
                == [])
    }
}

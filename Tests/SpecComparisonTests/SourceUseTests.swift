import SpecComparison
import Testing

@Suite("The uses of changes in code")
struct SourceUseTests {
    /// The report of changes of a shop, for an app with this code.
    private func report(_ code: String, _ edits: [String: String]) throws -> ChangeReport {
        let new = ChangeTests.files.mapValues { text in
            edits.reduce(text) { $0.replacing($1.key, with: $1.value) }
        }
        return try SpecPair(old: ChangeTests.files, new: new)
            .report(usedBy: SourceUses([("Profile.swift", code)]))
    }

    /// The lines that use the name of an item.
    private func lines(_ code: String) throws -> [Int] {
        try report(code, ["max-length: 20": "max-length: 30"]).changes.flatMap { $0.uses ?? [] }
            .map(\.line)
    }

    @Test("a use of a change is a member or a label of its name, also in the code inside of a text")
    func uses() throws {
        #expect(try lines("let a = item.name\nlet b = Item(\n  name: a)\n") == [1, 3])
        #expect(
            try lines("show(\"by \\(item.name)\")\nshow(#\"\\#(item.name) \\(x.name)\"#)") == [
                1, 2,
            ])
        #expect(try lines("let name = 1\nprint(name)\n") == [])
    }

    @Test("a use of a change is not in a comment or a text")
    func noUses() throws {
        #expect(try lines("// item.name\n/* a /* item.name */ item.name */ item\n.name") == [3])
        #expect(try lines("\"item.name\"; #\"item.name \"x\" .name\"#\nitem.name") == [2])
        #expect(try lines("\"\"\"\nitem.name\n\"\"\" + item.name") == [3])
        #expect(try lines("\"item.name \\\" .name\"") == [])
        #expect(try lines("\"never closed\n/* never closed") == [])
    }

    @Test("a use of a change of a method is a call on its group")
    func calls() throws {
        let edit = ["  list: {": "  all: {"]
        let code = "shop.goods.list()\nshop.goods\n  .list()\nshop.list()\nother?.goods?.list"
        let report = try report(code, edit)
        #expect(report.changes.map(\.subject) == ["goods.list"])
        #expect(report.changes.first?.uses?.map(\.line) == [1, 3, 5])
        #expect(
            report.text.hasPrefix("source-breaking:\n  old/goods.yaml:"), "\(report.text)")
        #expect(report.text.contains("    used: Profile.swift:1, :3, :5\n"))
        #expect(report.text.contains("2 changes, 1 touches your code\n"))
    }

    @Test("a use of a new part is one of what it belongs to")
    func parts() throws {
        let report = try report(
            "let item = Item(id: 1)\nlet other = Size.small",
            ["{ id: int, name": "{ id: int, extra: int, name"])
        #expect(report.changes.map(\.subject) == ["Item.extra"])
        #expect(report.changes.allSatisfy { $0.uses?.map(\.line) == [1] })
    }

    @Test("a change without a use is left out, and one of all calls stays")
    func others() throws {
        #expect(try report("shop.other()", ["  list: {": "  all: {"]).changes.isEmpty)
        let servers = try report("", ["https://shop": "https://store"])
        #expect(servers.changes.map(\.subject) == ["api"])
        #expect(servers.changes.first?.uses == nil)
    }
}

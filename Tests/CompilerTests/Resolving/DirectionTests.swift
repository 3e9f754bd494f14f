import SpecIR
import Testing

@Suite("Fields of one direction")
struct DirectionTests {
    private func zone(
        _ fields: String, get: String = "Zone", put: String? = "Zone", models: String = ""
    ) -> Analysis {
        Analysis(
            users: """
                methods:
                  get: { get: zones, returns: \(get) }
                  \(put.map { "set: { put: zones, body: \($0) }" } ?? "none: { get: x }")
                models:
                  Zone: \(fields)
                \(models.split(separator: "\n").map { "  \($0)\n" }.joined())
                """)
    }

    private func fields(_ model: String, _ analysis: Analysis) -> [String] {
        guard case .object(let fields)? = analysis.model(model)?.kind else { return [] }
        return fields.map(\.name)
    }

    private static let zone =
        "{ id: { type: int, only: reply }, key: { type: int, only: request }, x: int }"

    @Test("a model of both directions becomes two types")
    func both() {
        let analysis = zone(Self.zone)
        #expect(analysis.codes == [])
        #expect(fields("Zone", analysis) == ["id", "x"])
        #expect(fields("Zone.Input", analysis) == ["key", "x"])
        let body = analysis.method("users.set")?.parameters.first?.value.type
        #expect(body == .object("Zone.Input"))
        #expect(analysis.model("Zone")?.isWritten == false)
        #expect(analysis.model("Zone.Input")?.isWritten == true)
    }

    @Test("a model of one direction loses the fields of the other")
    func one() {
        let received = zone(Self.zone, put: nil)
        #expect(fields("Zone", received) == ["id", "x"])
        #expect(received.model("Zone.Input") == nil)
        let sent = zone(Self.zone, get: "string")
        #expect(fields("Zone", sent) == ["key", "x"])
        #expect(sent.model("Zone.Input") == nil)
    }

    @Test("models that hold a model of two types become two types as well")
    func transitive() {
        let analysis = zone(
            "{ all: [Part], by: \"{string: Part}?\", own: Part?, other: Other }",
            models: "Part: \(Self.zone)\nOther: { a: int }")
        #expect(analysis.codes == [])
        let types = ["all", "by", "own"].map { analysis.field("Zone.Input", $0)?.value.type }
        let part = Value(.object("Part.Input"))
        #expect(types == [.list(part), .map(.string, part), part.type])
        #expect(analysis.field("Zone", "own")?.value.type == .object("Part"))
        #expect(analysis.model("Other.Input") == nil)
    }

    @Test("a model that only a field of one direction holds has that direction")
    func indirect() {
        let analysis = zone(
            "{ a: { type: Part, only: reply }, x: int }", models: "Part: \(Self.zone)")
        #expect(fields("Part", analysis) == ["id", "x"])
        #expect(analysis.model("Part.Input") == nil)
        #expect(analysis.model("Part")?.isWritten == false)
    }

    @Test("recursive models refer to their own type")
    func recursive() {
        let analysis = zone("{ id: { type: int, only: reply }, next: Zone?, x: int }")
        #expect(analysis.field("Zone.Input", "next")?.value.type == .object("Zone.Input"))
        #expect(analysis.field("Zone.Input", "next")?.isIndirect == true)
    }

    @Test("a cycle of required fields of one direction is an error")
    func endless() {
        let analysis = zone("{ x: int, next: { type: Zone, only: request } }")
        #expect(analysis.marks == ["T0301: Zone"])
    }

    @Test(
        "a field of one direction that makes no sense is reported at its place",
        arguments: [
            ("{ id: { type: int, only: reply } }", "T0311: id"),
            ("{ id: { type: int, only: replies } }", "T0107: replies"),
            ("{ id: { type: int, only: reply }, input: { a: int } }", "T0701: input"),
            ("{ id: { type: int, only: reply }, a: Input, b: Input }", "T0701: id"),
            ("{ ids: { type: [int], items: { only: reply } } }", "T0101: only"),
        ])
    func refusal(fields: String, mark: String) {
        let analysis = zone(fields, models: fields.contains("Input") ? "Input: { a: int }" : "")
        #expect(analysis.marks == [mark], "\(analysis)")
    }

    @Test("a parameter has one direction anyway")
    func parameter() {
        let analysis = zone("{ x: int }", put: "{ type: Zone, only: request }")
        #expect(analysis.marks == ["T0311: only"])
    }
}

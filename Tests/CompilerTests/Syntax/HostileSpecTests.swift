import SpecTemplateRules
import TestSupport
import Testing

@Suite("Hostile specs end quickly, with a diagnostic and without a trap")
struct HostileSpecTests {
    private static let files = RichSpec.files.map { (path: $0.key, bytes: Array($0.value.utf8)) }
        .sorted { $0.path < $1.path }

    /// Analyses the rich spec with one changed file. Without diagnostics there must be an IR.
    private func analyse(_ index: Int, _ bytes: [UInt8]) {
        var files = Self.files
        files[index].bytes = bytes
        let analysis = Analysis(bytes: files)
        #expect(analysis.bag.hasErrors == (analysis.api == nil))
        for diagnostic in analysis.bag.all where diagnostic.message.isEmpty {
            Issue.record("an empty message")
        }
    }

    @Test(
        "a spec cut off after any byte ends quickly, with a diagnostic and without a trap",
        arguments: 0..<4)
    func truncated(index: Int) async {
        await onThreadForLongTests {
            let bytes = Self.files[index].bytes
            for end in 0..<bytes.count { analyse(index, Array(bytes[..<end])) }
        }
    }

    @Test("hostile specs end quickly with bytes replaced, inserted and removed", arguments: 0..<4)
    func mutated(index: Int) async {
        await onThreadForLongTests {
            var generator = SeededGenerator(UInt64(index) + 1)
            let special = Array("{}[]:,-?|&*!'\"#%@`\n\t ~<>".utf8) + [0, 0x7F, 0xC3, 0xFF]
            for _ in 0..<800 {
                var bytes = Self.files[index].bytes
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let place = Int.random(in: 0..<bytes.count, using: &generator)
                    let byte =
                        Bool.random(using: &generator)
                        ? special.randomElement(using: &generator) ?? 0
                        : UInt8.random(in: 0...255, using: &generator)
                    switch Int.random(in: 0..<3, using: &generator) {
                    case 0: bytes[place] = byte
                    case 1: bytes.insert(byte, at: place)
                    default: bytes.remove(at: place)
                    }
                }
                analyse(index, bytes)
            }
        }
    }

    @Test("hostile specs end quickly with lines moved, doubled and indented", arguments: 0..<4)
    func shuffledLines(index: Int) async {
        await onThreadForLongTests {
            var generator = SeededGenerator(UInt64(index) + 40)
            let lines = Self.files[index].bytes.split(
                separator: 0x0A, omittingEmptySubsequences: false)
            for _ in 0..<500 {
                var lines = lines.map { Array($0) }
                let one = Int.random(in: 0..<lines.count, using: &generator)
                let other = Int.random(in: 0..<lines.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: lines.swapAt(one, other)
                case 1: lines.insert(lines[one], at: other)
                default: lines[one].insert(contentsOf: [0x20, 0x20], at: 0)
                }
                analyse(index, Array(lines.joined(separator: [0x0A])))
            }
        }
    }

    @Test("templates as deep as may be, of a self-containing model, end quickly, without a trap")
    func deepTemplates() {
        for depth in [TemplateParser.depthLimit - 2, TemplateParser.depthLimit + 4] {
            let json =
                String(repeating: "{\"a\":[", count: depth / 2) + "null"
                + String(repeating: "]}", count: depth / 2)
            let analysis = Analysis([
                "api.yaml": Analysis.smallAPI, "templates/users.get.json": json,
                "users.yaml": """
                methods: { get: { get: a, returns: A } }
                models: { A: { a: "[A | null]" } }

                """,
            ])
            let isTooDeep = depth > TemplateParser.depthLimit
            #expect(analysis.codes == (isTooDeep ? ["T0901"] : []), "\(analysis)")
        }
    }

    @Test("templates with many keys, rules and mistakes end quickly, with diagnostics and no trap")
    func wideTemplates() {
        let keys = (0..<20_000).map { "\"k\($0)\": 1, \"k\($0)-Rules\": { \"minimun\": \($0) }" }
        let analysis = Analysis([
            "api.yaml": Analysis.smallAPI,
            "users.yaml": "methods: { get: { get: a, returns: json } }\n",
            "templates/users.get.json": "{\(keys.joined(separator: ",\n"))}",
        ])
        #expect(analysis.bag.errorCount >= 1000)
    }

    @Test("inline models as deep as YAML allows end quickly, without a trap")
    func deepModels() {
        let depth = 190
        let text =
            String(repeating: "{ a: ", count: depth) + "int" + String(repeating: " }", count: depth)
        let analysis = Analysis(
            users: "methods: { get: { get: a, returns: A } }\nmodels: { A: \(text) }\n")
        #expect(analysis.api == nil || analysis.rendered.isEmpty)
    }

    @Test("diagnostics beyond the limit are counted, not kept")
    func flood() async {
        await onThreadForLongTests {
            let fields = (0..<20_000).map { "f\($0): T\($0)" }.joined(separator: ", ")
            let models = (0..<5000).map { "N\($0): { x: int }" }.joined(separator: ", ")
            let analysis = Analysis(users: "models: { A: { \(fields) }, \(models) }\n")
            #expect(analysis.bag.errorCount == 20_000)
            #expect(analysis.bag.all.count == 1000)
        }
    }

    @Test("numbers beyond all bounds are messages")
    func numbers() {
        let analysis = Analysis(
            users: """
                methods:
                  get:
                    get: a
                    timeout: 999999999999999999999999999h
                    retry: { attempts: 99999999999999999999, backoff: 1s x1e999 max 9e9d }
                    limits: { requests: 99999999999999999999/s burst 99999999999999999999 }
                    throttle: { interval: 9999999999999999999999d, from: 1e999 }
                    on-constrained: 99999999999999999999
                    until: { where: { a: 99999999999999999999 }, interval: 1e999s }
                    query:
                      a: { type: int, min: -9223372036854775808, max: 9223372036854775807 }
                      b: { type: int, min: 9223372036854775808 }
                      c: { type: double, min: 1e999, max: -1e999 }
                      d: { type: string, max-length: 99999999999999999999 }
                      e: { type: file, max-size: 1e3MiB }
                """,
            api: "limits: { response: 99999999999GiB, depth: 0, concurrent: 0 }\n")
        #expect(analysis.api == nil)
        #expect(analysis.codes.contains("T0108") && analysis.codes.contains("T0109"))
        #expect(analysis.codes.contains("T0114") && analysis.codes.contains("T0115"))
    }
}

import TestSupport
import Testing

@Suite("Specs are described in the words of OpenAPI")
struct GoldenExportTests {
    /// Each case `x.spec` has files of a spec, each after a line `# file: path`; `x.openapi` is the
    /// description.
    @Test("specs are described in the words of OpenAPI, feature by feature")
    func goldens() throws {
        let folder = GoldenFolder()
        var results: [String: String] = [:]
        for (name, bytes) in try folder.cases(endingIn: ".spec") {
            let exported = try Exported(files(String(decoding: bytes, as: UTF8.self)))
            exported.expectRoundTrip(name)
            exported.expectRoundTrip(name, isJSON: true)
            results["\(name).openapi"] = exported.export.yaml
        }
        let problems = try folder.problems(with: results, casesEndingIn: ".spec")
        #expect(problems == [])
    }

    @Test("the JSON of a description escapes characters that a terminal does not show")
    func escapes() throws {
        let doc = #"doc: "a\u2028\x7F\t\r\n\"é""#
        let exported = try Exported([
            "api.yaml": "telex: 1\napi: Shop\n\(doc)\nservers: { a: https://shop.example/ }\n",
            "orders.yaml": "methods: { list: { get: orders } }\n",
        ])
        #expect(exported.export.json.contains(#""a\u2028\u007f\t\r\n\"é""#))
    }

    private func files(_ text: String) -> [String: String] {
        let small = "telex: 1\napi: Shop\nservers: { production: https://shop.example/ }\n"
        var (files, path) = (["api.yaml": small], "")
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("# file: ") {
                path = String(line.dropFirst("# file: ".count))
                files[path] = ""
            } else {
                files[path, default: ""] += line + "\n"
            }
        }
        return files.filter { !$0.key.isEmpty }
    }
}

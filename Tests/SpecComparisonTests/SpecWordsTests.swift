import Foundation
import Testing

@testable import SpecComparison

@Suite("Words of the spec")
struct SpecWordsTests {
    /// The stored properties that the sources of the IR declare, with the names of their types.
    private static func properties() throws -> [(type: String, property: String)] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/SpecIR").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        var result: [(String, String)] = []
        for file in files where file.pathExtension == "swift" {
            var types: [String] = []
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let depth = line.prefix { $0 == " " }.count / 4
                if let type = line.firstMatch(of: #/^ *public (?:indirect )?(?:struct|enum) (\w+)/#)
                {
                    types = types.prefix(depth) + [String(type.1)]
                } else if let property = line.firstMatch(
                    of: #/^ *public var `?(\w+)`?(?::[^{]*| = [^{]*)$/#),
                    depth <= types.count
                {
                    result.append(
                        (types.prefix(depth).joined(separator: "."), String(property.1)))
                }
            }
        }
        return result
    }

    @Test("words of the spec are known for every property of the IR, and for its types alone")
    func properties() throws {
        let properties = try Self.properties()
        #expect(properties.count > 200)
        for (type, property) in properties {
            #expect(SpecWords.words[type]?[property] != nil, "\(type).\(property)")
        }
        let types = Set(properties.map(\.type))
        let enumerations = [
            "AuthRules.Placement", "PageRules.Form", "Refresh", "RuleArgument",
            "Union.Discriminator", "ValueType",
        ]
        #expect(Set(SpecWords.words.keys).subtracting(enumerations).isSubset(of: types))
    }

    @Test("words of the spec name a part of the spec by its keys, or say what it is")
    func path() {
        #expect(SpecWords.path(["", "limits.requests", ""]) == "`limits.requests`")
        #expect(SpecWords.path(["servers", "main"]) == "`servers.main`")
        #expect(SpecWords.path(["", "the path"]) == "the path")
        #expect(SpecWords.path(["pages", "the parameter"]) == "the parameter of `pages`")
    }
}

import SpecComparison
import SpecIR
import SwiftEmitter
import TestSupport
import Testing

@Suite("The comparison of versions, with every feature of the language")
struct ComparisonTests {
    @Test("no line of a spec can be left out or changed without a change being told")
    func nothingIsMissed() async throws {
        try await onThreadForLongTests {
            var count = 0
            for spec in [EverythingSpec.spec] {
                let old = try #require(spec.checked().api)
                #expect(APIComparison(old, old).changes.isEmpty)
                for (edit, mutant) in Self.mutants(of: spec) {
                    guard let new = mutant.checked().api, new != old else { continue }
                    count += 1
                    #expect(!APIComparison(old, new).changes.isEmpty, "\(edit)")
                    #expect(!APIComparison(new, old).changes.isEmpty, "\(edit)")
                }
            }
            #expect(count > 300)
        }
    }

    /// The spec without one of its lines, and with one more character at the end of a line.
    private static func mutants(of spec: TestSpec) -> [(edit: String, spec: TestSpec)] {
        spec.files.sorted { $0.key < $1.key }.flatMap { file, text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.indices.flatMap { index in
                [Substring()].map { line in
                    var lines = lines
                    lines[index] = line
                    var mutant = spec
                    mutant.files[file] = lines.joined(separator: "\n")
                    return ("\(file):\(index + 1): \(line)", mutant)
                }
            }
        }
    }
}

import Foundation
import SpecComparison
import SpecIR
import SwiftEmitter
import TestSupport
import Testing

@Suite("The comparison of two versions")
struct ComparisonTests {
    @Test("no line and no key can be left out of a spec without a change being told")
    func nothingIsMissed() async throws {
        try await onThreadForLongTests {
            var count = 0
            for spec in [ShapesSpec.spec, RulesSpec.spec, SharingSpec.spec] {
                let old = try #require(spec.checked().api)
                #expect(APIComparison(old, old).changes.isEmpty)
                for (edit, mutant) in Self.mutants(of: spec) {
                    guard let new = mutant.checked().api, new != old else { continue }
                    count += 1
                    #expect(!APIComparison(old, new).changes.isEmpty, "\(edit)")
                    #expect(!APIComparison(new, old).changes.isEmpty, "\(edit)")
                }
            }
            #expect(count > 150)
        }
    }

    @Test("what the generated code declares has a change when it is gone")
    func declarations() async throws {
        try await onThreadForLongTests {
            let spec = ShapesSpec.spec
            let before = spec.compiled()
            let old = try #require(before.api)
            let declared = try Self.declarations(spec.emitted())
            var count = 0
            for (edit, mutant) in Self.mutants(of: spec) {
                let compilation = mutant.compiled()
                guard let new = compilation.api else { continue }
                let texts = compilation.files.map { ($0.name, $0.text) }
                let gone = declared.subtracting(
                    Self.declarations(Dictionary(uniqueKeysWithValues: texts)))
                if !gone.isEmpty { count += 1 }
                let isTold = APIComparison(old, new).changes.contains { $0.kind == .source }
                #expect(isTold || gone.isEmpty, "\(edit): \(gone)")
            }
            #expect(count > 20)
        }
    }

    /// The public properties, types and cases of generated code, a line each. Functions are not
    /// among them: a new argument with a default changes the line. Mirrors only describe values.
    private static func declarations(_ files: [String: String]) -> Set<String> {
        let line =
            #/^ *(?:nonisolated )?(?:public (?:static )?(?:var|let|struct|enum|protocol)|case) [A-Za-z_]\w*.*$/#
        return Set(
            files.values.flatMap { $0.split(separator: "\n") }
                .filter { $0.wholeMatch(of: line) != nil }
                .filter { !$0.contains("Stub<") && !$0.contains("customMirror") }
                .map(String.init))
    }

    /// The spec without one of its lines, and without one of the keys inside braces.
    private static func mutants(of spec: TestSpec) -> [(edit: String, spec: TestSpec)] {
        spec.files.sorted { $0.key < $1.key }.flatMap { file, text in
            let lines = text.matches(of: #/[^\n]+\n/#).map(\.range)
            let keys = text.matches(of: #/, [\w-]+: [^,{}\[\]\n]+/#).map(\.range)
            return (lines + keys).map { range in
                var mutant = spec
                mutant.files[file] = text.replacingCharacters(in: range, with: "")
                return ("\(file) without \(text[range])", mutant)
            }
        }
    }
}

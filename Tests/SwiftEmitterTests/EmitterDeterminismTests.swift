import Foundation
import TestSupport
import Testing

@Suite("Determinism")
struct EmitterDeterminismTests {
    @Test("The same files give the same output, in any order")
    func isStable() async throws {
        try await onThreadForLongTests {
            for spec in [HostileSpec.spec, EverythingSpec.spec, ShapesSpec.spec] {
                let first = try spec.emitted()
                #expect(try spec.emitted() == first)
                #expect(try spec.emitted(reversed: true) == first)
            }
        }
    }

    @Test("Another model changes only the file of its group")
    func modelsAreLocal() throws {
        let names = try changed("bare.yaml", from: "b: Date", to: "b: Date?")
        #expect(names == ["Bare.swift"])
    }

    @Test("Another method changes the file of its group and the table of methods")
    func methodsAreListed() throws {
        let names = try changed(
            "deep/calls.yaml", from: "post: { post: x }", to: "store: { post: x }")
        #expect(names == ["API+Methods.swift", "Deep+Calls.swift"])
    }

    @Test("Another error code changes only the description of the API")
    func errorsAreLocal() throws {
        #expect(try changed("api.yaml", from: "second: -2", to: "second: -3") == ["API.swift"])
    }

    /// The names of the files that change when a text of a spec is replaced.
    private func changed(_ file: String, from old: String, to new: String) throws -> [String] {
        var spec = EverythingSpec.spec
        let before = try spec.emitted()
        let text = try #require(spec.files[file])
        let range = try #require(text.firstRange(of: old))
        spec.files[file] = text.replacingCharacters(in: range, with: new)
        let after = try spec.emitted()
        #expect(before.keys.sorted() == after.keys.sorted())
        return before.keys.filter { before[$0] != after[$0] }.sorted()
    }
}

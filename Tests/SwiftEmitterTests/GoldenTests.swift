import TestSupport
import Testing

@Suite("Goldens")
struct GoldenTests {
    @Test("The output equals the goldens")
    func shapes() throws {
        let problems = try GoldenFolder("Shapes").problems(with: ShapesSpec.spec.emitted())
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }

    @Test("The output that the client tests use equals the compiler's")
    func unions() throws {
        let folder = GoldenFolder(
            "Unions", file: SwiftToolchain.root.appending(path: "Tests/ClientTests/-").path)
        let problems = try folder.problems(with: UnionsSpec.spec.emitted())
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }
}

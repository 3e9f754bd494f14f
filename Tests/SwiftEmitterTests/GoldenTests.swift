import TestSupport
import Testing

@Suite("Goldens")
struct GoldenTests {
    @Test("Every shape of the output is as on disk")
    func shapes() throws {
        let problems = try GoldenFolder("Shapes").problems(with: ShapesSpec.spec.emitted())
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }
}

import TestSupport
import Testing

@Suite("Goldens")
struct GoldenTests {
    @Test("The output equals the goldens")
    func shapes() throws {
        let problems = try GoldenFolder("Shapes").problems(with: ShapesSpec.spec.emitted())
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }
}

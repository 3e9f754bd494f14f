import ProcessSupport
import TemplaterTestSupport

extension StoreFolder {
    /// Runs a store in a process of its own.
    func process(_ commands: String...) async throws -> Run {
        try await Run.program(try Self.program, [base, path] + commands)
    }

    static var program: String {
        get throws {
            guard let path = BuiltProgram.path(named: "templater-process") else { throw Missing() }
            return path
        }
    }

    struct Missing: Error {}
}

import TestSupport
import Testing

extension GoldenFolder {
    /// Records the differences between results, by file name, and the files on disk. Files that end
    /// in `ending` are cases.
    func expect(_ results: [String: String], casesEndingIn ending: String? = nil) throws {
        for problem in try problems(with: results, casesEndingIn: ending) {
            Issue.record("\(problem)")
        }
    }
}

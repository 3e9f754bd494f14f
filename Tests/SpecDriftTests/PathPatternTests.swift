import SpecInterpreter
import Testing

@Suite("The pattern of a method's path")
struct PathPatternTests {
    @Test(
        "a path has the texts of the placeholders, or does not match",
        arguments: [
            ("users/{id}", "users/7", ["id": "7"]), ("users/{id}", "users/", nil),
            ("users/{id}", "users/7/x", nil), ("users", "users", [:]),
            ("files/{+path}", "files/a/b", ["path": "a/b"]),
            ("compare/{a}...{b}", "compare/x...y...z", ["a": "x...y", "b": "z"]),
            ("{+a}/x/{b}", "p/x/q/x/r", ["a": "p/x/q", "b": "r"]),
        ])
    func values(pattern: String, path: String, values: [String: String]?) {
        #expect(PathPattern(pattern).values(in: path[...]) == values)
    }

    @Test("a path of the texts between placeholders alone ends without a match")
    func hostile() {
        let pattern = PathPattern("{a}-{b}-{c}-{d}-{e}.json")
        let path = String(repeating: "-", count: 300) + "/.json"
        #expect(pattern.values(in: path[...]) == nil)
    }
}

import Testing

@testable import TelexJSON

/// Reads places as `type: [Place], invalid: …` does.
private func places(
    _ text: String, _ tolerance: JSONTolerance, limits: JSONLimits = JSONLimits(),
    checks: JSONChecks = .all
) -> JSONResult<[Place]> {
    read(text, limits: limits, checks: checks) { json in
        var places: [Place]?
        json.list(&places, invalid: tolerance, Place.read)
        return places
    }
}

/// Reads numbers of at least 3, in lists that skip others, in a list that does so, too.
private func numbers(_ text: String) -> JSONResult<[[Int]]> {
    read(text) { json in
        var rows: [[Int]]?
        json.list(&rows, invalid: .skip) { json in
            var row: [Int]?
            let isRead = json.list(&row, invalid: .skip) { json in
                var number: Int?
                if json.int(&number) { json.minimum(number, 3) }
                return number
            }
            if isRead { json.minItems(row, 1) }
            return row
        }
        return rows
    }
}

private func levels(_ text: String, _ tolerance: JSONTolerance) -> JSONResult<[Level: Int]> {
    read(text) { json in
        var levels: [Level: Int]?
        json.map(&levels, invalid: tolerance, Int.read)
        return levels
    }
}

extension JSONResult {
    /// Each reason why something was left out, as `path: rule`.
    fileprivate var skipped: [String] { report.skipped.violations.map { "\($0.path): \($0.rule)" } }
}

@Suite("Of a list that tolerates violations")
struct ToleranceTests {
    @Test(
        "a syntax error still fails a list that tolerates violations, wherever it is",
        arguments: ["[1, }]", "[{]", "[[}, 3]", "x"])
    func syntax(text: String) {
        for tolerance in [JSONTolerance.skip, .empty, [.skip, .empty]] {
            let result = places(text, tolerance)
            #expect(result.value == nil)
            #expect(result.syntaxError != nil)
            #expect(!result.report.isValid)
        }
    }

    @Test("an element that cannot be read fails the list, unless `skip` is set")
    func emptyOnly() {
        let result = places(#"[{"city": "a"}, {}]"#, .empty)
        #expect(result.value == nil)
        #expect(result.summary == ["[1].city: required"])
        #expect(result.report.skipped.count == 0)
    }

    @Test("a value of another kind fails the list, unless `empty` is set")
    func skipOnly() {
        let result = places("null", .skip)
        #expect(result.value == nil)
        #expect(result.summary == ["$: type"])
    }

    @Test("elements that cannot be read are left out, each with its path in the document")
    func skip() {
        let result = places(
            #"[7, {"city": "a"}, {"city": 5}, {}, {"city": "b"}, [[{}]], {"city": "c"}]"#, .skip)
        #expect(result.value?.map(\.city) == ["a", "b", "c"])
        #expect(result.report.isValid)
        #expect(result.report.skipped.count == 4)
        #expect(
            result.skipped
                == ["[0]: type", "[2].city: type", "[3].city: required", "[5]: type"])
    }

    @Test("an element that breaks a rule is left out, and rules of the list apply to the rest")
    func rules() {
        let result = numbers("[[3, 1, 4], [2, 1], [5]]")
        #expect(result.value == [[3, 4], [5]])
        #expect(result.report.isValid)
        // The second row has no number left: it counts once, without its own elements.
        #expect(result.report.skipped.count == 2)
        #expect(result.skipped == ["[0][1]: min", "[1]: min-items"])
    }

    @Test("a warning does not leave an element out")
    func warning() {
        let result: JSONResult<[Int]> = read("[1, 5]") { json in
            var numbers: [Int]?
            json.list(&numbers, invalid: .skip) { json in
                var number: Int?
                if json.int(&number) { json.minimum(number, 3, severity: .warning) }
                return number
            }
            return numbers
        }
        #expect(result.value == [1, 5])
        #expect(result.summary == ["[0]: min"])
        #expect(result.report.skipped.count == 0)
    }

    @Test(
        "a value of another kind is an empty list with `empty`",
        arguments: ["null", "{\"a\": [1]}", "\"\"", "0", "false"])
    func empty(text: String) {
        let result = places(text, .empty)
        #expect(result.value?.isEmpty == true)
        #expect(result.report.isValid)
        #expect(result.report.skipped.count == 1)
        #expect(result.skipped == ["$: type"])
    }

    @Test("the count of elements left out of a list is right even when few reasons are kept")
    func bounded() {
        let text = "[" + Array(repeating: "{}", count: 500).joined(separator: ",") + "]"
        let result = places(text, .skip, limits: JSONLimits(violations: 3))
        #expect(result.value?.isEmpty == true)
        #expect(result.report.isValid)
        #expect(result.report.skipped.count == 500)
        #expect(result.report.skipped.violations.count == 3)
    }

    @Test("an element with more violations than are kept is left out")
    func crowded() {
        let text = #"[{"city": 1, "is_home": 2}, {"city": "a"}]"#
        let result = places(text, .skip, limits: JSONLimits(violations: 1))
        #expect(result.value?.map(\.city) == ["a"])
        #expect(result.report.isValid)
        #expect(result.report.skipped.count == 1)
    }

    @Test("an element is left out for a check that is off only if it has no value")
    func checks() {
        let result = places(#"[{"city": 5}, {"city": "a", "is_home": 5}]"#, .skip, checks: [])
        #expect(result.value?.map(\.city) == ["a"])
        #expect(result.report.violations.isEmpty)
        #expect(result.skipped == ["[0].city: type"])
    }

    @Test("violations outside of a list that tolerates them still count")
    func outside() {
        let result: JSONResult<[Int]> = read(#"[["x", 1], "y"]"#) { json in
            guard json.beginList() else { return nil }
            var numbers: [Int]?
            while json.nextElement() {
                if numbers == nil {
                    json.list(&numbers, invalid: .skip, Int.read)
                } else {
                    var number: Int?
                    json.int(&number)
                }
            }
            return json.endList() ? numbers : nil
        }
        #expect(result.value == nil)
        #expect(result.summary == ["[1]: type"])
        #expect(result.skipped == ["[0][0]: type"])
    }

    @Test("a sensitive value is in no reason for which an element is left out")
    func sensitive() {
        let result: JSONResult<[Person]> = read(
            #"[{"id": 1, "name": "a", "place": {"city": ""}, "tags": [], "secret": 12345}]"#
        ) { json in
            var people: [Person]?
            json.list(&people, invalid: .skip, Person.read)
            return people
        }
        #expect(result.value?.isEmpty == true)
        #expect(result.report.skipped.violations.map(\.found) == [Violation.redacted])
        #expect(!result.report.description.contains("12345"))
        #expect(result.report.description.hasPrefix("left out: [0].secret"))
    }

    @Test("members of a map are left out by their values and keys; the first valid one is kept")
    func maps() {
        let result = levels(#"{"low": 1, "high": "x", "low": 2, "new": 3}"#, .skip)
        #expect(result.value == [.low: 1, Level(rawValue: "new"): 3])
        #expect(result.report.isValid)
        #expect(result.report.skipped.count == 2)
        #expect(result.skipped == ["high: type", "low: duplicate"])

        let keys: JSONResult<[Int: Int]> = read(#"{"1": 1, "x": 2}"#) { json in
            var values: [Int: Int]?
            json.map(&values, invalid: .skip, Int.read)
            return values
        }
        #expect(keys.value == [1: 1])
        #expect(keys.skipped == ["x: type"])
        #expect(levels("[]", .empty).value == [:])
        #expect(levels("[]", .skip).value == nil)
        #expect(levels(#"{"low": "x"}"#, .empty).value == nil)
    }

    @Test("a duplicate member after an invalid one is kept")
    func secondChance() {
        let result = levels(#"{"low": "x", "low": 2}"#, .skip)
        #expect(result.value == [.low: 2])
        #expect(result.report.skipped.count == 1)
    }
}

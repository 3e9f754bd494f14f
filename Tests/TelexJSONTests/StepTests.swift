import Testing

@testable import TelexJSON

@Suite("Fields inside nested objects, as generated code reads them")
struct StepTests {
    private struct Place: Equatable {
        var title: String
        var mayor: String
        var note: String?
    }

    private func place(_ text: String, checks: JSONChecks = .all) -> JSONResult<Place> {
        TelexJSONTests.read(text, checks: checks) { json in
            json.enterObject(
                required: "", optional: "city more", nullable: "city more", sensitive: "")
            var (title, mayor, note) = (String(), String(), String?.none)
            var (hasCity, hasMayor) = (false, false)
            while let field = json.nextField() {
                switch field {
                case 0:
                    hasCity = true
                    json.enterObject(
                        required: "title", optional: "mayor", nullable: "mayor", sensitive: "")
                    while let field = json.nextField() {
                        switch field {
                        case 0: json.string(&title)
                        default:
                            hasMayor = true
                            json.enterObject(required: "name", optional: "")
                            while json.nextField() != nil { json.string(&mayor) }
                            json.endStep(isRequired: true)
                        }
                    }
                    if !hasMayor { json.missing(["mayor", "name"]) }
                    json.endStep(isRequired: true)
                default:
                    json.enterObject(required: "", optional: "note")
                    while json.nextField() != nil { json.string(&note) }
                    json.endStep(isRequired: false)
                }
            }
            if !hasCity {
                json.missing(["city", "title"])
                json.missing(["city", "mayor", "name"])
            }
            return json.endObject(Place(title: title, mayor: mayor, note: note))
        }
    }

    @Test("values are read out of nested objects, in any order, among other keys")
    func values() {
        let text = """
            {"more": {"x": 1, "note": "n"}, "id": 1,
             "city": {"id": 2, "mayor": {"name": "M", "age": 3}, "title": "T"}}
            """
        #expect(place(text).value == Place(title: "T", mayor: "M", note: "n"))
        #expect(place(text).summary == [])
    }

    @Test(
        "a missing step of a required field is a violation at the full path",
        arguments: [
            ("{}", ["city.title: required", "city.mayor.name: required"]),
            ("{\"city\": null}", ["city.title: required", "city.mayor.name: required"]),
            ("{\"city\": {\"title\": \"T\"}}", ["city.mayor.name: required"]),
            ("{\"city\": {\"title\": \"T\", \"mayor\": {}}}", ["city.mayor.name: required"]),
            (
                "{\"city\": {\"mayor\": null}}",
                ["city.mayor.name: required", "city.title: required"]
            ),
            ("{\"city\": 5}", ["city: type"]),
            ("{\"city\": {\"title\": 5, \"mayor\": {\"name\": \"M\"}}}", ["city.title: type"]),
        ])
    func missing(text: String, violations: [String]) {
        let result = place(text)
        #expect(result.value == nil)
        #expect(result.summary == violations)
    }

    @Test(
        "a missing step of an optional field is no violation",
        arguments: ["", ", \"more\": null", ", \"more\": {}"])
    func optional(more: String) {
        let result = place(
            "{\"city\": {\"title\": \"T\", \"mayor\": {\"name\": \"M\"}}\(more)}")
        #expect(result.value == Place(title: "T", mayor: "M"))
        #expect(result.summary == [])
    }

    @Test("a wrong step of an optional field is a violation, and the field is absent")
    func wrong() {
        let result = place(
            #"{"city": {"title": "T", "mayor": {"name": "M"}}, "more": [1]}"#)
        #expect(result.value == Place(title: "T", mayor: "M"))
        #expect(result.summary == ["more: type"])
    }

    @Test("fields inside nested objects without checks, a missing value still has a reason")
    func unchecked() {
        for text in ["{}", #"{"city": 5}"#, #"{"city": {"title": "T", "mayor": [1]}}"#] {
            let result = place(text, checks: [])
            #expect(result.value == nil)
            #expect(result.violations.count == 1, "\(text)")
        }
    }

    @Test("an object where the model itself expects one is reported once")
    func root() {
        #expect(place("[]").summary == ["$: type"])
    }

    @Test("rules of keys have the path of the key, and secrets stay hidden")
    func keys() {
        var json = JSONWriter()
        json.beginObject()
        json.key("users", sensitive: true)
        json.map([0: 1, 5: 2, -3: 3]) { $0.value($1) }
        json.keys([0: 1, 5: 2, -3: 3]) { $0.minimum($1, 1) }
        json.endObject()
        #expect(json.violations.map(\.path) == [#"users["-3"]"#, #"users["0"]"#])
        #expect(json.violations.allSatisfy { $0.found == Violation.redacted })
        let result: JSONResult<[String: Int]> = TelexJSONTests.read(#"{"abcd": 1, "a": 2}"#) {
            json in
            var map: [String: Int] = [:]
            if json.map(&map) { json.keys(map) { $0.maxLength($1, 3) } }
            return map
        }
        #expect(result.summary == ["abcd: max-length"])
        #expect(result.value?.count == 2)
    }
}

import TestSupport
import Testing

@testable import TelexJSON

@Suite struct MappingTests {
    private func people(
        _ text: String, at path: [JSONStep] = ["response", "items"], checks: JSONChecks = .all
    ) -> JSONResult<[Person]> {
        read(text, at: path, checks: checks) { $0.list() }
    }

    private func person(_ text: String, checks: JSONChecks = .all) -> JSONResult<Person> {
        read(text, checks: checks) { $0.model() }
    }

    @Test("a document with every kind of field is mapped")
    func mapped() throws {
        let result = people(personText)
        #expect(result.report.description == "valid")
        let people = try #require(result.value)
        #expect(people.count == 2)
        #expect(people[0].name == "Anné 😀")
        #expect(people[0].id == "1")
        #expect(people[0].place == Place(city: "Киев", isHome: true))
        #expect(people[0].rates == [1, 2.5, -0.03])
        #expect(people[0].marks == [.low: 1, Level(rawValue: "new"): 2])
        #expect(people[0].friends.map(\.id) == ["2"])
        #expect(people[0].note == nil)
        #expect(people[1].name == "Cy")
    }

    @Test("every violation of a document is found in one pass, each with its path")
    func violated() {
        let result = people(
            """
            {"response": {"items": [
              {"id": true, "name": "too long a name", "place": {"is_home": 2}, "tags": ["abcd", 5],
               "age": 17, "rates": [1, "x"], "marks": {"odd key": "y"}, "level": "new",
               "secret": "short", "note": 5, "friends": [{}, 7]},
              "no person"
            ]}}
            """)
        #expect(
            result.summary == [
                "response.items[0].id: type", "response.items[0].name: max-length",
                "response.items[0].place.is_home: type", "response.items[0].place.city: required",
                "response.items[0].tags[0]: max-length", "response.items[0].tags[1]: type",
                "response.items[0].age: min", "response.items[0].rates[1]: type",
                #"response.items[0].marks["odd key"]: type"#, "response.items[0].level: enum",
                "response.items[0].secret: min-length", "response.items[0].note: type",
                "response.items[0].friends[0].id: required",
                "response.items[0].friends[0].name: required",
                "response.items[0].friends[0].place: required",
                "response.items[0].friends[0].tags: required",
                "response.items[0].friends[1]: type", "response.items[1]: type",
            ])
        #expect(result.value == nil)
        #expect(result.syntaxError == nil)
        #expect(result.violations[0].found == "true")
        #expect(result.violations[6].description.contains("expected at least 18, found 17 [min]"))
    }

    @Test("sensitive values never appear")
    func redaction() {
        let base = #"{"id": 1, "name": "", "place": {"city": ""}, "tags": [], "secret": "#
        let short = person(base + #""hush"}"#)
        #expect(short.violations.map(\.found) == [Violation.redacted])
        let wrong = person(base + #"123456}"#)
        #expect(wrong.violations.map(\.found) == [Violation.redacted])
        #expect(wrong.value != nil)
    }

    @Test("an optional field of the wrong type is left out, a required one is not forgiven")
    func optional() {
        let base = #"{"name": "", "place": {"city": ""}, "tags": [], "#
        let lenient = person(base + #""id": 1, "age": "x", "friends": [{}]}"#)
        #expect(lenient.value?.age == nil)
        #expect(lenient.value?.friends == [])
        #expect(lenient.violations.first?.path == "age")
        #expect(person(base + #""id": []}"#).value == nil)
        #expect(person(base + #""id": null}"#).summary == ["id: type"])
    }

    @Test("the four checks are independent")
    func masks() {
        let text = #"{"id": 1, "name": "much too long", "age": "x", "tags": [], "place": {}}"#
        #expect(person(text, checks: .nestedKeys).summary == ["place.city: required"])
        #expect(person(text, checks: .types).summary == ["age: type", "place.city: required"])
        #expect(
            person(text, checks: .rules).summary == ["name: max-length", "place.city: required"])
        let top = #"{"id": 1, "name": "n", "name": "m", "age": "x", "place": {"city": ""}}"#
        #expect(person(top, checks: .keys).summary == ["name: duplicate", "tags: required"])
        let fine =
            #"{"id": 1, "name": "much too long", "age": "x", "tags": [], "place": {"city": ""}}"#
        #expect(person(fine, checks: []).violations.isEmpty)
        #expect(person(fine, checks: []).value?.name == "much too long")
    }

    @Test("a missing value without rules is still a violation")
    func explained() {
        let result = person("[]", checks: [])
        #expect(result.summary == ["$: type"])
        #expect(result.value == nil)
    }

    @Test("a duplicate of a known key is a violation, and the last value counts")
    func duplicates() {
        let text =
            #"{"id": 1, "name": "n", "place": {"city": "", "city": "x"}, "tags": [], "id": 2}"#
        let result = person(text)
        #expect(result.summary == ["place.city: duplicate", "id: duplicate"])
        #expect(result.violations.map(\.check) == [.nestedKeys, .keys])
        #expect(result.value?.id == "2")
        #expect(result.value?.place?.city == "x")
        let map: JSONResult<[String: Int]> = read(#"{"a": 1, "a": 2}"#) { $0.dictionary() }
        #expect(map.summary == ["a: duplicate"])
        #expect(map.value == ["a": 2])
    }

    @Test("keys may be escaped, in any order, among unknown ones")
    func keys() {
        let text =
            #"[{"zz":1,"tags":[],"pl\u0061ce":{"city":"c"},"n\u0061me":"n","id":1,"b":{"id":[]}},"#
            + #"{"id":2,"name":"m","x":[],"tags":[],"place":{"city":"d"}},"#
            + #"{"id" : 3,"name" : "m","tags" : ["a"],"place" : {"city" : "d"}}]"#
        let result = people(text, at: [])
        #expect(result.summary == [])
        #expect(result.value?.map(\.id) == ["1", "2", "3"])
        #expect(result.value?[0].place?.city == "c")
    }

    @Test("an envelope that is missing, or is no object, is a violation with its path")
    func envelopes() {
        #expect(people(#"{"error": 1}"#).summary == ["response: required"])
        #expect(people(#"{"response": {"a": 1}}"#).summary == ["response.items: required"])
        #expect(people(#"{"response": 5}"#).summary == ["response: type"])
        #expect(people(#"[]"#).summary == ["$: type"])
        #expect(
            people(#"{"response": {"items": []}, "response": 1}"#).summary == [
                "response: duplicate"
            ])
        let rest = people(#"{"a": [1, {}], "response": {"x": 1, "items": [], "y": {}}, "z": 2}"#)
        #expect(rest.value == [])
        #expect(rest.summary == [])
        #expect(people(#"{"response": {"items": []}, }"#).syntaxError != nil)
        #expect(people(#"{"response": {"items": []}} x"#).syntaxError?.reason == .trailingData)
    }

    @Test("violations are bounded; further ones are counted")
    func bounded() {
        let text = "[" + repeatElement("true", count: 50).joined(separator: ",") + "]"
        let result: JSONResult<[Int]> = read(text, limits: JSONLimits(violations: 10)) { $0.list() }
        #expect(result.violations.count == 10)
        #expect(result.report.omitted == 40)
        #expect(!result.report.isValid)
        #expect(result.violations[9].path == "[9]")
    }

    @Test("the found value is cut after 80 scalars")
    func cut() {
        let result: JSONResult<Int> = read("\"\(String(repeating: "é", count: 500))\"") {
            $0.value()
        }
        #expect(result.violations.first?.found.unicodeScalars.count == 80)
    }

    @Test("a body that reads too little leaves the reader at a valid position")
    func careless() {
        let text = #"[{"a": [1, 2]}, 5]"#
        let early: JSONResult<[Int]> = read(text) { json in
            json.list { json -> Int? in
                guard json.beginMap(), json.nextKey() != nil, json.beginList() else { return nil }
                return 1
            }
        }
        #expect(early.syntaxError == nil)
        #expect(early.summary == ["[1]: type"])
        let none: JSONResult<[Int]> = read(text) { json in json.list { _ in 1 } }
        #expect(none.value == [1, 1])
        let whole: JSONResult<Int> = read(text) { _ in 1 }
        #expect(whole.value == 1)
        let fields: JSONResult<Int> = read(#"{"a": {"b": 1}, "c": 2}"#) { json in
            guard json.beginObject(JSONKeys(required: ["a", "c"])) else { return nil }
            var count = 0
            while json.nextField() != nil { count += 1 }
            return json.endObject() ? count : nil
        }
        #expect(fields.value == 2)
        #expect(fields.syntaxError == nil)
    }

    @Test("a missing object has no fields, and its neighbours are read")
    func absent() {
        var cities: [String?] = []
        let text = #"[5, {"city": "A"}, [{}], {}, {"city": "B"}]"#
        let result: JSONResult<[Place]> = read(text) { json in
            json.list { json -> Place? in
                let place = Place.read(from: &json)
                cities.append(place?.city)
                return place
            }
        }
        #expect(cities == [nil, "A", nil, nil, "B"])
        #expect(result.summary == ["[0]: type", "[2]: type", "[3].city: required"])
        let deep = JSONReader.read(
            Array(#"[{"city": "A"}]"#.utf8), limits: JSONLimits(depth: 1)
        ) { json -> [Place]? in json.list() }
        #expect(deep.syntaxError?.reason == .tooDeep(limit: 1))
    }

    @Test("literal keys are made into a table once, also under concurrency")
    func literals() async {
        let literals = JSONKeyLiterals(required: "a b", optional: "", nullable: "b")
        let tables = await withTaskGroup(of: JSONKeyTable?.self) { group in
            for _ in 0..<50 { group.addTask { JSONKeyTables.table(literals) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(tables.count == 50)
        #expect(Set(tables.compactMap { $0.map(ObjectIdentifier.init) }).count == 1)
        #expect(tables[0]?.names == ["a", "b"])
        let others = JSONKeyLiterals(required: "a b", optional: "", nullable: "a")
        #expect(JSONKeyTables.table(others) !== tables[0])
    }

    @Test("a key may begin with a mark that combines with the space in front of it")
    func combining() {
        let literals = JSONKeyLiterals(required: "a \u{301}b", optional: "é")
        #expect(JSONKeyTables.table(literals)?.names == ["a", "\u{301}b", "é"])
    }

    @Test("members in any order, with unknown ones between them, are found, also at the same time")
    func anyOrder() async {
        await withTaskGroup(of: Void.self) { group in
            for seed in 0..<8 {
                group.addTask {
                    var generator = SeededGenerator(UInt64(seed))
                    for _ in 0..<500 { Self.checkAnyOrder(&generator) }
                }
            }
        }
    }

    private static func checkAnyOrder(_ generator: inout SeededGenerator) {
        func space() -> String { ["", "", " ", "\n  "].randomElement(using: &generator) ?? "" }
        let keys = ["a", "bc", "a_longer_key", "a\"key", "f"]
        let unknown = (0..<60).map { "other\($0)" } + ["é", "", "g\\h", "a b"]
        let known = keys.indices.filter { _ in Bool.random(using: &generator) }
        let others = unknown.shuffled(using: &generator).prefix(Int(generator.next() % 5))
        var members = known.map { (key: keys[$0], value: $0) } + others.map { (key: $0, value: -1) }
        members.shuffle(using: &generator)
        let text = members.map { key, value in
            let key = key.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\(space())\"\(key)\"\(space()):\(space())\(value)\(space())"
        }
        let result: JSONResult<[Int?]> = read("{\(text.joined(separator: ","))}") { json in
            json.enterObject(required: "", optional: "a bc a_longer_key a\"key f")
            var found = [Int?](repeating: nil, count: 5)
            while let field = json.nextField() { json.int(&found[field]) }
            return json.endObject(found)
        }
        #expect(result.value == keys.indices.map { known.contains($0) ? $0 : nil })
        #expect(result.report.isValid)
    }

    @Test(
        "a document whose members are separated wrongly is refused, also by a model that knows them",
        arguments: [
            #"{,"a":1}"#, #"{"a":1"b":2}"#, #"{"a":1 "b":2}"#, #"{"a":1,,"b":2}"#, #"{"a":,"b":2}"#,
            #"{"a":1,"b":}"#, #"{"a":1,"b" 2}"#, #"{"a":1,"b":2,}"#, #"{ , "a": 1}"#,
            "{\n  \"a\": 1\n  \"b\": 2\n}", "{\n  \"a\": 1,\n  ,\"b\": 2\n}",
        ])
    func separators(text: String) {
        let keys = JSONKeys(required: [], optional: ["a", "b"])
        // The first document teaches the order of the members. The last bytes of one are compared
        // one by one.
        for padding in ["", String(repeating: " ", count: 64)] {
            for text in [#"{"a":1,"b":2}"#, text] {
                let result: JSONResult<Int> = read(text + padding) { json in
                    guard json.beginObject(keys) else { return nil }
                    var values = [0, 0]
                    while let field = json.nextField() { json.int(&values[field]) }
                    return json.endObject() ? values[0] * 10 + values[1] : nil
                }
                let isWhole = text == #"{"a":1,"b":2}"#
                #expect(result.value == (isWhole ? 12 : nil), "\(text)")
                #expect((result.syntaxError == nil) == isWhole, "\(text)")
            }
        }
    }

    @Test("a model may have any number of fields, and may be closed")
    func wide() {
        let names = (0..<150).map { "field\($0)" }
        let keys = JSONKeys(required: names, unknown: .refused)
        let members = names.shuffled().map { "\"\($0)\": 1" }
        func summary(_ members: [String]) -> [String] {
            let text = "{" + members.joined(separator: ",") + "}"
            let result: JSONResult<Bool> = read(text) { json in
                guard json.beginObject(keys) else { return nil }
                var sum = 0
                while let field = json.nextField() {
                    var value = 0
                    if json.int(&value) { sum += field * value }
                }
                return json.endObject() && sum == 149 * 75 ? true : nil
            }
            return result.value == true ? ["whole"] + result.summary : result.summary
        }
        #expect(summary(members) == ["whole"])
        #expect(summary(members + ["\"field140\": 0"]).contains("field140: duplicate"))
        let partly = names.filter { $0 != "field70" }.map { "\"\($0)\": 1" }
        #expect(summary(partly) == ["field70: required"])
        #expect(summary(members + ["\"other\": 1"]) == ["whole", "other: closed"])
    }

    @Test("single values can be found without mapping")
    func probes() {
        let text = Array(#"{"a": 1, "error": {"error_code": 5, "m": "x"}, "broken": "#.utf8)
        #expect(JSONReader.value(at: ["error", "error_code"], in: text) == 5)
        #expect(JSONReader.value(at: ["error", "none"], in: text) == nil)
        #expect(JSONReader.value(at: ["a", "b"], in: text) == nil)
        #expect(JSONReader.value(at: [], in: text) == nil)
        let raw = JSONReader.bytes(at: ["error"], in: text)
        #expect(raw.map { String(decoding: $0, as: UTF8.self) } == #"{"error_code": 5, "m": "x"}"#)
        #expect(JSONReader.bytes(at: ["broken"], in: text) == nil)
    }
}

extension JSONKeyTables {
    fileprivate static func table(_ literals: JSONKeyLiterals) -> JSONKeyTable? {
        shape(literals)?.pointee.table.takeUnretainedValue()
    }
}

import Testing

/// Checks the readers and writers of models that share fields.
@Suite("Models with shared fields")
struct SharedFieldTests {
    private func zones() throws -> String {
        try #require(try SharingSpec.spec.emitted()["Zones.swift"])
    }

    @Test("an open model reads and writes its further members")
    func open() throws {
        let text = try zones()
        #expect(text.contains("additional: [String: Int] = [:]"))
        #expect(text.contains("unknown: .kept\n"))
        #expect(text.contains("json.additional(&additional) { $0.int(.min(0)) }"))
        #expect(
            text.contains(
                /besides: \["first name", "self", "secrets", "closed"\]\s*\) \{ json, item in/)
                || text.contains(
                    "besides: [\"first name\", \"self\", \"secrets\", \"closed\"]) { json")
        )
        #expect(text.contains("json.minimum(item, 0)"))
    }

    @Test("sensitive further members are redacted everywhere")
    func sensitive() throws {
        let text = try zones()
        #expect(text.contains("unknown: .keptSensitive"))
        #expect(text.contains("besides: [], sensitive: true) { json, item in"))
        #expect(text.contains("\"additional\": Redacted.text"))
    }

    @Test("a closed model refuses unknown keys")
    func closed() throws {
        #expect(try zones().contains("unknown: .refused"))
    }

    @Test("a model of both directions has a type for requests, with its own fields only")
    func directions() throws {
        let text = try zones()
        #expect(text.contains("accounts: [String: Account.Input]"))
        #expect(text.contains(/init\(\s+id: Int,\s+kind: Account.Kind,\s+owner: Account.Owner,/))
        #expect(text.contains(/init\(\s+password: String,\s+kind: Account.Kind,/))
        #expect(text.contains("owner: Account.Owner.Input,"))
        #expect(text.contains("public struct Account: Sendable, Hashable, Identifiable {"))
        #expect(text.contains("public struct Input: Sendable, Hashable {"))
        #expect(text.matches(of: /uniqueBy/).count == 1)
        #expect(!text.contains("extension Account: JSONWritable"))
    }

    @Test("fields in nested objects are read in place, and share their prefix")
    func steps() throws {
        let text = try zones()
        #expect(text.contains("required: \"id\", optional: \"city street login\","))
        #expect(text.contains("required: \"title\", optional: \"hasStep0 mayor\","))
        #expect(text.contains("json.endStep(isRequired: true)"))
        #expect(text.contains("json.endStep(isRequired: false)"))
        #expect(text.contains("json.missing([\"city\", \"mayor\", \"name\"])"))
        #expect(text.contains("json.missing([\"mayor\", \"name\"])"))
        #expect(text.contains("sensitive: \"password\""))
        #expect(text.contains("var hasStep0 = false"))
        #expect(text.contains("json.int(&hasStep0_)"))
    }

    @Test("rules of an alias are checked on the keys of a map")
    func keys() throws {
        let text = try zones()
        #expect(text.matches(of: /json\.keys\(item\) \{ \$0\.minimum\(\$1, 1\) \}/).count == 2)
        #expect(text.matches(of: /json\.keys\(item\) \{ \$0\.maximum\(\$1, 9\) \}/).count == 2)
    }

    @Test("uses of a generic model that differ in nothing but a model share a generic structure")
    func generic() throws {
        let text = try zones()
        #expect(text.contains("public struct Page<Item: Sendable>: Sendable"))
        #expect(text.contains("extension Page: JSONReadable where Item: JSONReadable"))
        #expect(text.contains("public typealias PageZone = Page<Zone>"))
        #expect(text.contains("public typealias PageClosed = Page<Closed>"))
        #expect(text.contains("extension Pair: JSONWritable where Item: JSONWritable"))
        #expect(text.contains("func closed("))
        #expect(text.contains("-> DataOperation<PageClosed>"))
    }

    @Test("mixins and generic models leave no trace but their fields")
    func expanded() throws {
        let text = try zones()
        #expect(text.contains("public struct ResultIntListOptionalZone"))
        #expect(!text.contains("struct Timestamps"))
        #expect(text.contains("required: \"created id\", optional: \"updated name\""))
    }
}

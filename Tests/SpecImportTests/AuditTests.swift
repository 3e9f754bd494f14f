import Foundation
import SpecDiagnostics
import SpecSyntax
import TestSupport
import Testing

@testable import SpecImport

@Suite("The audit of an import finds what its report does not say")
struct AuditTests {
    /// A description, a spec that says something else, and where a loss would explain it.
    struct Case: CustomTestStringConvertible, Sendable {
        var title: String
        /// The operation of `/x` and, after a line `---`, the components, in flow style.
        var described: String
        /// The method and, after a line `---`, the models.
        var written: String
        /// The kind of the difference, and the text of the node at which a loss explains it.
        var kind: String
        var place: String

        var testDescription: String { title }
    }

    @Test(
        "the audit of an import finds a difference unless a loss at its place explains it",
        arguments: differences)
    func difference(_ item: Case) throws {
        let audit = try Audit(item.described, item.written)
        #expect(audit.kinds() == ["differs: \(item.kind)"], "\(audit.details())")
        let span = try audit.span(of: item.place)
        #expect(audit.kinds(explaining: span) == [])
    }

    private static func reply(_ schema: String, _ components: String = "") -> String {
        "get: { responses: { 200: { description: ok, content: { application/json: { schema: "
            + "\(schema) } } } } }\n---\n\(components)"
    }

    private static func body(_ schema: String, _ components: String = "") -> String {
        "post: { requestBody: { required: true, content: { application/json: { schema: \(schema) } "
            + "} }, responses: { 204: { description: ok } } }\n---\n\(components)"
    }

    private static func query(_ parameter: String) -> String {
        "get: { parameters: [\(parameter)], responses: { 204: { description: ok } } }\n---\n"
    }

    static let differences: [Case] = [
        Case(
            title: "A field of a nested object is missing.",
            described: reply(
                "{ $ref: '#/components/schemas/Pet' }",
                "Pet: { type: object, properties: { owner: { type: object, properties: { "
                    + "name: { type: string }, age: { type: integer } } } } }"),
            written:
                "{ get: x, returns: Pet }\n---\nPet: { owner: Owner? }\n  Owner: { name: string? }",
            kind: "field is missing", place: "{ type: integer }"),
        Case(
            title: "A required field is optional.",
            described: reply(
                "{ type: object, required: [id], properties: { id: { type: string } } }"),
            written: "{ get: x, returns: { id: string? } }", kind: "required",
            place: "{ type: string }"),
        Case(
            title: "An optional field is required.",
            described: reply("{ type: object, properties: { id: { type: string } } }"),
            written: "{ get: x, returns: { id: string } }", kind: "required",
            place: "{ type: string }"),
        Case(
            title: "A field that the description does not have is required.",
            described: reply("{ type: object, properties: { id: { type: string } } }"),
            written: "{ get: x, returns: { id: string?, more: json } }", kind: "required",
            place: "{ type: object, properties: { id: { type: string } } }"),
        Case(
            title: "Null is lost behind a composition.",
            described: reply(
                "{ type: object, properties: { a: { allOf: [{ $ref: '#/components/schemas/A' }, { "
                    + "nullable: true }] } } }",
                "A: { type: object, properties: { b: { type: string } } }"),
            written: "{ get: x, returns: { a: A? } }\n---\nA: { b: string? }", kind: "null",
            place: "{ nullable: true }"),
        Case(
            title: "A number is a text.",
            described: reply("{ type: array, items: { type: integer } }"),
            written: "{ get: x, returns: [string] }", kind: "kind", place: "{ type: integer }"),
        Case(
            title: "An integer is any number.",
            described: reply(
                "{ type: object, properties: { n: { type: integer, allOf: [{ minimum: 1 }] } } }"),
            written: "{ get: x, returns: { n: double? } }", kind: "kind",
            place: "{ type: integer, allOf: [{ minimum: 1 }] }"),
        Case(
            title: "A text is any value.",
            described: reply("{ type: object, properties: { a: { type: string } } }"),
            written: "{ get: x, returns: { a: json? } }", kind: "looser", place: "{ type: string }"),
        Case(
            title: "The fields of a subtype are lost.",
            described: reply(
                "{ $ref: '#/components/schemas/Base' }",
                "Base: { type: object, discriminator: { propertyName: kind }, properties: { kind: { "
                    + "type: string } } }, Sub: { allOf: [{ $ref: '#/components/schemas/Base' }, { "
                    + "properties: { body: { type: string, maxLength: 3 } } }] }"),
            written: "{ get: x, returns: { kind: string? } }", kind: "field is missing",
            place: "{ type: string, maxLength: 3 }"),
        Case(
            title: "The fields of an alternative are lost.",
            described: reply(
                "{ properties: { a: { type: string } }, oneOf: [{ properties: { b: { type: number } } "
                    + "}] }"),
            written: "{ get: x, returns: { a: string? } }", kind: "field is missing",
            place: "{ type: number }"),
        Case(
            title: "A read-only field behind a reference is sent.",
            described: body(
                "{ type: object, properties: { id: { $ref: '#/components/schemas/ID' }, n: { type: "
                    + "string } } }", "ID: { type: string, readOnly: true }"),
            written: "{ post: x, json: { id: string?, n: string? } }", kind: "direction",
            place: "{ $ref: '#/components/schemas/ID' }"),
        Case(
            title: "The values of further keys are lost.",
            described: reply(
                "{ properties: { a: { type: string } }, additionalProperties: { type: integer } }"),
            written: "{ get: x, returns: { a: string? } }", kind: "further keys",
            place:
                "{ properties: { a: { type: string } }, additionalProperties: { type: integer } }"),
        Case(
            title: "A parameter is missing.",
            described: query("{ name: q, in: query, schema: { type: string } }"),
            written: "{ get: x }", kind: "parameter is missing",
            place: "{ name: q, in: query, schema: { type: string } }"),
        Case(
            title: "A list in a query is repeated instead of joined.",
            described: query(
                "{ name: q, in: query, explode: false, schema: { type: array, items: { type: string } } }"
            ),
            written: "{ get: x, query: { q: '[string]?' } }", kind: "list style",
            place:
                "{ name: q, in: query, explode: false, schema: { type: array, items: { type: string } } }"
        ),
        Case(
            title: "A list of a form is repeated instead of in brackets.",
            described: "post: { requestBody: { content: { application/x-www-form-urlencoded: { "
                + "schema: { properties: { q: { type: array, items: { type: string } } } }, "
                + "encoding: { q: { style: deepObject } } } } }, responses: { 204: {} } }\n---\n",
            written: "{ post: x, form: { q: '[string]?' } }", kind: "list style",
            place: "{ type: array, items: { type: string } }"),
        Case(
            title: "A file of OpenAPI 3.1 is a text.",
            described: "post: { requestBody: { content: { multipart/form-data: { schema: { "
                + "properties: { f: { type: string, contentMediaType: image/png } } } } } }, "
                + "responses: { 204: {} } }\n---\n",
            written: "{ post: x, multipart: { f: string? } }", kind: "file",
            place: "{ type: string, contentMediaType: image/png }"),
        Case(
            title: "A status has no reply of its own.",
            described: "get: { responses: { 200: { content: { application/json: { schema: { type: "
                + "string } } } }, 202: { description: later } } }\n---\n",
            written: "{ get: x, returns: string }", kind: "reply status",
            place: "{ description: later }"),
        Case(
            title: "A reply is not read.", described: reply("{ type: string }"),
            written: "{ get: x }", kind: "reply is missing",
            place:
                "{ description: ok, content: { application/json: { schema: { type: string } } } }"),
        Case(
            title: "A body is not sent.", described: body("{ type: string }"),
            written: "{ post: x }", kind: "media type", place: "application/json"),
        Case(
            title: "A token is not sent.",
            described: "get: { security: [{ key: [] }], responses: { 204: {} } }\n---\n",
            written: "{ get: x }", kind: "security",
            place: "{ security: [{ key: [] }], responses: { 204: {} } }"),
        Case(
            title: "A server of an operation is left out.",
            described:
                "get: { servers: [{ url: 'https://other.example' }], responses: { 204: {} } }"
                + "\n---\n",
            written: "{ get: x }", kind: "server", place: "{ url: 'https://other.example' }"),
        Case(
            title: "An operation is missing.", described: "put: { responses: { 204: {} } }\n---\n",
            written: "{ get: x }", kind: "operation is missing", place: "put"),
    ]

    @Test(
        "the audit of an import finds nothing where a description and its spec mean the same",
        arguments: [
            (reply("{ type: integer, enum: [1, 2] }"), "{ get: x, returns: int }"),
            (reply("{ type: string, format: date-time }"), "{ get: x, returns: Date }"),
            (reply("{ type: [string, 'null'] }"), "{ get: x, returns: 'string | null' }"),
            (
                reply("{ anyOf: [{ type: string }, { type: 'null' }] }"),
                "{ get: x, returns: 'string | null' }"
            ),
            (
                reply("{ type: object, properties: { a: { const: 1 } } }"),
                "{ get: x, returns: { a: int? } }"
            ),
            (
                reply(
                    "{ $ref: '#/components/schemas/a%20b~1c' }",
                    "'a b/c': { type: object, properties: { next: { $ref: "
                        + "'#/components/schemas/a%20b~1c' } } }"),
                "{ get: x, returns: A }\n---\nA: { next: A? }"
            ),
            (
                reply(
                    "{ oneOf: [{ type: object, required: [a], properties: { a: { type: string } } }, {"
                        + " type: object, required: [b], properties: { b: { type: integer } } }] }"),
                "{ get: x, returns: A | B }\n---\nA: { a: string }\n  B: { b: int }"
            ),
            (
                reply(
                    "{ $ref: '#/components/schemas/A' }",
                    "A: { allOf: [{ $ref: "
                        + "'#/components/schemas/A' }] }"), "{ get: x, returns: json }"
            ),
            (
                query(
                    "{ name: q, in: query, schema: { type: object, properties: { a: { type: string } "
                        + "} } }"), "{ get: x, query: { a: string? } }"
            ),
            (query("{ name: Accept, in: header, schema: { type: string } }"), "{ get: x }"),
        ])
    func equal(described: String, written: String) throws {
        let audit = try Audit(described, written)
        #expect(audit.details() == [])
    }

    @Test("the audit of an import finds keys that nothing reads, each once, apart from schemas")
    func keys() throws {
        let audit = try Audit(
            "get: { x-own: 1, colour: red, responses: { 204: { x-own: 2, headers: { A: { odd: 1, "
                + "schema: { type: string, other: 1 } } } } } }\n---\n", "{ get: x }")
        let losses = UnreadKeys.losses(of: audit.description, ImportReport())
        #expect(losses.map(\.detail).sorted() == ["colour", "odd", "x-own", "x-own"])
        var report = ImportReport()
        for loss in losses { report.add(.unknownKey, at: loss.span) }
        #expect(UnreadKeys.losses(of: audit.description, report).isEmpty)
    }

    @Test("the audit names no field that `--tolerant` makes optional and no operation left out")
    func options() throws {
        let audit = try Audit(
            Self.reply("{ type: object, required: [id], properties: { id: { type: string } } }"),
            "{ get: x, returns: { id: string? } }")
        #expect(audit.losses(isTolerant: true).isEmpty)
        let other = try Audit(
            "put: { operationId: gone, responses: { 204: {} } }\n---\n", "{ get: x }",
            OperationSelection(excluding: ["gone"]))
        #expect(other.kinds() == [])
    }

    // MARK: Public descriptions

    private static let shared = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("shared")

    /// The descriptions of a folder, each with its files.
    private static func descriptions(in folder: String) -> [[URL]] {
        let root = shared.appendingPathComponent(folder)
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: root.path)) ?? []
        let files = names.filter { name in
            [".yaml", ".json"].contains(where: name.hasSuffix) && !name.contains("spec/")
        }
        let groups = Dictionary(grouping: files.sorted()) { name in
            name.contains("/") ? name.split(separator: "/")[0] : Substring(name)
        }
        return groups.sorted { $0.key < $1.key }.map { group in
            // The file that describes the API comes first.
            (group.value.filter { $0.contains("root") }
                + group.value.filter { !$0.contains("root") })
                .map(root.appendingPathComponent)
        }
    }

    /// The numbers are those of faults that are known; a lower one takes their place when some are
    /// corrected.
    @Test(
        "the audit of an import finds no more differences in public descriptions than are known",
        .enabled(
            if: !descriptions(in: "cases/import/show").isEmpty, "they are not beside the package"),
        arguments: [("cases/import/show", 31), ("cases/import/nofault", 1)])
    func known(folder: String, most: Int) async throws {
        try await onThreadForLongTests {
            var found: [String] = []
            for files in Self.descriptions(in: folder) {
                let imported = Imported(
                    try files.map { ($0.path, Array(try Data(contentsOf: $0))) })
                found += imported.result.report.losses.filter {
                    $0.kind.title.hasPrefix("differs")
                }.map { "\(imported.sources.place(of: $0.span)) \($0.kind.title): \($0.detail)" }
            }
            #expect(found.count <= most, "\(found.joined(separator: "\n"))")
        }
    }
}

/// A description and a spec that is written by hand.
private struct Audit {
    let source: SourceFile
    let description: DescriptionFacts
    private let files: [(name: String, text: String)]

    init(
        _ described: String, _ written: String, _ selection: OperationSelection = .init()
    ) throws {
        let operation = described.components(separatedBy: "\n---\n")
        let method = written.components(separatedBy: "\n---\n")
        var sources = SourceMap()
        source = sources.add(
            path: "api.yaml",
            text: """
                openapi: 3.1.0
                info: { title: Shop, version: "1" }
                servers: [{ url: https://shop.example }]
                paths:
                  /x:
                    \(operation[0])
                components:
                  schemas: { \(operation[1]) }
                  securitySchemes: { key: { type: http, scheme: bearer } }
                """)
        var bag = DiagnosticBag()
        let root = try #require(YAMLReader.read(source, into: &bag), "\(bag)")
        #expect(!bag.hasErrors)
        description = DescriptionFacts([(source, root)], selection)
        var group = "methods:\n  x.y: \(method[0])\n"
        if method.count > 1 { group += "models:\n  \(method[1])\n" }
        files = [
            ("api.yaml", "telex: 1\napi: Shop\nservers: { production: https://shop.example/ }\n"),
            ("x.yaml", group),
        ]
    }

    func losses(explaining span: Span? = nil, isTolerant: Bool = false) -> [ImportReport.Loss] {
        var report = ImportReport()
        if let span { report.add(.composition, at: span) }
        guard let api = Imported.compiled(files).api else {
            Issue.record("the spec does not compile: \(files)")
            return []
        }
        return ImportAudit.differences(
            between: description, and: api, report: report, isTolerant: isTolerant)
    }

    func kinds(explaining span: Span? = nil) -> [String] {
        losses(explaining: span).map(\.kind.title)
    }

    func details() -> [String] { losses().map { "\($0.kind.title) \($0.detail)" } }

    /// The place of a node of the description, which is written once.
    func span(of text: String) throws -> Span {
        let all = source.text(of: source.all)
        let range = try #require(all.range(of: text))
        let start = all[..<range.lowerBound].utf8.count
        return source.span(start..<start + text.utf8.count)
    }
}

import SpecDiagnostics
import SpecExport
import SpecImport
import TelexCompiler
import Testing

@Suite("An import of an OpenAPI export gives the same IR")
struct ExportRoundTripTests {
    private static let specs = [
        "everything": EverythingSpec.spec, "hostile": HostileSpec.spec,
        "extreme": ExtremeSpec.spec, "rules": RulesSpec.spec, "shapes": ShapesSpec.spec,
        "sharing": SharingSpec.spec, "unions": UnionsSpec.spec,
    ]

    /// JSON has no other spellings of numbers, which the extreme spec is full of.
    @Test(
        "an imported export has the same IR, for all features, and for hostile texts and names",
        arguments: specs.keys.sorted())
    func roundTrip(name: String) throws {
        let spec = try #require(Self.specs[name])
        let compilation = spec.checked()
        let api = try #require(compilation.api)
        let export = OpenAPIExport(compilation.spec, api: api, sources: compilation.sources)
        var texts = ["openapi.yaml": export.yaml]
        if name != "extreme" { texts["openapi.json"] = export.json }
        for (file, text) in texts {
            var sources = SourceMap()
            _ = sources.add(path: file, text: text)
            let imported = DescriptionImport(openAPI: sources.files)
            let errors = LineRenderer().render(imported.diagnostics, in: sources)
            #expect(errors == "")
            #expect(imported.report.losses.map(\.detail) == [])
            let files = Dictionary(
                imported.files.map { ($0.name, $0.text) }, uniquingKeysWith: { first, _ in first })
            let isSame = TestSpec(files: files).checked().api == api
            #expect(isSame, "\(file): the IR differs")
        }
    }
}

import Testing

@Suite("The page on generated code")
struct GeneratedCodePageTests {
    @Test("the page on generated code shows what is in generated clients")
    func rows() throws {
        let page = try Page("Sources/TelexCompiler/TelexCompiler.docc/GeneratedCode.md")
        let code = try ["BookshelfClient/Books.swift", "NotionClient/Blocks.swift"]
            .map { try Page("Generated/" + $0).text }.joined()
        let rows = page.text.matches(of: #/\n\| `([^`]+)` \| /#)
        #expect(rows.count > 8)
        for row in rows { #expect(code.contains(row.1), "\(row.1)") }
    }
}

import SpecDiagnostics
import Testing

@Suite("places in source text")
struct SourceTextTests {
    private func file(_ bytes: [UInt8]) -> SourceFile {
        var sources = SourceMap()
        return sources.add(path: "a.yaml", bytes: bytes)
    }

    private func position(_ text: String, _ offset: Int) -> [Int] {
        let position = file(Array(text.utf8)).position(of: offset)
        return [position.line, position.column]
    }

    @Test("columns count Unicode scalars, not bytes")
    func columns() {
        #expect(position("aя漢🙂b", 0) == [1, 1])
        #expect(position("aя漢🙂b", 3) == [1, 3])
        #expect(position("aя漢🙂b", 6) == [1, 4])
        #expect(position("aя漢🙂b", 10) == [1, 5])
        #expect(position("aя漢🙂b", 11) == [1, 6])
    }

    @Test("all three line breaks end a line, and CRLF ends one")
    func lines() {
        #expect(position("a\nb", 2) == [2, 1])
        #expect(position("a\r\nb", 3) == [2, 1])
        #expect(position("a\rb", 2) == [2, 1])
        #expect(position("a\r\rb", 3) == [3, 1])
        #expect(position("a\n", 2) == [2, 1])
        #expect(file(Array("a\r\n\r\nb".utf8)).lineCount == 3)
    }

    @Test("a byte order mark takes no column")
    func byteOrderMark() {
        let marked = file([0xEF, 0xBB, 0xBF] + Array("a: я\nb".utf8))
        #expect(marked.position(of: 0) == marked.position(of: 3))
        #expect(marked.position(of: 4).column == 2)
        #expect(marked.position(of: 9).line == 2)
        #expect(marked.position(of: 9).column == 1)
    }

    @Test("offsets and spans outside of the file are clamped")
    func clamping() {
        let short = file(Array("ab".utf8))
        #expect(short.position(of: -5).column == 1)
        #expect(short.position(of: 99).column == 3)
        #expect(short.span(1..<99).end == 2)
        #expect(short.text(of: short.span(1..<99)) == "b")
        #expect(short.all.part(1..<99) == short.span(1..<2))
        #expect(short.all.part(-3..<1) == short.span(0..<1))
        #expect(SourceMap()[short.id].bytes == [])
    }

    @Test("a position is shown as path, line, column")
    func places() {
        var sources = SourceMap()
        let file = sources.add(path: "specs/vk/users.yaml", text: "a: 1\nb: 2\n")
        #expect(sources.place(of: file.span(8..<9)) == "specs/vk/users.yaml:2:4")
        #expect(sources.place(of: file.start) == "specs/vk/users.yaml:1:1")
    }
}

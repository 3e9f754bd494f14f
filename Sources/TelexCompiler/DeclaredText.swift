import SpecDiagnostics
import SpecSemantics
import SpecSyntax

/// A group file as the text of its methods and models, and the rest.
struct DeclaredText {
    /// The lines of a method or model, with the comments behind it.
    struct Declaration {
        /// Its key, without the parameter of a generic model.
        let name: String
        let isModel: Bool
        /// Its lines, in bytes.
        let range: Range<Int>
    }

    let file: SpecFolder.File
    private(set) var declarations: [Declaration] = []

    /// Reads a file; nil if it has broken YAML, a declaration that shares its lines with anything else,
    /// or something that may be named without its name: by an anchor, or by the code of a character.
    init?(_ file: SpecFolder.File) {
        self.file = file
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let source = sources.add(path: file.relativePath, bytes: file.bytes)
        guard !Self.hidesNames(file.bytes), let root = YAMLReader.read(source, into: &bag),
            bag.isEmpty
        else { return nil }
        let entries = root.entries
        for (index, section) in entries.enumerated() {
            let isModel = section.key.text == "models"
            guard isModel || section.key.text == "methods" else { continue }
            let keys = section.value.entries.map(\.key)
            let next = index + 1 < entries.count ? entries[index + 1].key : nil
            let starts = (keys + [next].compactMap(\.self)).map { start(ofLineOf: $0) }
            let ends = next == nil ? starts.dropFirst() + [file.bytes.count] : starts.dropFirst()
            for (key, (start, end)) in zip(keys, zip(starts, ends)) {
                guard let start, let end else { return nil }
                let name = String(key.text.prefix { $0 != "<" })
                declarations.append(
                    Declaration(name: name, isModel: isModel, range: start..<end))
            }
        }
    }

    /// The text with some of the declarations alone.
    func text(of included: Set<Int>) -> [UInt8] {
        var text: [UInt8] = []
        var end = 0
        for (index, declaration) in declarations.enumerated() {
            text += file.bytes[end..<declaration.range.lowerBound]
            if included.contains(index) { text += file.bytes[declaration.range] }
            end = declaration.range.upperBound
        }
        return text + file.bytes[end...]
    }

    /// A group file of one declaration.
    func text(ofOnly index: Int) -> [UInt8] {
        let section = declarations[index].isModel ? "models:\n" : "methods:\n"
        return Array(section.utf8) + file.bytes[declarations[index].range]
    }

    /// The API's name of a method.
    func fullName(of method: Declaration) -> String {
        MethodSyntax.fullName(method.name, in: GroupSyntax.name(ofFile: file.relativePath))
    }

    /// The declaration around a place; nil for a place in the rest.
    func declaration(around place: Int) -> Int? {
        declarations.firstIndex { $0.range.contains(place) }
    }

    /// Whether another version has the same declarations, and the same besides them.
    func hasOutline(of other: DeclaredText) -> Bool {
        declarations.map(\.name) == other.declarations.map(\.name)
            && declarations.map(\.isModel) == other.declarations.map(\.isModel)
            && text(of: []) == other.text(of: [])
    }

    /// The start of the line that begins with a key; nil if anything but spaces is before it.
    private func start(ofLineOf key: YAMLNode) -> Int? {
        var start = Int(key.span.start)
        while start > 0, file.bytes[start - 1] == 0x20 { start -= 1 }
        return start == 0 || file.bytes[start - 1] == 0x0A ? start : nil
    }

    /// Whether a text may have an anchor, or an escape that is a part of a name.
    private static func hidesNames(_ text: [UInt8]) -> Bool {
        let anchors = ByteSearch.places(of: [UInt8(ascii: "&")], in: text) { before, after in
            after > 0x20 && (before <= 0x20 || "[{,:".utf8.contains(before))
        }
        let escapes = ByteSearch.places(of: [UInt8(ascii: "\\")], in: text) { _, after in
            "xuU/\r\n".utf8.contains(after)
        }
        return !anchors.isEmpty || !escapes.isEmpty
    }
}

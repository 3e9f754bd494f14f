import SpecDiagnostics
import SpecFormatting
import SpecIR
import SpecSyntax

/// The JSON Schemas of a spec, as files beside it: editors complete keys from them without a network.
enum EditorSchema {
    /// The hidden folder, which the compiler does not read.
    static let folder = ".telex-schema"
    private static let mark = "# yaml-language-server:"

    /// The schemas, by path in the folder that has the hidden one.
    static var files: [(name: String, text: String)] {
        JSONSchema.allCases.map { ("\(folder)/\($0.rawValue).json", $0.text) }
    }

    /// The files of a new spec, of which the YAML is formatted and begins with the line that names its
    /// schema.
    static func finished(
        _ files: [(name: String, text: String)]
    ) -> [(name: String, text: String)] {
        files.map { name, text in
            guard OutputName.isSpec(name) else { return (name, text) }
            let schema = JSONSchema(ofFile: name)
            var (sources, bag) = (SourceMap(), DiagnosticBag())
            let source = sources.add(path: name, text: text)
            let formatted = SpecFormatter.format(source, as: schema, into: &bag) ?? text
            let levels = name.split(separator: "/").count - 1
            return (name, Self.text(formatted, of: schema, levels: levels))
        }
    }

    /// A file with the line. One that names another schema stays.
    ///
    /// - Parameters:
    ///   - schema: The schema of the file.
    ///   - levels: The number of folders between the hidden one and the file.
    static func text(_ text: String, of schema: JSONSchema, levels: Int) -> String {
        let path = String(repeating: "../", count: levels) + "\(folder)/\(schema.rawValue).json"
        let line = "\(mark) $schema=\(path)"
        let end = text.contains(ascii: "\r\n") ? "\r\n" : "\n"
        guard text.contains(ascii: mark),
            let old = text.split(whereSeparator: \.isNewline).first(where: {
                $0.hasPrefix(mark)
            })
        else {
            let byteOrderMark = text.hasPrefix("\u{FEFF}") ? "\u{FEFF}" : ""
            return byteOrderMark + line + end + end + text.dropFirst(byteOrderMark.count)
        }
        return old.contains(folder) ? text.replacing(old, with: line, maxReplacements: 1) : text
    }
}

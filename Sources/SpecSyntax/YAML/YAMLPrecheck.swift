import SpecDiagnostics

/// The checks of a file before libyaml parses it.
struct YAMLPrecheck {
    private let file: SourceFile
    private var source: YAMLSource

    init(_ file: SourceFile) {
        self.file = file
        source = YAMLSource(file.bytes)
    }

    /// Whether the file can be parsed; reports the reason otherwise.
    mutating func passes(reportingTo bag: inout DiagnosticBag) -> Bool {
        guard file.bytes.count <= YAMLLimits.size else {
            let limit = YAMLLimits.size / 1024 / 1024
            bag.report(
                .fileTooLarge,
                "the file has \(file.bytes.count) bytes, expected at most \(limit) MiB",
                at: file.start, help: "describe the API in several files")
            return false
        }
        guard !file.bytes.starts(with: [0xFE, 0xFF]), !file.bytes.starts(with: [0xFF, 0xFE]) else {
            bag.report(
                .notUTF8, "expected UTF-8, found UTF-16", at: file.span(0..<2),
                help: "save the file as UTF-8")
            return false
        }
        return hasOnlyKnownDirectives(reportingTo: &bag)
    }

    /// Rejects `%TAG`, because tags are not supported and libyaml compares each directive with all
    /// others.
    private mutating func hasOnlyKnownDirectives(reportingTo bag: inout DiagnosticBag) -> Bool {
        source.offset = file.byteOrderMarkSize
        while true {
            source.skipBlanksAndComments()
            guard source.byte == UInt8(ascii: "%"), source.isAtLineStart else { return true }
            let start = source.offset
            source.skipLine()
            let span = file.span(start..<source.offset)
            guard !file.text(of: span).hasPrefix("%YAML") else { continue }
            bag.report(
                .directive, "directives other than `%YAML` are not supported", at: span,
                help: "delete the line")
            return false
        }
    }
}

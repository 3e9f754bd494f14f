import SpecDiagnostics
import SpecSyntax

/// A report as a page of Markdown: what is lost, by kind and place.
struct ReportPage {
    private(set) var text = ""
    private let sources: SourceMap
    private let roots: [FileID: YAMLNode]

    init(_ report: ImportReport, _ sources: SourceMap, _ roots: [FileID: YAMLNode]) {
        self.sources = sources
        self.roots = roots
        text = "# What the spec does not say\n\n"
        guard !report.losses.isEmpty else {
            text += "Everything of the description is in the spec.\n"
            return
        }
        text += "| | number | in the spec |\n|--|--|--|\n"
        let counts = report.counts
        for (kind, count) in counts { text += "| \(kind.title) | \(count) | \(kind.instead) |\n" }
        let losses = Dictionary(grouping: report.losses, by: \.kind)
        for (kind, _) in counts { add(kind, losses[kind] ?? []) }
    }

    private mutating func add(_ kind: ImportReport.Kind, _ losses: [ImportReport.Loss]) {
        text += "\n## \(kind.title)\n\n"
        for loss in losses.sorted(by: { $0.span < $1.span }) {
            let detail = loss.detail.isEmpty ? "" : ": " + Self.shown(loss.detail)
            text += "- \(sources.place(of: loss.span)) `\(pointer(to: loss.span))`\(detail)\n"
        }
    }

    private static func shown(_ detail: String) -> String {
        let line = detail.split(whereSeparator: \.isNewline).joined(separator: " ")
        return "`\(line.replacing("`", with: "'"))`"
    }

    /// The JSON pointer of the node at a place.
    private func pointer(to span: Span) -> String {
        var steps: [String] = []
        var node = roots[span.file]
        while let current = node {
            node = nil
            for entry in current.entries
            where entry.key.span.start <= span.start && span.start < max(entry.value.span.end, entry.key.span.end) {
                steps.append(entry.key.text.replacing("~", with: "~0").replacing("/", with: "~1"))
                node = entry.value
                break
            }
            for (index, item) in current.items.enumerated()
            where item.span.start <= span.start && span.start < item.span.end {
                steps.append("\(index)")
                node = item
                break
            }
            // The whole node, not its first part.
            if let found = node, found.span == span { break }
        }
        return "#" + steps.map { "/" + $0 }.joined()
    }
}

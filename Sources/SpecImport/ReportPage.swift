import SpecDiagnostics
import SpecSyntax

/// A report as a page of Markdown: what is lost, by effect, kind and place.
struct ReportPage {
    private(set) var text = ""
    private let sources: SourceMap
    private let roots: [FileID: YAMLNode]
    private let paths: [FileID: String]

    init(_ report: ImportReport, sources: SourceMap, roots: [FileID: YAMLNode]) {
        self.sources = sources
        self.roots = roots
        paths = Self.paths(roots.keys.map { ($0, sources[$0].path) })
        text = "# What the spec does not say\n\n"
        guard !report.losses.isEmpty else {
            text += "Everything of the description is in the spec.\n"
            return
        }
        text += "| | number |\n|--|--|\n"
        for (effect, count) in report.effects { text += "| \(effect.rawValue) | \(count) |\n" }
        if let advice = report.advice { text += "\n\(advice)\n" }
        let losses = Dictionary(grouping: report.losses, by: \.kind)
        for (effect, _) in report.effects {
            let counts = report.counts.filter { $0.kind.effect == effect }
            text += "\n## \(effect.rawValue)\n\n"
            text += "| | number | in the spec | by hand |\n|--|--|--|--|\n"
            for (kind, count) in counts {
                let remedy = kind.remedy.map { "`\($0)`" } ?? ""
                text += "| \(kind.title) | \(count) | \(kind.instead) | \(remedy) |\n"
            }
            for (kind, _) in counts where kind.hasPlaces { add(kind, losses[kind] ?? []) }
        }
    }

    /// The paths of files in the folder that they have in common: the page is the same wherever
    /// the description lies.
    private static func paths(_ files: [(id: FileID, path: String)]) -> [FileID: String] {
        let steps = files.map { ($0.id, $0.path.split(separator: "/")) }
        var common = steps.first.map { Array($0.1.dropLast()) } ?? []
        for (_, path) in steps {
            common = zip(common, path.dropLast()).prefix { $0 == $1 }.map(\.0)
        }
        let names = steps.map { ($0, $1.dropFirst(common.count).joined(separator: "/")) }
        return Dictionary(names, uniquingKeysWith: { $1 })
    }

    private mutating func add(_ kind: ImportReport.Kind, _ losses: [ImportReport.Loss]) {
        text += "\n### \(kind.title)\n\n"
        for loss in losses.sorted(by: { $0.span < $1.span }) {
            let detail = loss.detail.isEmpty ? "" : ": " + Self.shown(loss.detail)
            text += "- \(place(of: loss.span)) `\(pointer(to: loss.span))`\(detail)\n"
        }
    }

    private func place(of span: Span) -> String {
        let position = sources.position(of: span)
        return "\(paths[span.file] ?? ""):\(position.line):\(position.column)"
    }

    private static func shown(_ detail: String) -> String {
        let line = detail.split(whereSeparator: \.isNewline).joined(separator: " ")
        return "`\(line.replacing("`", with: "'"))`"
    }

    /// A step from a node to one inside it.
    private struct Step {
        let text: String
        let start: Int32
        let node: YAMLNode
    }

    /// The steps from nodes that have been passed, by their places.
    private var known: [Span: [Step]] = [:]

    /// The JSON pointer of the node at a place.
    private mutating func pointer(to span: Span) -> String {
        var pointer = "#"
        var node = roots[span.file]
        while let current = node {
            let steps = steps(from: current)
            // The last step that begins before the place, or at it.
            var (low, high) = (0, steps.count)
            while low < high {
                let middle = (low + high) / 2
                if steps[middle].start <= span.start { low = middle + 1 } else { high = middle }
            }
            guard low > 0, steps[low - 1].node.span.file == span.file else { break }
            let step = steps[low - 1]
            guard
                span.start < max(step.node.span.end, step.start + 1)
                    || step.node.span.start > span.start
            else { break }
            pointer +=
                "/" + step.text.replacing("~", with: "~0").replacing("/", with: "~1")
            if step.node.span == span || span.start < step.node.span.start { break }
            node = step.node
        }
        return pointer
    }

    private mutating func steps(from node: YAMLNode) -> [Step] {
        if let steps = known[node.span] { return steps }
        let steps =
            node.entries.map { entry in
                Step(text: entry.key.text, start: entry.key.span.start, node: entry.value)
            }
            + node.items.enumerated().map { index, item in
                Step(text: "\(index)", start: item.span.start, node: item)
            }
        known[node.span] = steps
        return steps
    }
}

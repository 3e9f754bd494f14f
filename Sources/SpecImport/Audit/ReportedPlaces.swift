import SpecDiagnostics

/// The places of the losses of a report that change the meaning of a spec.
struct ReportedPlaces {
    /// Kinds of losses after which the spec has the same values.
    private static let harmless: Set<ImportReport.Kind> = [
        .extensionKey, .example, .xml, .scopes, .bodyDefault, .sentDefault, .bound, .rule, .pattern,
        .webhook, .rateHeader, .closed, .reserved, .openChoice, .openObject, .replyExample,
        .strayRule, .unknownKey,
    ]

    /// The objects whose further keys are reported.
    private var openObjects: Set<Span> = []

    /// The media types that are left out for another one.
    private(set) var leftOut: Set<Span> = []
    /// The tags that are required wherever their models are used.
    private(set) var requiredTags: Set<String> = []
    private var places: Set<Span> = []
    private var sorted: [Span] = []

    init(_ report: ImportReport) {
        for loss in report.losses {
            switch loss.kind {
            case .openObject: openObjects.insert(loss.span)
            case .missingTag: requiredTags.insert(loss.detail)
            case .contentTypes: leftOut.insert(loss.span)
            default: break
            }
            if !Self.harmless.contains(loss.kind) { places.insert(loss.span) }
        }
        sorted = places.sorted()
    }

    /// Whether the further keys of an object at one of the places are reported.
    func hasOpenObject(_ spans: [Span]) -> Bool { spans.contains(where: openObjects.contains) }

    /// Whether a loss is exactly at one of the places.
    func isAt(_ spans: [Span]) -> Bool { spans.contains(where: places.contains) }

    /// Whether a loss is at the place or inside it.
    func isInside(_ span: Span) -> Bool {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if (sorted[middle].file, sorted[middle].start) < (span.file, span.start) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        while low < sorted.count, sorted[low].file == span.file, sorted[low].start < span.end {
            if sorted[low].end <= span.end { return true }
            low += 1
        }
        return low < sorted.count && sorted[low] == span
    }
}

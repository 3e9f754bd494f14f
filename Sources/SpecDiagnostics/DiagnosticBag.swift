/// The diagnostics reported so far. A diagnostic reported twice (same code, same span) counts once.
public struct DiagnosticBag: Sendable {
    private struct Key: Hashable {
        let code: String
        let span: Span
    }

    /// The largest number of diagnostics kept; later ones are only counted.
    public let limit: Int
    /// The number of reported errors, kept or not.
    public private(set) var errorCount = 0
    /// The number of reported warnings, kept or not.
    public private(set) var warningCount = 0
    private var kept: [Diagnostic] = []
    private var seen: Set<Key> = []

    /// An empty bag that keeps up to `limit` diagnostics.
    public init(limit: Int = 1_000) {
        self.limit = limit
    }

    /// Whether there are errors.
    public var hasErrors: Bool { errorCount > 0 }

    /// Whether nothing was reported.
    public var isEmpty: Bool { errorCount + warningCount == 0 }

    /// The number of diagnostics that were counted but not kept.
    public var droppedCount: Int { errorCount + warningCount - kept.count }

    /// Whether further diagnostics are only counted, so that no text is needed for them.
    public var isFull: Bool { kept.count >= limit }

    /// The kept diagnostics, sorted by file, place and code.
    public var all: [Diagnostic] {
        kept.sorted { ($0.span, $0.code.id) < ($1.span, $1.code.id) }
    }

    /// Reports a diagnostic; see ``Diagnostic`` for the meaning and style of the texts.
    public mutating func report(
        _ code: DiagnosticCode, _ message: String, at span: Span, label: String? = nil,
        notes: [Diagnostic.Note] = [], help: String? = nil
    ) {
        report(Diagnostic(code, message, at: span, label: label, notes: notes, help: help))
    }

    /// Reports a diagnostic.
    public mutating func report(_ diagnostic: Diagnostic) {
        // Past the limit, duplicates may be counted again, so that memory and time stay bounded.
        let key = Key(code: diagnostic.code.id, span: diagnostic.span)
        guard !seen.contains(key) else { return }
        count(diagnostic.severity, 1)
        guard !isFull else { return }
        seen.insert(key)
        kept.append(diagnostic)
    }

    /// Reports everything another bag holds.
    public mutating func report(contentsOf other: DiagnosticBag) {
        for diagnostic in other.kept { report(diagnostic) }
        errorCount += other.errorCount - other.kept.count { $0.severity == .error }
        warningCount += other.warningCount - other.kept.count { $0.severity == .warning }
    }

    /// Replaces each kept diagnostic by another one, or removes it.
    package mutating func revise(_ body: (Diagnostic) -> Diagnostic?) {
        let old = kept
        kept = []
        for diagnostic in old {
            count(diagnostic.severity, -1)
            guard let new = body(diagnostic) else { continue }
            count(new.severity, 1)
            kept.append(new)
        }
    }

    /// `2 errors, 1 warning`, or nothing when there are none.
    public var summary: String {
        let parts = [Self.counted(errorCount, "error"), Self.counted(warningCount, "warning")]
        let text = parts.filter { !$0.isEmpty }.joined(separator: ", ")
        return droppedCount > 0 ? text + " (the first \(kept.count) are shown)" : text
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        count == 0 ? "" : "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    private mutating func count(_ severity: Severity, _ step: Int) {
        switch severity {
        case .error: errorCount += step
        case .warning: warningCount += step
        }
    }
}

/// The difference of two texts in the unified form that `patch` and `git apply` read, with three
/// lines of context.
public struct UnifiedDiff: Sendable {
    /// The whole difference, every line ended; empty if there is none.
    public let text: String

    /// The highest number of lines between the first and the last difference for which common lines
    /// are searched. Beyond it, all old lines are removed and all new ones added, because memory
    /// grows with the square of the number of differences.
    static let searchLimit = 4_000
    private static let context = 3

    /// Compares the file at `path`; nil means that the file does not exist.
    public init(path: String, old: String?, new: String?) {
        guard old != new else {
            text = ""
            return
        }
        // `patch -p1` and `git apply` take the first part away: for an absolute path, `a`.
        let path = path.drop { $0 == "/" }
        let hunks = Self.hunks(Self.edits(Self.lines(old ?? ""), Self.lines(new ?? "")))
        let heads = [
            old == nil ? "--- /dev/null\n" : "--- a/\(path)\n",
            new == nil ? "+++ /dev/null\n" : "+++ b/\(path)\n",
        ]
        text = (heads + hunks).joined()
    }

    /// A line of the result.
    private struct Edit {
        enum Kind: String {
            case same = " "
            case removed = "-"
            case added = "+"
        }
        let kind: Kind
        let line: Substring
    }

    /// The lines with their line breaks; only the last may have none.
    private static func lines(_ text: String) -> [Substring] {
        var lines: [Substring] = []
        var rest = text[...]
        while let end = rest.utf8.firstIndex(of: UInt8(ascii: "\n")) {
            let next = rest.utf8.index(after: end)
            lines.append(rest[..<next])
            rest = rest[next...]
        }
        return rest.isEmpty ? lines : lines + [rest]
    }

    private static func edits(_ old: [Substring], _ new: [Substring]) -> [Edit] {
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = min(
            zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count,
            min(old.count, new.count) - start)
        return old[..<start].map { Edit(kind: .same, line: $0) }
            + changed(old[start..<(old.count - end)], new[start..<(new.count - end)])
            + old[(old.count - end)...].map { Edit(kind: .same, line: $0) }
    }

    private static func changed(
        _ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>
    ) -> [Edit] {
        guard old.count + new.count <= searchLimit else {
            return old.map { Edit(kind: .removed, line: $0) }
                + new.map { Edit(kind: .added, line: $0) }
        }
        let old = Array(old)
        let new = Array(new)
        let difference = new.difference(from: old)
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for case .remove(let offset, _, _) in difference { removed.insert(offset) }
        for case .insert(let offset, _, _) in difference { added.insert(offset) }
        return merged(old: old, removed: removed, new: new, added: added)
    }

    private static func merged(
        old: [Substring], removed: Set<Int>, new: [Substring], added: Set<Int>
    ) -> [Edit] {
        var edits: [Edit] = []
        var next = 0
        for (index, line) in old.enumerated() {
            if removed.contains(index) {
                edits.append(Edit(kind: .removed, line: line))
                continue
            }
            while added.contains(next) {
                edits.append(Edit(kind: .added, line: new[next]))
                next += 1
            }
            edits.append(Edit(kind: .same, line: line))
            next += 1
        }
        return edits + new[next...].map { Edit(kind: .added, line: $0) }
    }

    /// Groups differences with their context. Groups that are closer than twice the context are
    /// merged.
    private static func hunks(_ edits: [Edit]) -> [String] {
        var ranges: [Range<Int>] = []
        for (index, edit) in edits.enumerated() where edit.kind != .same {
            let lower = max(0, index - context)
            let upper = min(edits.count, index + context + 1)
            if let last = ranges.last, lower <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<upper
            } else {
                ranges.append(lower..<upper)
            }
        }
        var place = (old: 0, new: 0, index: 0)
        return ranges.map { range in
            count(edits[place.index..<range.lowerBound], into: &place.old, and: &place.new)
            place.index = range.upperBound
            return hunk(edits[range], old: &place.old, new: &place.new)
        }
    }

    private static func count(_ edits: ArraySlice<Edit>, into old: inout Int, and new: inout Int) {
        old += edits.count { $0.kind != .added }
        new += edits.count { $0.kind != .removed }
    }

    /// Formats one group that begins after `old` and `new` lines, and advances both.
    private static func hunk(
        _ edits: ArraySlice<Edit>, old: inout Int, new: inout Int
    ) -> String {
        let start = (old: old, new: new)
        count(edits, into: &old, and: &new)
        let head = "@@ -\(range(start.old, old)) +\(range(start.new, new)) @@\n"
        let body = edits.map { edit in
            let isEnded = edit.line.utf8.last == UInt8(ascii: "\n")
            return edit.kind.rawValue + edit.line
                + (isEnded ? "" : "\n\\ No newline at end of file\n")
        }
        return head + body.joined()
    }

    /// `first,count` in the unified format: lines count from 1, and an empty range gives the line
    /// before.
    private static func range(_ lower: Int, _ upper: Int) -> String {
        lower == upper ? "\(lower),0" : "\(lower + 1),\(upper - lower)"
    }
}

import SpecDiagnostics

/// The anchors of a file, and the size of its aliases when expanded.
struct YAMLAliases {
    /// The target of an alias.
    struct Target {
        let record: Int32
        /// The number of values in it, with inner aliases expanded.
        let values: Int
        /// The levels of collections in it.
        let height: Int
    }

    private var targets: [String: Target] = [:]
    /// Anchors of open collections: an alias to one of them would contain itself.
    private var open: [String] = []
    /// The number of values so far, with aliases expanded.
    private(set) var values = 0
    private var aliasedValues = 0
    private var isExcessReported = false

    mutating func addValue() { values += 1 }

    /// Records the start of a collection with an anchor.
    mutating func begin(_ anchor: String) { open.append(anchor) }

    /// Records the complete value of an anchor. A later anchor of the same name replaces it.
    mutating func define(_ anchor: String, record: Int32, values: Int, height: Int) {
        if height > 0 { open.removeLast() }
        targets[anchor] = Target(record: record, values: values, height: height)
    }

    /// Returns the target of an alias; reports an unknown, recursive or too large one.
    mutating func resolve(
        _ name: String, at span: Span, depth: Int, into bag: inout DiagnosticBag
    ) -> Target? {
        if open.contains(name) {
            bag.report(
                .selfReference, "the alias `*\(name)` is inside the value it names", at: span,
                help: "write the value out; to refer to a model use its name")
            return nil
        }
        guard let target = targets[name] else {
            reportUnknown(name, at: span, into: &bag)
            return nil
        }
        guard depth + target.height <= YAMLLimits.depth else {
            bag.report(
                .nestingTooDeep,
                "expected at most \(YAMLLimits.depth) levels of nesting, found more in `*\(name)`",
                at: span)
            return nil
        }
        guard aliasedValues + target.values <= YAMLLimits.aliasedValues else {
            reportExcess(at: span, into: &bag)
            return nil
        }
        aliasedValues += target.values
        values += target.values
        return target
    }

    /// Reports only the first alias that exceeds the limit.
    private mutating func reportExcess(at span: Span, into bag: inout DiagnosticBag) {
        guard !isExcessReported else { return }
        isExcessReported = true
        bag.report(
            .aliasExpansion,
            "the aliases expand to more than \(YAMLLimits.aliasedValues) values", at: span,
            label: "this one exceeds the limit")
    }

    private func reportUnknown(_ name: String, at span: Span, into bag: inout DiagnosticBag) {
        // A hostile file has many anchors and many unknown aliases, so the comparison is bounded.
        let names = targets.count <= 200 && bag.droppedCount == 0 ? Array(targets.keys) : []
        let near = nearest(to: name, among: names).map { "did you mean `*\($0)`?" }
        bag.report(
            .unknownAlias, "no anchor `&\(name)` precedes this alias", at: span,
            help: near ?? "put quotes around a text that begins with `*`")
    }
}

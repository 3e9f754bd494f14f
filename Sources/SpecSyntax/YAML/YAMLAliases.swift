import SpecDiagnostics

/// The anchors of a file, and what its aliases would cost written out.
struct YAMLAliases {
    /// A value that an alias may name.
    struct Target {
        let record: Int32
        /// How many values it stands for, aliases inside written out.
        let values: Int
        /// The levels of collections in it.
        let height: Int
    }

    private var targets: [String: Target] = [:]
    /// Anchors of collections that have not ended: an alias to one of them would hold itself.
    private var open: [String] = []
    /// The values so far, aliases written out.
    private(set) var values = 0
    private var aliasedValues = 0
    private var isExcessReported = false

    mutating func addValue() { values += 1 }

    /// Notes that a collection with an anchor begins.
    mutating func begin(_ anchor: String) { open.append(anchor) }

    /// Notes that the value of an anchor is complete. A later anchor of that name replaces it.
    mutating func define(_ anchor: String, record: Int32, values: Int, height: Int) {
        if height > 0 { open.removeLast() }
        targets[anchor] = Target(record: record, values: values, height: height)
    }

    /// What an alias names; reports an alias that names nothing or too much.
    mutating func resolve(
        _ name: String, at span: Span, depth: Int, into bag: inout DiagnosticBag
    ) -> Target? {
        if open.contains(name) {
            bag.report(
                .selfReference, "the alias `*\(name)` stands inside the value it names", at: span,
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

    /// Only the first alias that is too much is worth a message.
    private mutating func reportExcess(at span: Span, into bag: inout DiagnosticBag) {
        guard !isExcessReported else { return }
        isExcessReported = true
        bag.report(
            .aliasExpansion,
            "the aliases stand for more than \(YAMLLimits.aliasedValues) values", at: span,
            label: "this one is too much")
    }

    private func reportUnknown(_ name: String, at span: Span, into bag: inout DiagnosticBag) {
        // A hostile file has many anchors and many unknown aliases: comparing all with all is bounded.
        let names = targets.count <= 200 && bag.droppedCount == 0 ? Array(targets.keys) : []
        let near = didYouMean(name, among: names).map { "did you mean `*\($0)`?" }
        bag.report(
            .unknownAlias, "no anchor `&\(name)` stands before this alias", at: span,
            help: near ?? "put quotes around a text that begins with `*`")
    }
}

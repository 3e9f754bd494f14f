import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Compares a description with the spec that was made of it. A difference that no loss of the report
/// explains is a loss of its own, so that nothing is lost silently.
struct ImportAudit {
    typealias Described = FactPlace<DescribedSchemas.Node>

    let description: DescriptionFacts
    let api: API
    let spec: SpecFacts
    let reported: ReportedPlaces
    /// Whether fields that the description requires are optional on purpose.
    private let isTolerant: Bool
    private(set) var losses: [ImportReport.Loss] = []
    private var steps: [Step] = []
    private var queue: [Pair] = []
    private var visited: Set<Visit> = []
    /// The servers of operations that have been compared.
    var comparedServers: Set<String> = []

    /// The differences that the report does not explain, in the order of their places.
    static func differences(
        between description: DescriptionFacts, and api: API, report: ImportReport,
        isTolerant: Bool = false
    ) -> [ImportReport.Loss] {
        var audit = Self(description: description, api: api, report: report, isTolerant: isTolerant)
        audit.compareServers()
        audit.compareOperations()
        audit.compareValues()
        return audit.losses.sorted { ($0.span, $0.detail) < ($1.span, $1.detail) }
    }

    private init(
        description: DescriptionFacts, api: API, report: ImportReport, isTolerant: Bool
    ) {
        self.description = description
        self.api = api
        self.isTolerant = isTolerant
        spec = SpecFacts(api)
        reported = ReportedPlaces(report)
    }

    // MARK: Differences

    /// A step on the way from an operation to a value.
    private struct Step {
        let parent: Int?
        let name: String
        let place: Described?
        let spans: [Span]
    }

    /// Starts a way at a part of an operation, such as its reply.
    mutating func step(_ name: String, at place: Described?, spans: [Span]) -> Int {
        steps.append(Step(parent: nil, name: name, place: place, spans: spans))
        return steps.count - 1
    }

    /// Adds a difference, unless a loss at one of the places explains it.
    mutating func add(
        _ kind: ImportReport.Kind, at span: Span, around spans: [Span] = [], _ detail: String
    ) {
        guard !reported.isInside(span), !reported.isAt(spans) else { return }
        losses.append(ImportReport.Loss(kind: kind, detail: detail, span: span))
    }

    /// Adds a difference of a value, or of a field of the value at a step.
    private mutating func add(
        _ kind: ImportReport.Kind, at step: Int, field: (name: String, place: Described?)? = nil,
        _ detail: () -> String
    ) {
        let place = field?.place ?? steps[step].place
        let own = place.map { description.schemas.spans(of: $0) } ?? []
        if own.contains(where: reported.isInside) { return }
        var next = Optional(step)
        var way = field.map { [$0.name] } ?? []
        while let index = next {
            if reported.isAt(spans(of: steps[index])) { return }
            next = steps[index].parent
        }
        next = step
        while let index = next {
            way.append(steps[index].name)
            next = steps[index].parent
        }
        guard let span = own.first ?? steps[step].spans.first else { return }
        let path = way.reversed().joined(separator: ".").replacing(".[]", with: "[]")
        losses.append(
            ImportReport.Loss(kind: kind, detail: "\(path): \(detail())", span: span))
    }

    private func spans(of step: Step) -> [Span] {
        let schemas = description.schemas
        return step.spans + (step.place.map { schemas.spans(of: $0, withSiblings: true) } ?? [])
    }

    // MARK: Values

    /// A value of the description and its counterpart in the spec.
    private struct Pair {
        let described: Described
        let written: FactPlace<Value>
        let step: Int
        let direction: Field.Direction
        let isText: Bool
    }

    private struct Visit: Hashable {
        let spans: [Span]
        let models: [String]
        let direction: Field.Direction
        let isText: Bool
    }

    /// The most values that are compared.
    private static let mostValues = 200_000
    /// The deepest value that is compared.
    private static let deepest = 24

    /// Compares the values that have been met, breadth first, each pair once.
    private mutating func compareValues() {
        var next = 0
        while next < queue.count {
            let pair = queue[next]
            next += 1
            let models = SpecFacts.models(of: pair.written)
            if !models.isEmpty {
                let visit = Visit(
                    spans: pair.described.nodes.map(\.yaml.span), models: models,
                    direction: pair.direction, isText: pair.isText)
                guard visited.insert(visit).inserted else { continue }
            }
            compare(
                description.schemas.facts(pair.described, pair.direction),
                with: spec.facts(pair.written, pair.direction), at: pair.step,
                direction: pair.direction,
                isText: pair.isText)
        }
    }

    private mutating func enqueue(
        _ described: Described?, with written: FactPlace<Value>?, name: String, after step: Int,
        direction: Field.Direction, isText: Bool
    ) {
        // Alternatives that contain each other have a number of combinations that has no bound.
        guard let described, let written, described.isSmall(), written.isSmall(),
            queue.count < Self.mostValues
        else { return }
        var (depth, next) = (0, Optional(step))
        while let index = next { (depth, next) = (depth + 1, steps[index].parent) }
        guard depth < Self.deepest else { return }
        steps.append(Step(parent: step, name: name, place: described, spans: []))
        queue.append(
            Pair(
                described: described, written: written, step: steps.count - 1,
                direction: direction, isText: isText))
    }

    /// Compares what is known of a value.
    ///
    /// - Parameter isText: Whether it is sent as text, outside JSON.
    mutating func compare(
        _ described: DescribedSchemas.Facts, with written: SpecFacts.Facts, at step: Int,
        direction: Field.Direction, isText: Bool = false
    ) {
        guard areComparable(described, written, at: step, isText: isText) else { return }
        if !isText { compareNull(described, written, at: step) }
        enqueue(
            described.items, with: written.items, name: "[]", after: step, direction: direction,
            isText: isText)
        guard described.kinds.contains(.object), written.kinds.contains(.object) else { return }
        if written.fields.isEmpty, !described.fields.isEmpty, written.further != nil {
            return add(.looser, at: step) { "an object with fields is a map" }
        }
        for (name, field) in described.fields.sorted(by: { $0.key < $1.key }) {
            compare(
                field, with: written.fields[name], name: name, at: step, direction: direction,
                isText: isText)
        }
        for (name, field) in written.fields.sorted(by: { $0.key < $1.key })
        where field.presence == .required && described.fields[name] == nil {
            add(.otherPresence, at: step) { "`\(name)` is required only in the spec" }
        }
        enqueue(
            described.further, with: written.further, name: "*", after: step, direction: direction,
            isText: isText)
        let isOpen = described.isOpen && !described.fields.isEmpty
        if described.further != nil || isOpen, written.further == nil,
            !reported.hasOpenObject(spans(of: steps[step]))
        {
            add(.otherFurtherKeys, at: step) { "keys without a field are values" }
        }
    }

    /// Compares kinds. Returns whether both sides say more than these.
    private mutating func areComparable(
        _ described: DescribedSchemas.Facts, _ written: SpecFacts.Facts, at step: Int, isText: Bool
    ) -> Bool {
        guard described.kinds != .any, !described.kinds.isEmpty else { return false }
        if written.kinds == .any, written.isOpen {
            if !described.isImplied {
                add(.looser, at: step) { "\(described.kinds.words) is any value" }
            }
            return false
        }
        let isAnyText = isText && written.kinds == .string && described.kinds.contains(.string)
        let unclear: JSONKinds =
            described.isNumberUnclear || written.isNumberUnclear ? .number : []
        let isEqual =
            described.kinds.union(described.kinds.isDisjoint(with: unclear) ? [] : unclear)
            == written.kinds.union(written.kinds.isDisjoint(with: unclear) ? [] : unclear)
        if !isEqual, !isAnyText {
            add(.otherKind, at: step) { "\(described.kinds.words) is \(written.kinds.words)" }
        } else if described.isBase64URL, written.kinds == .string, written.isBinary {
            add(.otherKind, at: step) { "base64url is base64" }
        }
        return true
    }

    private mutating func compareNull(
        _ described: DescribedSchemas.Facts, _ written: SpecFacts.Facts, at step: Int
    ) {
        switch (described.null, written.null) {
        case (.yes, .no), (.added, .no):
            add(.otherNull, at: step) { "null is a value only in the description" }
        case (.no, .yes): add(.otherNull, at: step) { "null is a value only in the spec" }
        default: break
        }
    }

    private mutating func compare(
        _ field: FieldFacts<DescribedSchemas.Node>, with written: FieldFacts<Value>?, name: String,
        at step: Int, direction: Field.Direction, isText: Bool
    ) {
        // Longer keys are reported, each at its place.
        guard name.utf8.count <= 200 else { return }
        let place = (name: name, place: field.place)
        guard let written else {
            if !field.isHidden, field.place != nil || field.presence == .required {
                add(.missingField, at: step, field: place) { "only in the description" }
            }
            return
        }
        if field.isHidden {
            // A tag is sent and received by its union.
            if written.place == nil { return }
            return add(.otherDirection, at: step, field: place) {
                direction == .request ? "read-only, but sent" : "write-only, but received"
            }
        }
        switch (field.presence, written.presence) {
        case (.required, .optional), (.partly, .optional):
            if !isTolerant {
                add(.otherPresence, at: step, field: place) { "required only in the description" }
            }
        case (.optional, .required), (.optional, .partly):
            // A tag is required wherever its model is used, and is reported at one of the unions.
            if reported.requiredTags.contains(name) { break }
            add(.otherPresence, at: step, field: place) { "required only in the spec" }
        default: break
        }
        enqueue(
            field.place, with: written.place, name: name, after: step, direction: direction,
            isText: isText)
    }
}

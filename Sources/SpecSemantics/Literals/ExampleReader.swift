import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks examples and templates against their types and rules, and makes JSON of them.
struct ExampleReader {
    /// An example that is waiting until all models are known.
    struct Pending {
        let syntax: [ExampleSyntax]
        let value: Value
        /// The declaration that the examples belong to.
        let place: Span
        /// The only direction of the value; nil for both.
        let direction: Field.Direction?
    }

    /// A value as JSON, and as the literal that rules check.
    fileprivate typealias Checked = (json: ExampleValue, literal: Literal)

    private var literals: LiteralReader
    private let models: [String: Model]
    private let direction: Field.Direction?
    private let places: TypePlaces
    /// Where the current value of a template is declared; nil for an example.
    private var declaration: Span?
    /// Whether a template has null where the type has not.
    private(set) var hasOtherNull = false
    /// The fields of the models so far, by their names.
    private var tables: [String: FieldTable] = [:]
    private(set) var bag = DiagnosticBag()

    /// Reads the examples of all declarations.
    static func readExamples(_ spec: inout ResolvedSpec, into bag: inout DiagnosticBag) {
        let models = spec.pendingExamples.isEmpty ? [:] : spec.models.byName
        for item in spec.pendingExamples {
            var reader = ExampleReader(
                literals: spec.literals, models: models, direction: item.direction)
            spec.examples[item.place] = item.syntax.compactMap { syntax in
                reader.checked(syntax.value, as: item.value).map {
                    Example(name: syntax.name?.value, value: $0.json)
                }
            }
            bag.report(contentsOf: reader.bag)
        }
    }

    private init(literals: LiteralReader, models: [String: Model], direction: Field.Direction?) {
        self.literals = literals
        self.models = models
        self.direction = direction
        places = TypePlaces()
    }

    /// Creates a reader of a template of replies.
    ///
    /// - Parameter declaration: The place of the type of the whole value.
    init(
        ofTemplate literals: LiteralReader, _ models: [String: Model], _ places: TypePlaces,
        declaration: Span
    ) {
        self.literals = literals
        self.literals.readsReplies = true
        self.models = models
        self.places = places
        self.declaration = declaration
        direction = .reply
    }

    /// Checks the value of a template.
    mutating func check(_ node: YAMLNode, as value: Value) { _ = checked(node, as: value) }

    private var isTemplate: Bool { declaration != nil }
    private var noun: String { isTemplate ? "template" : "example" }

    private mutating func report(
        _ message: String, at span: Span, declared: Span? = nil, help: String? = nil
    ) {
        report(Diagnostic(.badDefault, message, at: span, help: help), declared: declared)
    }

    /// Reports a mistake; of a template, with the place of the declaration.
    private mutating func report(_ mistake: Diagnostic, declared: Span? = nil) {
        guard let declaration else { return bag.report(mistake) }
        var mistake = mistake
        mistake.code = .templateMismatch
        mistake.notes.append(
            Diagnostic.Note("the declaration is here", at: declared ?? declaration))
        bag.report(mistake)
    }

    /// Reports what `check` finds.
    private mutating func collect<Result>(
        _ check: (inout Self, inout DiagnosticBag) -> Result
    ) -> Result {
        var found = DiagnosticBag()
        let result = check(&self, &found)
        for mistake in found.all { report(mistake) }
        return result
    }

    // MARK: Values

    /// - Parameter tag: The key of a union's tag, which its alternatives need not have.
    private mutating func checked(
        _ node: YAMLNode, as value: Value, tag: String? = nil
    ) -> Checked? {
        if node.isNull, value.isNullable || isTemplate {
            if !value.isNullable, value.type != .json { hasOtherNull = true }
            return (.plain("null"), .null)
        }
        let errors = bag.errorCount
        guard !isTemplate || isOfKind(node, value),
            let result = content(node, value: value, tag: tag), bag.errorCount == errors
        else { return nil }
        check(result.literal, value.rules, at: node.span)
        return result
    }

    private mutating func check(_ literal: Literal, _ rules: [Rule], at span: Span) {
        let noun = noun
        collect { _, bag in
            RuleValidator.check(
                literal, as: Value(.json, rules: rules), named: noun, at: span, rules: [],
                into: &bag)
        }
    }

    /// Whether a value of a template is read as the type; otherwise it is reported.
    private mutating func isOfKind(_ node: YAMLNode, _ type: Value) -> Bool {
        let kinds = node.templateKinds
        let allowed = type.kinds(in: models)
        if !kinds.isDisjoint(with: allowed) { return true }
        let expected = allowed.names.joined(separator: " or ")
        report(
            "expected \(expected.isEmpty ? "no value" : expected), found "
                + kinds.names.joined(), at: node.span)
        return false
    }

    private mutating func content(_ node: YAMLNode, value: Value, tag: String?) -> Checked? {
        if value.from == .string || value.from == .either && node.templateKinds == .string {
            // What is inside the text of a template is read with the reply.
            if isTemplate { return (.text(node.text), .null) }
            var content = value
            content.from = .native
            return self.content(node, value: content, tag: nil).map {
                (.text($0.json.json), $0.literal)
            }
        }
        switch (value.type, node.kind) {
        case (.object(let name), .sequence) where models[name]?.isArray == true:
            return places(node, name)
        case (.object(let name), .mapping) where models[name]?.isArray != true:
            return object(node, name: name, tag: tag)
        case (.union(let name), _): return union(node, name)
        case (.list(let element), .sequence): return list(node, element)
        case (.map(_, let element), .mapping):
            return map(node, element: element, keyRules: value.keyRules)
        case (.bytes, .scalar): return (.text(node.text), .string(node.text))
        case (.object, _), (.list, _), (.map, _), (.bytes, _), (.file, _):
            let isPlaces = value.type.model.flatMap { models[$0]?.isArray } == true
            report(
                "expected \(isPlaces ? "a list" : value.type.expectation), found \(node.shown)",
                at: node.span, help: value.type == .file ? "a file has no examples" : nil)
            return nil
        default: return scalar(node, value)
        }
    }

    private mutating func list(_ node: YAMLNode, _ element: Value) -> Checked? {
        let items = node.items.compactMap { checked($0, as: element) }
        return (.array(items.map(\.json)), .list(items.map(\.literal)))
    }

    private mutating func map(_ node: YAMLNode, element: Value, keyRules: [Rule]) -> Checked? {
        collect { _, bag in
            for entry in node.entries {
                RuleValidator.check(
                    .string(entry.key.text), as: Value(.json, rules: keyRules), named: "key",
                    at: entry.key.span, rules: [], into: &bag)
            }
        }
        return Self.joined(
            node.entries.compactMap { entry in
                checked(entry.value, as: element).map { (entry.key.text, $0) }
            })
    }

    private static func joined(_ members: [(key: String, value: Checked)]) -> Checked {
        (
            .object(members.map { .init(key: $0.key, value: $0.value.json) }),
            .map(members.map { LiteralEntry(key: .string($0.key), value: $0.value.literal) })
        )
    }

    private mutating func scalar(_ node: YAMLNode, _ value: Value) -> Checked? {
        let text = node.text
        if isTemplate, case .date(.pattern) = value.type { return (.text(text), .null) }
        if case .duration(let unit) = value.type, unit.isText {
            if !isTemplate { report("a duration as a text has no examples", at: node.span) }
            return (.text(text), .null)
        }
        if isTemplate, value.type == .bool(.oneZero), !["0", "1"].contains(text) {
            report("expected 1 or 0, found \(node.shown)", at: node.span)
            return nil
        }
        var isOfWire = isTemplate
        if case .date(.localDateTime) = value.type { isOfWire = true }
        let node = isOfWire ? node.literal(of: value.type) : node
        let literal = collect { $0.literals.literal(node, for: value, into: &$1) }
        guard let literal else { return nil }
        switch (value.type, literal) {
        case (.json, _): return (Self.any(node), literal)
        case (.string(from: .int), _): return (.plain(text), literal)
        case (.integer(_, .string), .integer(let digits)), (.double(.string), .number(let digits)),
            (.decimal(.string), .number(let digits)), (.date(.unixText), .integer(let digits)),
            (.date(.unixMillisecondsText), .integer(let digits)):
            return (.text(digits), literal)
        case (.bool(.text), .bool(let flag)): return (.text("\(flag)"), literal)
        case (.bool(.words(let words)), .bool(let flag)):
            return (.text(BoolForm.parts(of: words)[flag ? 0 : 1]), literal)
        case (.bool(.oneZero), .bool(let flag)): return (.plain(flag ? "1" : "0"), literal)
        case (.bool, .bool(let flag)): return (.plain("\(flag)"), literal)
        case (_, .integer(let digits)), (_, .number(let digits)): return (.plain(digits), literal)
        case (.date(.date), _): return (.text(String(text.prefix(10))), literal)
        case (.date(.dateTime), _) where text.count == 10:
            return (.text(text + "T00:00:00Z"), literal)
        case (.date(.localDateTime), _) where text.count == 10:
            return (.text(text + "T00:00:00"), literal)
        case (.date(.pattern), _):
            report("a date with a pattern has no examples", at: node.span)
            return nil
        case (.enumeration(_, isInteger: true), _): return (.plain(text), literal)
        default: return (.text(text), literal)
        }
    }

    /// Any value, as YAML's core schema reads it.
    private static func any(_ node: YAMLNode) -> ExampleValue {
        switch node.kind {
        case .sequence: return .array(node.items.map(any))
        case .mapping:
            return .object(node.entries.map { .init(key: $0.key.text, value: any($0.value)) })
        case .scalar:
            if node.isNull { return .plain("null") }
            if let flag = node.boolean { return .plain("\(flag)") }
            return node.numberText.map { .plain($0) } ?? .text(node.text)
        }
    }

    // MARK: Objects

    /// An object that is an array in JSON.
    private mutating func places(_ node: YAMLNode, _ name: String) -> Checked? {
        guard let model = models[name], case .object(let fields) = model.kind else { return nil }
        let items = node.items
        if items.count < fields.count, fields[items.count].isRequired {
            report("the \(noun) has no place `\(fields[items.count].name)`", at: node.span)
        }
        let places = zip(items, fields).compactMap { checked($0, as: $1, of: model) }
        let further = items.dropFirst(fields.count).map {
            (json: Self.any($0), literal: Literal.null)
        }
        let all = places + further
        return (.array(all.map(\.json)), .list(all.map(\.literal)))
    }

    private mutating func object(_ node: YAMLNode, name: String, tag: String?) -> Checked? {
        guard let model = models[name], let fields = table(of: model) else { return nil }
        let entries = node.entries
        let byKey =
            fields.required.isEmpty
            ? [:]
            : Dictionary(
                entries.map { ($0.key.text, $0.value) }, uniquingKeysWith: { first, _ in first })
        for field in fields.required where field.key != tag {
            if direction == nil && field.only != nil { continue }
            let steps = field.steps + [field.key]
            let found = steps.dropFirst().reduce(byKey[steps[0]]) { $0?.value(of: $1) }
            if found == nil {
                let declared = places.fields[model.qualifiedName]?[field.name]
                report(
                    "the \(noun) has no `\(steps.joined(separator: "."))`", at: node.span,
                    declared: declared)
            }
        }
        let members = entries.compactMap { entry in
            member(entry, of: fields, model: model, tag: tag).map {
                (key: entry.key.text, value: $0)
            }
        }
        return Self.joined(members)
    }

    /// The fields of a model of an object, in the direction of the value; nil for another model.
    private mutating func table(of model: Model) -> FieldTable? {
        if let known = tables[model.qualifiedName] { return known }
        guard case .object(let all) = model.kind else { return nil }
        let table = FieldTable(
            all.filter { $0.only == nil || direction == nil || $0.only == direction })
        tables[model.qualifiedName] = table
        return table
    }

    private mutating func member(
        _ entry: YAMLEntry, of fields: FieldTable, model: Model, tag: String?
    ) -> Checked? {
        let key = entry.key.text
        if let field = fields.field(key) { return checked(entry.value, as: field, of: model) }
        let inside = fields.fields(inside: key)
        for field in inside {
            let steps = field.steps.dropFirst() + [field.key]
            let inner = steps.reduce(entry.value) { $0?.value(of: $1) }
            if let inner { _ = checked(inner, as: field, of: model) }
        }
        if let value = fields.additional { return checked(entry.value, as: value) }
        if key != tag, inside.isEmpty {
            report(
                "`\(model.apiName)` has no field `\(key)`", at: entry.key.span,
                declared: literals.symbols.model(swiftName: model.qualifiedName)?.syntax.name.span
                    ?? places.inlineTypes[model.qualifiedName],
                help: didYouMean(key, among: fields.keys))
        }
        return (Self.any(entry.value), .null)
    }

    private mutating func checked(
        _ node: YAMLNode, as field: Field, of model: Model
    ) -> Checked? {
        let outer = declaration
        if isTemplate { declaration = places.fields[model.qualifiedName]?[field.name] ?? outer }
        defer { declaration = outer }
        return checked(node, as: field.value)
    }

    // MARK: Unions

    private mutating func union(_ node: YAMLNode, _ name: String) -> Checked? {
        guard let model = models[name], case .union(let union) = model.kind else { return nil }
        switch union.discriminator {
        case .kind: return alternative(node, of: union, model)
        case .onlyKey:
            guard let entry = node.entries.first, node.entries.count == 1,
                let item = self.item(entry.key, of: union)
            else { return fitsNone(node, model) }
            return checked(entry.value, as: item.value).map { Self.joined([(entry.key.text, $0)]) }
        case .key(let tag):
            guard let item = node.value(of: tag).flatMap({ self.item($0, of: union) }) else {
                return fitsNone(node, model)
            }
            return checked(node, as: item.value, tag: tag)
        case .content(let content, let tag):
            guard let label = node.value(of: tag), let item = item(label, of: union),
                let inner = node.value(of: content ?? label.text)
            else { return fitsNone(node, model) }
            guard checked(inner, as: item.value) != nil else { return nil }
            return (Self.any(node), .null)
        }
    }

    private func item(_ tag: YAMLNode, of union: Union) -> UnionCase? {
        union.cases.first { $0.tag == tag.text }
    }

    /// The first alternative that the value fits.
    private mutating func alternative(
        _ node: YAMLNode, of union: Union, _ model: Model
    ) -> Checked? {
        for item in union.cases {
            var attempt = self
            if let result = attempt.checked(node, as: item.value),
                attempt.bag.errorCount == bag.errorCount
            {
                hasOtherNull = attempt.hasOtherNull
                return result
            }
        }
        return fitsNone(node, model)
    }

    private mutating func fitsNone(_ node: YAMLNode, _ model: Model) -> Checked? {
        report("the \(noun) is no alternative of `\(model.apiName)`", at: node.span)
        return nil
    }
}

extension ValueType {
    /// The name of an object model.
    fileprivate var model: String? { if case .object(let name) = self { name } else { nil } }
}

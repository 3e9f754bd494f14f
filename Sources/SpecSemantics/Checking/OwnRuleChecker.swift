import SpecDiagnostics
import SpecIR

/// A rule that the app checks, as declared.
struct OwnRule {
    let id: String
    /// The Swift function that the app implements.
    let function: String
    /// The type of the checked values.
    let type: ValueType
    let span: Span
}

/// Checks the rules that the app checks: their names and types, and that replies have their values.
struct OwnRuleChecker {
    let spec: ResolvedSpec
    let rules: [OwnRule]
    var bag = DiagnosticBag()

    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        if spec.ownRules.isEmpty { return }
        var checker = OwnRuleChecker(
            spec: spec, rules: spec.ownRules.sorted { $0.span < $1.span })
        checker.checkFunctions()
        checker.checkParameters()
        checker.checkModels()
        bag.report(contentsOf: checker.bag)
    }

    /// Reports two functions of one name.
    private mutating func checkFunctions() {
        var scope = NameScope("`\(spec.name)ReplyChecks`")
        for method in spec.methods where method.isCheckedByApp {
            scope.declare(
                method.caseName, for: "method `\(method.apiName)`",
                at: method.syntax.name.span, into: &bag)
        }
        var first: [String: OwnRule] = [:]
        for rule in rules {
            guard let other = first[rule.id] else {
                first[rule.id] = rule
                scope.declare(
                    rule.function, for: "rule `\(rule.id)`", at: rule.span, into: &bag,
                    help: "rename one of them")
                continue
            }
            guard other.type.swift != rule.type.swift else { continue }
            bag.report(
                .badOwnRule,
                "rule `\(rule.id)` checks `\(rule.type.swift)` here, and "
                    + "`\(other.type.swift)` elsewhere",
                at: rule.span,
                notes: [Diagnostic.Note("`\(other.type.swift)` is here", at: other.span)],
                help: "give one of them another name")
        }
    }

    /// Reports rules of values that only requests have.
    private mutating func checkParameters() {
        for parameter in spec.baseParameters + spec.methods.flatMap(\.parameters) {
            report(parameter.value, "parameter `\(parameter.specName)`", at: parameter.span)
        }
        for method in spec.methods {
            for item in method.declared {
                guard let type = item.type else { continue }
                report(type, "value `\(item.syntax.name.value)`", at: item.syntax.name.span)
            }
        }
    }

    /// Reports rules of models, and of fields, that no reply has.
    private mutating func checkModels() {
        let graph = ModelGraph(spec.models)
        let received = graph.reachable(
            from: spec.methods.flatMap(\.output.values).flatMap(\.type.models)
                + spec.methods.compactMap(\.replyHeaders?.model))
        let usage = ModelUsage(spec, graph)
        let used = usage.read.union(usage.written)
        for model in spec.models.withNested where used.contains(model.qualifiedName) {
            let isReceived = received.contains(model.qualifiedName)
            let places = spec.places.fields[model.qualifiedName]
            switch model.kind {
            case .object(let fields):
                for field in fields where !isReceived || field.only == .request {
                    report(
                        field.value, "field `\(field.key)` of `\(model.apiName)`",
                        at: places?[field.name])
                }
            case .union(let union) where !isReceived:
                for item in union.cases {
                    report(item.value, "an alternative of `\(model.apiName)`", at: nil)
                }
            case .union, .enumeration: break
            }
        }
    }

    /// Reports the rules of a value that no reply has.
    private mutating func report(_ value: Value, _ what: String, at place: Span?) {
        guard case .check(let id, _) = value.ownRules.first?.rule.argument,
            let rule = rules.first(where: { $0.id == id })
        else { return }
        bag.report(
            .badOwnRule, "rule `\(id)` is checked in replies, and no reply has \(what)",
            at: place ?? rule.span,
            notes: place == nil ? [] : [Diagnostic.Note("the rule is here", at: rule.span)],
            help: "use a type without the rule here, and a `pattern` or the like for a request")
    }
}

import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves the extractions of methods against their replies, when all models are known.
struct ExtractionResolver {
    private let models: [String: Model]
    private let namer: SwiftNamer
    private var bag = DiagnosticBag()

    static func resolve(_ spec: inout ResolvedSpec, into bag: inout DiagnosticBag) {
        guard spec.methods.contains(where: { !$0.declared.isEmpty }) else { return }
        var resolver = ExtractionResolver(models: spec.models.byName, namer: spec.symbols.namer)
        var scopes: [String: NameScope] = [:]
        spec.changeMethods { method in
            let group = method.group.name
            resolver.resolve(
                &method,
                &scopes[group, default: NameScope("the extractions of group `\(group)`")])
        }
        bag.report(contentsOf: resolver.bag)
    }

    private mutating func resolve(_ method: inout ResolvedMethod, _ scope: inout NameScope) {
        guard let first = method.declared.first, !method.hasUnresolvedReply else { return }
        guard method.hasWholeReply else {
            return bag.report(
                .badExtraction, "no whole reply of `\(method.apiName)` is in memory",
                at: first.syntax.name.span,
                help: "`extract` belongs to a method that reads one reply with a body")
        }
        for item in method.declared {
            guard let extraction = extraction(item, of: method) else { continue }
            for label in [extraction.replyLabel] + (extraction.containerLabel.map { [$0] } ?? []) {
                scope.declare(
                    "\(extraction.name)(\(label):)", for: "value `\(item.syntax.name.value)`",
                    at: item.syntax.name.span, into: &bag, help: "rename one of them")
            }
            method.extractions.append(extraction)
        }
    }

    private mutating func extraction(
        _ item: ResolvedExtraction, of method: ResolvedMethod
    ) -> Extraction? {
        let place = item.syntax.path
        var path = ReplyPath(method.output, models)
        if let (problem, help) = path.follow(place.value) {
            bag.report(.badExtraction, problem, at: place.span, help: help)
            return nil
        }
        guard !place.value.isEmpty, let (value, mayMiss) = type(of: item, path),
            let methodName = namer.upperCamel(method.name)
        else {
            if place.value.isEmpty {
                bag.report(
                    .badExtraction, "the whole reply is what the method returns", at: place.span,
                    help: "write the path of a value in it")
            }
            return nil
        }
        return Extraction(
            name: item.name, methodName: methodName, path: place.value, value: value,
            mayMiss: mayMiss, isSensitive: item.isSensitive || path.isSensitive,
            container: container(of: place.value),
            documentation: Documentation(item.syntax.documentation))
    }

    /// The type of one value, declared here or by the reply, and whether it may be missing.
    private mutating func type(
        of item: ResolvedExtraction, _ path: ReplyPath
    ) -> (Value, mayMiss: Bool)? {
        guard var value = item.type, let syntax = item.syntax.type else {
            guard var value = path.value else {
                bag.report(
                    .badExtraction, "the reply's model does not tell the type of this value",
                    at: item.syntax.path.span, help: "add it: `{ at: …, type: string? }`")
                return nil
            }
            value.isNullable = false
            return (value, path.mayMiss)
        }
        var mayMiss = value.isNullable || syntax.optional != nil
        if item.syntax.path.value.contains(.each) {
            guard !mayMiss, case .list(let element) = value.type, !element.isNullable,
                value.rules.isEmpty, value.tolerances.isEmpty
            else {
                bag.report(
                    .badExtraction, "a path with `[*]` gives a plain list of the values there are",
                    at: syntax.span, help: "write `type: [T]`, with the type of one value")
                return nil
            }
            (value, mayMiss) = (element, path.mayMiss)
        }
        value.isNullable = false
        guard path.value.map({ $0.type.mayBeRead(as: value.type) }) ?? true else {
            bag.report(
                .badExtraction, "the reply declares another type of value here", at: syntax.span,
                help: "leave `type` out to use that of the reply")
            return nil
        }
        return (value, mayMiss)
    }

    /// The object or list under the last key before that of the value.
    private func container(of path: [PathStep]) -> Extraction.Container? {
        let keys = path.indices.filter { path[$0].isKey }
        guard let index = keys.dropLast().last, case .key(let key) = path[index],
            let name = namer.upperCamel(key)
        else { return nil }
        return Extraction.Container(key: key, name: name, path: Array(path[(index + 1)...]))
    }
}

extension ResolvedMethod {
    /// Whether a call has its whole reply in memory.
    fileprivate var hasWholeReply: Bool {
        switch kind {
        case .stream, .download: false
        case .data, .upload: verb != .head
        }
    }
}

extension ValueType {
    /// Whether JSON of this type may also be of another one. That of a union may be of any.
    fileprivate func mayBeRead(as other: ValueType) -> Bool {
        shapes.isEmpty || other.shapes.isEmpty || !shapes.isDisjoint(with: other.shapes)
    }
}

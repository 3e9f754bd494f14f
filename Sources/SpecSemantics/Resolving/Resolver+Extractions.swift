import SpecDiagnostics
import SpecIR
import SpecSyntax

/// An entry of `extract` with its name and its declared type.
struct ResolvedExtraction {
    let syntax: ExtractionSyntax
    let name: String
    /// The declared type; nil for that of the reply's model.
    let type: Value?
    /// Whether the declared type, or the name of its key, is that of a secret.
    let isSensitive: Bool
}

/// Resolves the names and the declared types of extractions.
extension Resolver {
    mutating func extractions(
        _ syntax: MethodSyntax, apiName: String, prefix: String, dates: DateForm,
        nested: inout [Model]
    ) -> [ResolvedExtraction] {
        var result: [ResolvedExtraction] = []
        for item in syntax.extractions {
            DocumentationChecker.check(item.documentation, into: &bag)
            let name = namer.valueName(
                item.name, given: nil, reserved: ["self", "Type", "Self", "init"],
                help: "choose another name", into: &bag)
            let context = TypeContext(
                place: .reply, key: item.name.value, span: item.name.span, parent: "",
                prefix: prefix, part: "\(apiName).\(item.name.value)", dates: dates)
            var type: Value?
            if let declared = item.type {
                type = value(declared, in: context, nested: &nested)
                if type == nil { continue }
            }
            guard let name else { continue }
            result.append(
                ResolvedExtraction(
                    syntax: item, name: name, type: type, isSensitive: isSensitive(item)))
        }
        return result
    }

    private func isSensitive(_ syntax: ExtractionSyntax) -> Bool {
        guard let type = syntax.type, case .key(let key)? = syntax.path.value.last(where: \.isKey)
        else { return false }
        return sensitivity.isSensitive(
            ParameterSyntax(
                key: Located(key, at: syntax.path.span), type: type))
    }
}

extension PathStep {
    /// Whether it is the member of an object.
    var isKey: Bool { if case .key = self { true } else { false } }
}

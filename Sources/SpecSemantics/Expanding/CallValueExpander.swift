import SpecDiagnostics
import SpecSyntax

/// Gives each method the values that name it or its call: `$method.name` and `$call.id`. A common
/// parameter with such a value becomes a parameter of every method that it is sent with.
enum CallValueExpander {
    static func expand(_ spec: inout Spec, into bag: inout DiagnosticBag) {
        let common = take(from: &spec.api)
        for index in spec.groups.indices {
            let own = spec.groups[index].parameters
            let group = own.filter(\.namesCall)
            spec.groups[index].parameters = own.filter { !$0.namesCall }
            let overridden = Set(own.map(\.identity))
            let api = common.filter { !overridden.contains($0.identity) }
            let name = spec.groups[index].name
            for place in spec.groups[index].methods.indices {
                spec.groups[index].methods[place].takeValues(
                    group: group, api: api, in: name, into: &bag)
            }
        }
    }

    /// Removes the parameters of the API that differ from call to call.
    private static func take(from api: inout APISyntax?) -> [ParameterSyntax] {
        guard let all = api?.parameters else { return [] }
        api?.parameters = all.filter { !$0.namesCall }
        return all.filter(\.namesCall)
    }
}

extension ParameterSyntax {
    /// Whether it is a constant like `$method.name`, with any name of the two kinds.
    fileprivate var namesCall: Bool { callWord != nil }

    /// Whether it sends the name of the method.
    fileprivate var isMethodName: Bool { callWord?.text == CallValueSyntax.methodName }

    private var callWord: YAMLNode? {
        guard let constant = type.attributes.constant, constant.isPlain,
            ["$method", "$call"].contains(constant.text.prefix { $0 != "." })
        else { return nil }
        return constant
    }

    /// Replaces the word with what it means.
    fileprivate mutating func replaceWord(method name: String, into bag: inout DiagnosticBag) {
        guard let node = callWord else { return }
        type.attributes.location = nil
        switch node.text {
        case CallValueSyntax.methodName: callValue = .text(name)
        case CallValueSyntax.id: callValue = .callID
        default:
            bag.report(
                .badCallValue, "`\(node.text.prefix(60))` is no value of a call", at: node.span,
                help: didYouMean(node.text, among: CallValueSyntax.words).map {
                    "did you mean `\($0)`?"
                } ?? "write `$method.name` or `$call.id`; a text that begins like this needs quotes"
            )
            // An error in its place is enough.
            callValue = .text(name)
        }
    }
}

extension MethodSyntax {
    fileprivate mutating func takeValues(
        group: [ParameterSyntax], api: [ParameterSyntax], in groupName: String,
        into bag: inout DiagnosticBag
    ) {
        let own = Set(parameters.map(\.identity))
        // An address that the caller passes has its own query, so it gets none of the API's.
        let names = PathSyntax.placeholders(of: wholePath?.value ?? "")
        let isAddress = names.count == 1 && wholePath?.value == "{\(names[0])}"
        let common = (isAddress ? api.filter { $0.location == .header } : api) + group
        parameters = common.filter { !own.contains($0.identity) } + parameters
        if let call = procedure.call, wholePath != nil, !parameters.contains(where: \.isMethodName)
        {
            bag.report(
                .badProcedure, "no value of the request is `$method.name`", at: call,
                help: "send the name: `method: { const: $method.name }`, or remove `call`")
        }
        let name = procedure.name?.value ?? MethodSyntax.fullName(self.name.value, in: groupName)
        for index in parameters.indices { parameters[index].replaceWord(method: name, into: &bag) }
    }
}

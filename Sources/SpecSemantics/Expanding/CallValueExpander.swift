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
    /// Whether it is a constant like `$method.name` or `v1.$method.name`, with any name of the two
    /// kinds.
    fileprivate var namesCall: Bool { callWord != nil }

    /// Whether it sends the name of the method, alone or in a longer text.
    fileprivate var isMethodName: Bool {
        callWord?.text.contains(CallValueSyntax.methodName) == true
    }

    private var callWord: YAMLNode? {
        guard let constant = type.attributes.constant, constant.isPlain,
            ["$method", "$call"].contains(constant.text)
                || !CallReference.all(in: constant.text).isEmpty
        else { return nil }
        return constant
    }

    /// Replaces the word with what it means.
    fileprivate mutating func replaceWord(method name: String, into bag: inout DiagnosticBag) {
        guard let node = callWord else { return }
        type.attributes.location = nil
        // The reader of literals reports it.
        if CredentialReference(node.text) != nil { return }
        if node.text == CallValueSyntax.id {
            callValue = .callID
            return
        }
        callValue = .text(node.text.replacing(CallValueSyntax.methodName, with: name))
        let references = CallReference.all(in: node.text)
        let wrong = references.first { $0.text != CallValueSyntax.methodName }
        guard wrong != nil || references.isEmpty else { return }
        let text = String(wrong?.text ?? node.text.prefix(60))
        let place = wrong.map { node.place(ofText: $0.place) } ?? node.span
        if text == CallValueSyntax.id {
            bag.report(
                .badCallValue, "`\(text)` cannot be a part of a text", at: place,
                help: "make it the whole constant: `{ const: \(text) }`; in quotes, it is only text"
            )
            return
        }
        bag.report(
            .badCallValue, "`\(text)` is no value of a call", at: place,
            help: didYouMean(text, among: CallValueSyntax.words)
                ?? "write `$method.name` or `$call.id`; a text that looks like this needs quotes")
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

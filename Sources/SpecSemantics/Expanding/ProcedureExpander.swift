import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Makes procedure calls ordinary methods: a `post` whose JSON body names the procedure, and whose
/// reply has the value under `result` or the refusal under `error` (JSON-RPC 2.0 §4, §5).
enum ProcedureExpander {
    static func expand(_ spec: inout Spec, into bag: inout DiagnosticBag) {
        spec.api?.settings.addErrorsOfProcedures()
        guard let api = spec.api else { return }
        for index in spec.groups.indices {
            spec.groups[index].settings.addErrorsOfProcedures()
            let group = spec.groups[index]
            let setting = group.settings.procedures ?? api.settings.procedures
            for place in group.methods.indices {
                let method = group.methods[place]
                if method.verb == nil, let rpc = setting, rpc.value != nil {
                    checkBody(method, rpc.span, into: &bag)
                    let cascade = SettingsCascade(api, group: group, method: method)
                    spec.groups[index].methods[place] = expanded(
                        method, in: group.name, cascade, into: &bag)
                } else {
                    checkPlain(method, isCallable: setting?.value != nil, into: &bag)
                }
            }
        }
    }

    // MARK: Checks

    /// Checks a method that is no procedure call.
    private static func checkPlain(
        _ method: MethodSyntax, isCallable: Bool, into bag: inout DiagnosticBag
    ) {
        let syntax = method.procedure
        let call = syntax.call.flatMap { method.verb == nil ? Located("call", at: $0) : nil }
        if let key = syntax.first ?? call {
            let query = key.value == "params" ? "; query items stand under `query`" : ""
            bag.report(
                .badProcedure, "`\(key.value)` belongs to a procedure call", at: key.span,
                notes: method.verb.map { [Diagnostic.Note("the verb is here", at: $0.span)] } ?? [],
                help: isCallable
                    ? "remove the verb: a call is sent to the shared path with `post`\(query)"
                    : "name the protocol in `api.yaml` or the group: `rpc: json-rpc-2.0`\(query)")
        } else if method.verb == nil {
            bag.report(
                .missingVerb, "method `\(method.name.value)` has no HTTP verb",
                at: method.name.span,
                help: "add the verb and the path: `get: path`, `post: path`, …, or another verb: "
                    + "`method: PROPFIND path`")
        }
        if let wrapper = method.wrapper, syntax.arguments == nil, method.bodyKey?.value != .json {
            bag.report(
                .attributeDoesNotApply, "`wrap` does not apply here", at: wrapper.key.span,
                help: "it puts the members of a JSON body under a key: declare them under `json`")
        }
    }

    /// Checks that a call has no body but the call.
    private static func checkBody(
        _ method: MethodSyntax, _ rpc: Span, into bag: inout DiagnosticBag
    ) {
        let wrap = method.procedure.arguments == nil ? method.wrapper?.key : nil
        guard
            let key = method.bodyKey.map({ $0.word }) ?? wrap.map({ Located("wrap", at: $0.span) })
        else { return }
        bag.report(
            .badProcedure, "the body of a procedure call is the call itself", at: key.span,
            notes: [Diagnostic.Note("the protocol is named here", at: rpc)],
            help: "write `params` in place of `\(key.value)`; a method that is no call has a verb")
    }

    // MARK: Expansion

    private static func expanded(
        _ method: MethodSyntax, in group: String, _ cascade: SettingsCascade,
        into bag: inout DiagnosticBag
    ) -> MethodSyntax {
        let place = method.name.span
        var call = method
        call.verb = Located(.post, at: place)
        call.path = Located("", at: place)
        call.bodyKey = Located(.json, at: place)
        call.body = nil
        call.procedure.call = nil
        let name =
            method.procedure.name?.value
            ?? MethodSyntax.fullName(method.name.value, in: group)
        let others = method.parameters.filter { ![.form, .part].contains($0.location) }
        call.parameters =
            [member("jsonrpc", .text("2.0"), at: place), member("method", .text(name), at: place)]
            + others
        if let notification = method.procedure.notification {
            if let returns = method.returns, returns.name != "nothing" {
                bag.report(
                    .badProcedure, "a notification has no reply", at: returns.span,
                    notes: [Diagnostic.Note("`notify` is here", at: notification)],
                    help: "remove `returns`, or `notify`")
            }
            return call
        }
        call.parameters.append(member("id", .callID, at: place))
        call.settings.add(replyTo: cascade, at: place)
        return call
    }

    private static func member(
        _ key: String, _ value: CallValueSyntax, at place: Span
    ) -> ParameterSyntax {
        var member = ParameterSyntax(
            key: Located(key, at: place), location: .json,
            type: TypeSyntax(.named("string"), at: place))
        member.callValue = value
        return member
    }
}

extension SettingsSyntax {
    /// Adds the place of refusals (JSON-RPC 2.0 §5.1) where a protocol is named, unless it is set.
    fileprivate mutating func addErrorsOfProcedures() {
        guard let procedures, procedures.value != nil else { return }
        var errors = errors ?? ErrorsSyntax(span: procedures.span)
        if errors.at == nil { errors.at = Located([PathStep.key("error")], at: errors.span) }
        if errors.code == nil { errors.code = Located(["code"], at: errors.span) }
        if errors.message == nil { errors.message = Located([["message"]], at: errors.span) }
        self.errors = errors
    }

    /// Adds where a reply has its value and the id of its call. What the method sets itself stays;
    /// `unwrap` begins at the result.
    fileprivate mutating func add(replyTo cascade: SettingsCascade, at place: Span) {
        unwrap = Located(
            [.key("result")] + (cascade.unwrap?.value ?? []),
            at: unwrap?.span ?? place)
        var success = success ?? SuccessSyntax(span: place)
        if success.absent == nil { success.absent = Located(["error"], at: place) }
        let id = SuccessConditionSyntax(
            path: Located(["id"], at: place), values: [Located(.callID, at: place)])
        success.conditions = Located(
            (cascade.conditions?.value ?? []) + [id], at: success.conditions?.span ?? place)
        self.success = success
    }
}

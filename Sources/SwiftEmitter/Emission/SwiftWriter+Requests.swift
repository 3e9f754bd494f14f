import SpecIR

/// Writes the request builders that take arguments.
extension SwiftWriter {
    mutating func requests(_ group: Group, _ api: API) {
        line("/// Builds the requests of `\(SwiftLiteral.commentLines(group.apiName)[0])`.")
        block("nonisolated public enum \(group.names.requests)") { writer in
            for (index, method) in group.methods.enumerated() {
                if index > 0 { writer.line() }
                writer.code(of: method.apiName) { writer in
                    writer.builder(method, of: group, in: api)
                    writer.line()
                    writer.propertyBuilder(method)
                }
            }
        }
    }

    private mutating func builder(_ method: Method, of group: Group, in api: API) {
        line(
            "/// Builds `\(SwiftLiteral.commentLines(method.verb.name + " " + method.path).joined())`."
        )
        list(
            "\(method.access)static func \(SwiftLiteral.identifier(method.name))",
            method.arguments.map(\.localDeclaration) + method.destinationDeclaration,
            tail: " -> APIRequest<\(method.result)> {")
        indented { $0.expression("return ", $0.buildRequest(method, of: group, in: api)) }
        line("}")
    }

    /// Writes the statements that build a request.
    ///
    /// - Returns: The expression of the request.
    mutating func buildRequest(_ method: Method, of group: Group, in api: API) -> Layout {
        let request = method.fresh("request")
        let keyword = method.parameters.isEmpty && method.body != .json ? "let" : "var"
        expression("\(keyword) \(request) = ", method.newBuilder(in: api))
        for parameter in method.parameters where parameter.isReplaced {
            let name = parameter.local
            let keyword = parameter.fallback?.value == nil ? "let" : "var"
            line("\(keyword) \(name) = \(parameter.replaced(name))")
        }
        crossRules(
            method.rules, sent: true, checker: request,
            method.parameters.map { RuleTermEmitter.Operand($0) })
        for parameter in method.parameters {
            if let value = parameter.fallback?.value, let condition = method.fallback(parameter) {
                let literal = value.typed(parameter.value.type)
                let name = parameter.local
                let keyword = parameter.isReplaced ? "" : "let "
                line("\(keyword)\(name) = \(name) ?? (\(condition) ? \(literal) : nil)")
            }
        }
        for parameter in method.parameters where parameter.location != .json {
            send(
                parameter, expression: parameter.local, to: request,
                by: parameter.isWholeAddress(of: method.path) ? "address" : nil,
                if: method.fallback(parameter))
        }
        if method.body == .json { jsonBody(method, request) }
        let mapper = "\(group.names.mapper).\(SwiftLiteral.member(method.name))"
        return method.finishCall(on: request, mapper, of: api.name)
    }

    private mutating func jsonBody(_ method: Method, _ request: String) {
        let members = method.parameters.filter { $0.location == .json }
        closure("\(request).jsonObject { json in") { writer in
            for parameter in members where !parameter.isInWrapper && parameter.presence != .callID {
                writer.member(parameter)
            }
            if let wrapper = method.wrapper {
                writer.wrapped(members.filter(\.isInWrapper), in: wrapper)
            }
        }
        for parameter in members {
            if parameter.presence == .callID { callID(parameter, request) }
            guard case .credential(let key) = parameter.presence else { continue }
            let absent = ["\(parameter.local) == nil", method.fallback(parameter)].compactMap(
                \.self)
            block("if \(absent.joined(separator: ", "))") {
                $0.credentialMember(parameter, key: key, request: request)
            }
        }
    }

    /// Writes the members inside a wrapper.
    private mutating func wrapped(_ members: [Parameter], in wrapper: BodyWrapper) {
        line("json.key(\(SwiftLiteral.string(wrapper.key)))")
        line(wrapper.isList ? "json.beginPositions()" : "json.beginObject()")
        for parameter in members { member(parameter) }
        line(wrapper.isList ? "json.endArray()" : "json.endObject()")
    }

    /// Writes the call that adds the id of the call.
    private mutating func callID(_ parameter: Parameter, _ request: String) {
        var arguments = [
            SwiftLiteral.string(parameter.key), "in: .\(parameter.location.callIDPlace)",
        ]
        if parameter.value.type.isNumberInJSON { arguments.append("isInteger: true") }
        if parameter.isSensitive { arguments.append("sensitive: true") }
        list("\(request).callID", arguments)
    }

    private mutating func member(_ parameter: Parameter) {
        if parameter.presence == .constant(.null) {
            line("json.key(\(SwiftLiteral.string(parameter.key)))")
            line("json.null()")
            return
        }
        let name =
            switch parameter.presence {
            case .constant(let literal): literal.typed(parameter.value.type)
            default: parameter.local
            }
        let value = parameter.value
        writeField(
            parameter.key, value: value,
            expression: value.isNullable && !parameter.isWrapped ? "Nullable(\(name))" : name,
            checked: parameter.isWrapped ? name + "?.optional" : name,
            isSensitive: parameter.isSensitive)
    }

    /// Writes the call for a member with a credential value.
    private mutating func credentialMember(
        _ parameter: Parameter, key: String, request: String
    ) {
        var arguments = [
            SwiftLiteral.string(parameter.key), "orCredential: \(SwiftLiteral.string(key))",
        ]
        if parameter.value.type.isNumberInJSON { arguments.append("isNumber: true") }
        if case .list = parameter.value.type { arguments.append("isList: true") }
        if parameter.isSensitive { arguments.append("sensitive: true") }
        list("\(request).member", arguments)
    }

    /// Writes the call that adds a parameter to a request, and the checks of its value.
    ///
    /// - Parameters:
    ///   - function: The function of `RequestBuilder`; nil for that of the location.
    ///   - fallback: The condition under which the credential's value is sent; nil for always.
    mutating func send(
        _ parameter: Parameter, expression: String, to request: String,
        by function: String? = nil, if fallback: String? = nil
    ) {
        // Text has no null.
        if parameter.presence == .constant(.null) { return }
        if parameter.presence == .callID { return callID(parameter, request) }
        var expression = expression
        if case .constant(let literal) = parameter.presence {
            expression = literal.typed(parameter.value.type)
        }
        if parameter.location == .body {
            wholeBody(parameter, expression: expression, request: request)
            return
        }
        let call = "\(request).\(function ?? parameter.location.function)"
        let tail = parameter.sentOptions(fallback)
        let value = parameter.sentExpression(expression)
        if parameter.isKnownCase {
            line("\(call)(\(SwiftLiteral.string(parameter.key)), known: \(value))")
            return
        }
        if parameter.value.type.isWrittenByClosure, parameter.files == nil {
            line("\(call)(")
            indented { writer in
                let opening = "JSONFragment(\(value)) { json, value in"
                writer.line("\(SwiftLiteral.string(parameter.key)),")
                writer.line(opening)
                writer.indented { $0.writeValue(parameter.value, "value") }
                let last = "}, \(tail.joined(separator: ", ")))"
                if tail.isEmpty {
                    writer.line("})")
                } else if writer.fits(last) {
                    writer.line(last)
                } else {
                    writer.line("},")
                    writer.line(String(last.dropFirst(3)))
                }
            }
        } else {
            var arguments = [SwiftLiteral.string(parameter.key), parameter.sentText(value)]
            let rule = tail.isEmpty && function == nil ? parameter.rule(in: self) : nil
            arguments += rule.map { [$0] } ?? tail
            line("\(call)(\(arguments.joined(separator: ", ")))")
            if rule != nil { return }
        }
        if case .constant = parameter.presence { return }
        sentChecks(parameter.value, checker: request, expression: value)
        if let file = parameter.files, !file.rules(sent: true).isEmpty {
            let list = parameter.swift?.hasSuffix("?") == true ? value + " ?? []" : value
            block("for file in \(list)") {
                $0.sentChecks(file, checker: request, expression: "file")
            }
        }
    }

    private mutating func wholeBody(
        _ parameter: Parameter, expression: String, request: String
    ) {
        let tail = parameter.isSensitive ? ", sensitive: true" : ""
        let type = parameter.textType.map {
            $0 == "text/plain; charset=utf-8" ? "" : ", type: \(SwiftLiteral.string($0))"
        }
        switch parameter.value.type {
        case _ where type != nil:
            line("\(request).text(\(expression)\(type ?? "")\(tail))")
        case .bytes: line("\(request).bytes(\(expression)\(tail))")
        case .file: line("\(request).file(\(expression)\(tail))")
        default:
            if parameter.presence == .optional {
                block("if let \(expression)") {
                    $0.wholeJSON(parameter, expression: expression, request: request)
                }
            } else {
                wholeJSON(parameter, expression: expression, request: request)
            }
        }
        sentChecks(
            parameter.value, checker: request,
            expression: parameter.isWrapped ? expression + "?.optional" : expression)
    }

    private mutating func wholeJSON(
        _ parameter: Parameter, expression: String, request: String
    ) {
        let options = parameter.isSensitive ? "(sensitive: true)" : ""
        closure("\(request).json\(options) { json in") { writer in
            if parameter.value.isNullable {
                let value = parameter.isWrapped ? " = \(expression).optional" : ""
                writer.line("guard let \(expression)\(value) else { return json.null() }")
            }
            writer.writeValue(parameter.value, expression)
        }
    }
}

extension Parameter {
    /// The rules of the parameter as an argument of the call that adds it; nil if they need
    /// statements. A constant has none.
    fileprivate func rule(in writer: SwiftWriter) -> String? {
        if case .constant = presence { return nil }
        return sentText("") == "" ? writer.ruleArgument(value, sent: true) : nil
    }
}

extension Method {
    /// The condition under which the default of a parameter holds; nil if it always does.
    fileprivate func fallback(_ parameter: Parameter) -> String? {
        guard let fallback = parameter.fallback else { return nil }
        let others = parameters.filter { fallback.unless.contains($0.name) }
        return others.map { "\($0.local) == nil" }.joined(separator: " && ")
    }

    /// The call that begins the request.
    fileprivate func newBuilder(in api: API) -> Layout {
        let (place, rules) = (placeArguments, ruleArguments(in: api))
        // The shorter form generates much less code.
        return .call(
            "RequestBuilder",
            [.string("", apiName)] + (rules.isEmpty ? place : [endpoint("", in: api)]))
    }

    /// The endpoint with its rules, behind a label.
    func endpoint(_ label: String, in api: API) -> Layout {
        .call("\(label)Endpoint", placeArguments + ruleArguments(in: api))
    }

    private var placeArguments: [Layout] {
        let name = verb.isKey ? verb.rawValue : "other(\(SwiftLiteral.string(verb.name)))"
        return [.text(".\(name)"), .string("", path)]
    }

    private func ruleArguments(in api: API) -> [Layout] {
        var rules: [Layout] = []
        if let server { rules.append(.text("server: \(SwiftLiteral.string(server))")) }
        // Without a token of the API, no method carries one.
        if api.auth != nil || !api.schemes.isEmpty, let auth = auth.layout { rules.append(auth) }
        if let expiry { rules.append(.array("expired: ", expiry.map(\.layout))) }
        if let timeouts { rules.append(timeouts.layout) }
        if let session = session.layout { rules.append(session) }
        if let reply { rules.append(reply.layout("reply: ")) }
        if let errors, errors.layout.flat != api.errors?.layout.flat { rules.append(errors.layout) }
        if let login { rules.append(login.layout) }
        if let operation = operation.layout { rules.append(operation) }
        if let validation { rules.append(validation.layout) }
        return rules
    }
}

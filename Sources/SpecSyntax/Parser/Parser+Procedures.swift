import SpecDiagnostics

/// Parses the keys of procedure calls and those of bodies.
extension Parser {
    /// `rpc: json-rpc-2.0`, or `none`
    mutating func procedureProtocol(_ node: YAMLNode) -> Located<ProcedureProtocol?>? {
        if node.isPlain, node.text == "none" { return Located(nil, at: node.span) }
        let word: Located<ProcedureProtocol>? = word(
            node, expecting: "a protocol of procedure calls", or: "none")
        return word.map { Located($0.value, at: $0.span) }
    }

    /// Reads `call`, `params`, `notify`, `wrap` or `content-type`. Returns whether the key is one
    /// of them.
    mutating func procedure(
        _ key: String, at entry: YAMLEntry, into method: inout MethodSyntax
    ) -> Bool {
        switch key {
        case "call":
            method.procedure.name = text(entry.value, expecting: "the name of a procedure")
            method.procedure.call = entry.key.span
            return true
        case "params": arguments(entry, into: &method)
        case "notify":
            if flag(entry.value, for: "`notify`") == true {
                method.procedure.notification = entry.key.span
            }
        case "wrap" where method.procedure.arguments != nil:
            reportConflict(entry.key.located, with: Located("params", at: entry.key.span))
            return true
        case "content-type":
            method.contentType = bodyType(entry.value)
            return true
        case "wrap":
            method.wrapper = text(entry.value, expecting: "a key").map { WrapperSyntax(key: $0) }
            return true
        default: return false
        }
        if method.procedure.first == nil { method.procedure.first = entry.key.located }
        return true
    }

    /// `content-type: application/merge-patch+json`
    private mutating func bodyType(_ node: YAMLNode) -> Located<String>? {
        guard let text = text(node, expecting: "a media type") else { return nil }
        let type = text.value.prefix { $0 != ";" }
        let isValue = text.value.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }
        if Self.isMediaType(String(type)), !type.contains("*"), isValue { return text }
        bag.report(
            .notAllowed, "`\(text.value.prefix(60))` is not the media type of a body",
            at: text.span,
            help: "write a type and a subtype: `application/merge-patch+json` (RFC 9110 §8.3.1)")
        return nil
    }

    /// `params`: a mapping is sent by name, a list by position, and a type is the whole value.
    private mutating func arguments(_ entry: YAMLEntry, into method: inout MethodSyntax) {
        let key = entry.key.located
        method.procedure.arguments = entry.key.span
        if let wrapper = method.wrapper {
            reportConflict(key, with: Located("wrap", at: wrapper.key.span))
        }
        switch entry.value.kind {
        case .scalar where entry.value.isNull: break
        case .scalar:
            let type = type(entry.value)
            method.parameters.append(ParameterSyntax(key: key, location: .json, type: type))
            return
        case .mapping:
            method.parameters += wrapped(parameters(entry.value, of: "params", in: .json))
        case .sequence:
            for item in entry.value.items {
                guard item.kind == .mapping, item.entries.count == 1 else {
                    reportKind(
                        item, expected: "a parameter with its name",
                        help: "write `- id: int` for each; to send a list of values as a whole, "
                            + "quote its type: `params: \"[int]\"`")
                    continue
                }
                method.parameters += wrapped(parameters(item, of: "params", in: .json))
            }
        }
        method.wrapper = WrapperSyntax(key: key, isList: entry.value.kind == .sequence)
    }

    private func wrapped(_ parameters: [ParameterSyntax]) -> [ParameterSyntax] {
        parameters.map {
            var parameter = $0
            parameter.isInWrapper = true
            return parameter
        }
    }
}

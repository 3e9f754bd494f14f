import HTTPTypes
import TelexJSON

/// What of a request no redirect may carry to another origin.
extension RequestTemplate {
    /// The header fields that hold secrets: those that are called sensitive, those whose name says
    /// so, those from the credential, and the one with the token.
    func secretFields(_ placement: AuthRules.Placement?) -> Set<HTTPField.Name> {
        let secret = headers.filter {
            $0.isSecretInHeader || $0.credentialKey != nil
        }
        var names = Set(secret.compactMap { HTTPField.Name($0.name) })
        switch placement {
        case .header(let name, _): if let name = HTTPField.Name(name) { names.insert(name) }
        case .cookie: names.insert(.cookie)
        default: break
        }
        return names
    }

    /// Whether the body holds something that only its first receiver may see: because it is called
    /// sensitive, or because its name says so.
    var hasSensitiveBody: Bool {
        if isBodySensitive || hasSecretMember { return true }
        if case .json(_, let ranges) = body, !ranges.isEmpty { return true }
        return formFields.contains(where: \.isHidden)
    }

    /// Whether the body holds a secret, were it sent on just as it is: something sensitive, or a
    /// value of the credential.
    func hasSecretBody(_ placement: AuthRules.Placement?, _ credential: Credential?) -> Bool {
        if hasSensitiveBody { return true }
        switch placement {
        case .form, .json, .body: if credential != nil { return true }
        default: break
        }
        return form.contains { field in
            guard case .field(let field) = field else { return false }
            let pairs = field.pairs(credential)
            return field.credentialKey != nil && !pairs.isEmpty
                || pairs.contains { Redactor.isSuspicious(formName: $0.name) }
        }
    }

    /// Whether a member of a JSON body has the name of a secret. A body that cannot be looked
    /// through counts as if one had.
    private var hasSecretMember: Bool {
        guard case .json(let bytes, _) = body else { return false }
        return JSONReader.value(at: [], in: bytes).map(Self.hasSecretMember) ?? true
    }

    private static func hasSecretMember(_ value: JSONValue) -> Bool {
        switch value {
        case .array(let values): values.contains(where: hasSecretMember)
        case .object(let object):
            object.members.contains {
                Redactor.isSuspicious($0.key) || hasSecretMember($0.value)
            }
        case .null, .bool, .int, .number, .string: false
        }
    }
}

extension TransportRequest {
    /// The request of a call, with what its transport has to know if the system carries it out and
    /// follows redirects by itself.
    func guarded(_ call: Call, _ credential: Credential?) -> TransportRequest {
        guard session.isBackground else { return self }
        var request = self
        request.hasSecretBody =
            body != nil && call.template.hasSecretBody(call.placement, credential)
        request.secretFields = call.template.secretFields(call.placement)
        request.secretFields.remove(.authorization)
        return request
    }
}

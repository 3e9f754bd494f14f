import HTTPTypes
import TelexCredentials
import TelexInspection
import TelexJSON
import TelexTransport

/// Determines the parts of a request that a redirect must not carry to another origin.
extension RequestTemplate {
    /// Returns the header fields that contain secrets: those declared sensitive, those with a
    /// secret name, those with values of the credential, and the one with the token.
    package func secretFields(_ placement: AuthRules.Placement?) -> Set<HTTPField.Name> {
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

    /// Whether the body contains a value that only the first origin may receive, because it is
    /// declared sensitive or has a secret name.
    package var hasSensitiveBody: Bool {
        if isBodySensitive || hasSecretMember { return true }
        if case .json(_, let ranges) = body, !ranges.isEmpty { return true }
        return formFields.contains(where: \.isHidden)
    }

    /// Whether the body, sent on unchanged, would contain a secret: something sensitive, or a value
    /// of the credential.
    package func hasSecretBody(_ placement: AuthRules.Placement?, _ credential: Credential?) -> Bool
    {
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

    /// Whether a member of a JSON body has a secret name. A body that cannot be parsed counts as
    /// having one.
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

import HTTPTypes
import TelexCredentials
import TelexInspection
import TelexJSON
import TelexTransport

extension RequestTemplate {
    /// Returns the header fields, with the token if it belongs there.
    ///
    /// - Throws: A violation if the token or a value of the credential is invalid in a header.
    package func fields(
        _ placement: AuthRules.Placement?, _ credential: Credential?
    ) throws(Violation) -> HTTPFields {
        var fields = HTTPFields()
        // Room for the token and `Accept`, too: each growth copies the list.
        fields.reserveCapacity(headers.count + 2)
        for field in headers {
            guard let name = HTTPField.Name(field.name) else { continue }
            for pair in field.pairs(credential) {
                // The credential's values come from outside. The caller's values were checked when
                // they were set.
                guard field.credentialKey == nil || HTTPField.isValidValue(pair.value) else {
                    throw Violation(
                        path: field.name, rule: "header",
                        expected: RequestBuilder.headerValue,
                        found: Redactor.mark)
                }
                fields.append(HTTPField(name: name, value: pair.value))
            }
        }
        guard let credential, let (name, value) = try Self.tokenField(placement, credential.token)
        else { return fields }
        try Self.check(credential.token, in: name, value)
        if name == .cookie, let cookies = fields[.cookie] {
            fields[.cookie] = "\(cookies); \(value)"
        } else {
            if fields.contains(name) { fields[name] = nil }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }

    /// Throws a violation if a token cannot be sent in a header field.
    ///
    /// - Parameter value: The value of the field, which contains the token.
    package static func check(
        _ token: String, in name: HTTPField.Name, _ value: String
    ) throws(Violation) {
        guard HTTPField.isValidValue(value) else {
            throw Violation(
                path: name.rawName, rule: "token", expected: "a token that can be in a header",
                found: Redactor.mark)
        }
        // Text after a semicolon would be another cookie (RFC 6265, section 4.2.1).
        guard name != .cookie || !token.utf8.contains(UInt8(ascii: ";")) else {
            throw Violation(
                path: name.rawName, rule: "token", expected: "a token without semicolons",
                found: Redactor.mark)
        }
    }

    /// Returns the header field that carries the token; nil if it goes elsewhere.
    static func tokenField(
        _ placement: AuthRules.Placement?, _ token: String
    ) throws(Violation) -> (HTTPField.Name, String)? {
        switch placement {
        case .bearer: return (.authorization, "Bearer \(token)")
        case .cookie(let name): return (.cookie, "\(name)=\(token)")
        case .header(let text, let prefix):
            // With an invalid name, the call fails instead of being sent without its token.
            guard let name = HTTPField.Name(text) else {
                throw Violation(
                    path: text, rule: "token", expected: "the name of a header field", found: text)
            }
            let isJoined = prefix.isEmpty || prefix.last == " "
            return (name, isJoined ? prefix + token : "\(prefix) \(token)")
        default: return nil
        }
    }

    /// Returns the query parameter that carries the token; nil if it goes elsewhere.
    package static func tokenItem(
        _ placement: AuthRules.Placement?, _ credential: Credential?
    ) -> String? {
        guard case .query(let name) = placement, let token = credential?.token else { return nil }
        return "\(PercentEncoding.component(name))=\(PercentEncoding.component(token))"
    }
}

import HTTPTypes
import TelexCredentials
import TelexInspection
import TelexJSON
import TelexTransport

extension RequestTemplate {
    /// A body and its media type.
    package struct Payload: Sendable {
        package var body: RequestBody
        package var type: String
    }

    /// Returns the body, with the token if it belongs there and with values of the credential.
    ///
    /// - Parameter boundary: The boundary between the parts of a multipart body.
    /// - Throws: A violation if a file cannot be read, the token has no place in the body, or a
    ///   value of the credential cannot be sent as an integer.
    package func payload(
        placement: AuthRules.Placement?, credential: Credential?,
        boundary: @autoclosure () -> String = Multipart.randomBoundary()
    ) throws(Violation) -> Payload? {
        let token = credential.flatMap { bodyToken(placement, $0) }
        switch body {
        case .json(let bytes, _):
            return Payload(
                body: .bytes(try json(bytes, token: token, credential: credential)), type: Self.json
            )
        case .bytes(let bytes, let type): return Payload(body: .bytes(bytes), type: type)
        case .file(let file): return try payload(file)
        case .none: break
        }
        if case .json = placement, form.isEmpty, token != nil {
            return Payload(
                body: .bytes(try json([], token: token, credential: nil)), type: Self.json)
        }
        var fields = form
        if let token { fields.append(.field(token)) }
        if isMultipart {
            return try multipart(fields, credential: credential, boundary: boundary())
        }
        return fields.isEmpty ? nil : urlEncoded(fields, credential)
    }

    private static var json: String { "application/json" }

    /// Returns the token as a field of the body; nil if it belongs elsewhere.
    func bodyToken(
        _ placement: AuthRules.Placement?, _ credential: Credential
    ) -> RequestField? {
        switch placement {
        case .form(let name), .json(let name), .body(let name):
            RequestField(name: name, content: .text(credential.token), isSensitive: true)
        default: nil
        }
    }

    /// Inserts the token and values of the credential at the beginning of a JSON object.
    private func json(
        _ bytes: [UInt8], token: RequestField?, credential: Credential?
    ) throws(Violation) -> [UInt8] {
        guard let added = try members(token, credential) else { return bytes }
        guard bytes.isEmpty || bytes.first == UInt8(ascii: "{") else {
            throw Violation(
                path: token?.name ?? "body", rule: "token",
                expected: "a JSON object to put the token in", found: "another value")
        }
        if bytes.isEmpty || bytes.elementsEqual("{}".utf8) { return added.bytes }
        return added.bytes.dropLast() + [UInt8(ascii: ",")] + bytes.dropFirst()
    }

    /// Returns the token and the credential's values as a JSON object; nil if there are none.
    package func members(
        _ token: RequestField?, _ credential: Credential?
    ) throws(Violation) -> JSONWriter? {
        var json = JSONWriter()
        json.beginObject()
        var isEmpty = true
        for field in (token.map { [$0] } ?? []) + formFields {
            for pair in field.pairs(credential) {
                isEmpty = false
                json.key(pair.name, sensitive: field.isSecret)
                if field.isList {
                    json.beginArray()
                    json.beginElement()
                }
                if field.isNumber {
                    json.number(try integer(pair.value, field))
                } else {
                    json.value(pair.value)
                }
                if field.isList { json.endArray() }
            }
        }
        json.endObject()
        if isEmpty { return nil }
        return json
    }

    /// Returns an integer in digits. The credential's values come from outside, so other text is an
    /// error.
    private func integer(_ text: String, _ field: RequestField) throws(Violation) -> String {
        if let digits = Int64(text)?.description ?? UInt64(text)?.description { return digits }
        throw Violation(
            path: field.name, rule: "type",
            expected: "an integer as the value `\(field.credentialKey ?? "")` of the credential",
            found: Redactor.mark)
    }

    private func payload(_ file: UploadFile) throws(Violation) -> Payload {
        switch try part(file) {
        case .bytes(let bytes): Payload(body: .bytes(bytes), type: file.type)
        case .file(let path, let length):
            Payload(body: .file(path: path, length: length), type: file.type)
        case .stream(let length, let next):
            Payload(body: .stream(length: length, next: next), type: file.type)
        }
    }

    private func part(_ file: UploadFile) throws(Violation) -> RequestBody.Part {
        if let length = file.stream?.length, length < 0 {
            throw Violation(
                path: file.name, rule: "file", expected: "a stream of 0 bytes or more",
                found: "\(length)")
        }
        if let part = file.part { return part }
        if file.stream != nil {
            throw Violation(
                path: file.name, rule: "file", expected: "a stream that has not been read",
                found: "a stream that has been read; \(UploadStream.remedy)")
        }
        throw Violation(
            path: file.name, rule: "readable", expected: "a file that can be read",
            found: file.problem ?? "none")
    }

    private func urlEncoded(_ fields: [FormField], _ credential: Credential?) -> Payload {
        var items = ""
        for case .field(let field) in fields {
            field.add(to: &items, credential: credential, encode: PercentEncoding.form)
        }
        return Payload(
            body: .bytes(Array(items.utf8)),
            type: "application/x-www-form-urlencoded")
    }

    private func multipart(
        _ fields: [FormField], credential: Credential?, boundary: String
    ) throws(Violation) -> Payload {
        var parts: [Multipart.Part] = []
        for field in fields {
            switch field {
            case .field(let field):
                parts += field.pairs(credential).map {
                    Multipart.Part(
                        name: $0.name, type: field.isJSON ? Self.json : nil,
                        content: .bytes(Array($0.value.utf8)))
                }
            case .file(let name, let file):
                parts.append(
                    Multipart.Part(
                        name: name, fileName: file.name, type: file.type, content: try part(file)))
            }
        }
        let multipart = Multipart(parts, boundary: boundary)
        return Payload(body: multipart.body, type: multipart.type)
    }
}

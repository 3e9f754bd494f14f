import TelexInspection
import TelexTransport

extension RecordMaker {
    package func body(_ body: RequestBody, type: String?) -> RequestBodyRecord {
        RequestBodyRecord(
            type: type.map(redactor.redact), size: body.length, parts: parts(body, type: type),
            text: text(body, type))
    }

    /// Returns the form fields of the template if the sent body is made from them.
    private func parts(_ body: RequestBody, type: String?) -> [BodyPartRecord] {
        switch (body, template.body) {
        case (.parts, .none) where template.isMultipart: return multipart
        case (.bytes(let bytes), .none) where template.isMultipart:
            return isOwn(bytes, type) ? multipart : []
        case (.bytes(let bytes), .none) where !template.form.isEmpty: return pairs(bytes)
        default: return []
        }
    }

    private var multipart: [BodyPartRecord] {
        let token = credential.flatMap { template.bodyToken(placement, $0) }
        return template.form.flatMap(parts)
            + (token.map { [BodyPartRecord(name: $0.name, value: Redactor.mark)] } ?? [])
    }

    /// Whether the body is made by the template and not replaced by an interceptor.
    private func isOwn(_ bytes: [UInt8], _ type: String?) -> Bool {
        guard mayBeChanged else { return true }
        let boundary = type.map(Multipart.boundary) ?? ""
        guard
            let own = try? template.payload(
                placement: placement, credential: credential, boundary: boundary),
            case .bytes(let made) = own.body
        else { return false }
        return made == bytes
    }

    private func parts(_ field: RequestTemplate.FormField) -> [BodyPartRecord] {
        switch field {
        case .file(let name, let file):
            return [
                BodyPartRecord(
                    name: redactor.redact(name), fileName: redactor.redact(file.name),
                    type: redactor.redact(file.type))
            ]
        case .field(let field):
            guard !field.isSecret else {
                return [BodyPartRecord(name: field.name, value: Redactor.mark)]
            }
            return field.pairs(credential).map {
                BodyPartRecord(name: $0.name, value: $0.value, redactedBy: redactor)
            }
        }
    }

    /// Returns the fields of a form as sent, including the token. Of fields that an interceptor has
    /// added, only the names are shown.
    private func pairs(_ bytes: [UInt8]) -> [BodyPartRecord] {
        let shown = shownFields
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(separator: "&").map { item in
            let name = PercentEncoding.decodeForm(item.prefix { $0 != "=" })
            let value = item.drop { $0 != "=" }.dropFirst()
            return shown.contains(name)
                ? BodyPartRecord(
                    name: name, value: PercentEncoding.decodeForm(value), redactedBy: redactor)
                : BodyPartRecord(name: redactor.redact(name), value: Redactor.mark)
        }
    }

    private var shownFields: Set<String> {
        let shown = template.formFields.filter { !$0.isSecret }
        return Set(shown.flatMap { $0.pairs(credential) }.map(\.name))
    }

    /// Returns the text of a JSON body, or of raw bytes that the caller passed. A body that an
    /// interceptor has replaced is not shown, because the description does not declare its secrets.
    private func text(_ body: RequestBody, _ type: String?) -> String? {
        guard case .bytes(let sent) = body, sent.count <= bodyLimit else { return nil }
        switch template.body {
        case .json(let bytes, let ranges):
            guard isOwn(sent, type) else { return nil }
            // The members from the credential are inserted before the first member.
            let shift = sent.count - bytes.count
            return redactor.text(
                of: sent, type: nil,
                at: secretMembers + ranges.map { $0.lowerBound + shift..<$0.upperBound + shift })
        case .bytes(let bytes, _) where bytes == sent && !template.isBodySensitive:
            return redactor.text(of: sent, type: type)
        default: return nil
        }
    }

    /// The ranges of secrets among the members from the credential.
    private var secretMembers: [Range<Int>] {
        let token = credential.flatMap { template.bodyToken(placement, $0) }
        return (try? template.members(token, credential))?.sensitiveRanges ?? []
    }
}

extension BodyPartRecord {
    /// Makes a record of a field whose value is shown, except for known secrets in it.
    package init(name: String, value: String, redactedBy redactor: Redactor) {
        self.init(
            name: redactor.redact(name),
            value: redactor.redact(beginningOf: value, upTo: Self.longestValue, rest: Self.cut))
    }
}

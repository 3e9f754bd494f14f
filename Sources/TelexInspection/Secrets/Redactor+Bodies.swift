import TelexJSON
import TelexTransport

extension Redactor {
    /// Returns the text of a whole body without secrets; nil unless it is valid JSON, a form or
    /// plain text. Only in these it is certain where a value ends.
    ///
    /// - Parameters:
    ///   - type: The media type of the body; nil if it is not known, so that only JSON is shown.
    ///   - names: The names of secret values, in addition to those that are secret in every API.
    ///   - places: The ranges of secrets in addition to those that are found.
    package func text(
        of body: [UInt8], type: String?, hiding names: Set<String> = [],
        at places: [Range<Int>] = []
    ) -> String? {
        let names = Set(names.map { $0.lowercased() })
        let isJSON = SecretScanner.isJSON(body)
        switch BodyKind(type) {
        case .json where isJSON, .plain where isJSON || String(validUTF8: body[...]) != nil: break
        case .form: return form(body, hiding: names)
        default: return nil
        }
        let found = SecretScanner.places(of: names, includingCommon: true, in: body)
        let hidden = (places + found).map { Self.inside($0, of: body) }
        return String(validUTF8: redact(body, hiding: hidden)[...])
    }

    /// Returns the items of a form with the values of secret names replaced.
    private func form(_ body: [UInt8], hiding names: Set<String>) -> String? {
        guard let text = String(validUTF8: body[...]) else { return nil }
        let items = text.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let key = item.prefix { $0 != "=" }
            let name = PercentEncoding.decodeForm(key)
            let isSecret =
                names.contains(name.lowercased())
                || Self.isSuspicious(formName: name)
            return isSecret ? "\(key)=\(Self.mark)" : redact(String(item))
        }
        return items.joined(separator: "&")
    }

    /// The range without the surrounding quotes of a JSON string, so that redacted JSON stays
    /// valid.
    private static func inside(_ place: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
        let quote = UInt8(ascii: "\"")
        guard place.count >= 2, bytes[place.lowerBound] == quote,
            bytes[place.upperBound - 1] == quote
        else { return place }
        return place.lowerBound + 1..<place.upperBound - 1
    }
}

/// What a body is, by its media type.
private enum BodyKind {
    case json, form, plain, other

    init(_ type: String?) {
        let type = type?.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
        switch type {
        case nil, "application/json", "text/json": self = .json
        case "application/x-www-form-urlencoded": self = .form
        case "text/plain": self = .plain
        case let type?: self = type.hasSuffix("+json") ? .json : .other
        }
    }
}

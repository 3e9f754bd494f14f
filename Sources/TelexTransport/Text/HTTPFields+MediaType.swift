import HTTPTypes
import TelexValues

extension HTTPFields {
    /// The declared media type in lower case, without parameters; nil without one.
    package var mediaType: String? {
        self[.contentType].map { value in
            let end = value.utf8.firstIndex(of: UInt8(ascii: ";")) ?? value.endIndex
            return value[..<end].withoutOptionalSpace.lowercased()
        }
    }

    /// The declared charset; nil without one.
    package var charset: String? {
        let parameters = self[.contentType]?.parts(at: ";").dropFirst().map(\.parameter) ?? []
        return parameters.first { $0.name.lowercased() == "charset" && $0.value?.isEmpty == false }?
            .value
    }

    /// Whether the declared media type is one of those given; `*` stands for any part of a type.
    package func hasType(among accepted: [String]) -> Bool {
        guard let type = mediaType else { return false }
        return accepted.contains { pattern in
            let pattern = pattern.lowercased()
            guard pattern.hasSuffix("*") else { return pattern == type }
            return pattern == "*/*" || type.hasPrefix(pattern.dropLast())
        }
    }

    /// Whether the body is declared to be JSON (RFC 8259; RFC 6839, section 3.1).
    package var declareJSON: Bool {
        mediaType.map { $0 == "application/json" || $0.hasSuffix("+json") } ?? false
    }
}

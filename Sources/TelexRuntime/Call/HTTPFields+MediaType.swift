import HTTPTypes
import TelexTransport

extension HTTPFields {
    /// The declared media type in lower case, without parameters; nil without one.
    var mediaType: String? {
        self[.contentType].map {
            String($0.prefix { $0 != ";" }).withoutOptionalSpace.lowercased()
        }
    }

    /// Whether the body is declared to be JSON (RFC 8259; RFC 6839, section 3.1).
    var declareJSON: Bool {
        mediaType.map { $0 == "application/json" || $0.hasSuffix("+json") } ?? false
    }

    /// The declared media type, if it is that of text or of another document, which cannot be JSON by
    /// mistake.
    var documentType: String? {
        mediaType.flatMap { type in
            type.hasPrefix("text/") || type.hasSuffix("/xml") || type.hasSuffix("+xml") ? type : nil
        }
    }
}

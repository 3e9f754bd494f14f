import HTTPTypes
import TelexTransport

/// The check for secrets that a background session must not send: the system follows redirects
/// without asking, and sends the body and every field but `Authorization` to their targets.
extension BackgroundTransfers {
    /// Fields that hold no secret, and `Authorization`, which the system does not forward.
    private static let allowedFields: Set<HTTPField.Name> = idempotencyKey.union([
        .accept, .acceptEncoding, .acceptLanguage, .authorization, .cacheControl,
        .contentDisposition, .contentEncoding, .contentLanguage, .contentLength, .contentType,
        .ifMatch, .ifModifiedSince, .ifNoneMatch, .ifRange, .ifUnmodifiedSince, .range, .userAgent,
    ])

    private static let idempotencyKey = Set([HTTPField.Name("Idempotency-Key")].compactMap(\.self))

    /// Checks that no redirect can forward a secret.
    ///
    /// - Throws: `.unsupported` with the name of the first field that is or may be secret, or
    ///   because of the body.
    func check(_ request: TransportRequest) throws(TransportError) {
        for field in request.head.headerFields {
            if request.secretFields.contains(field.name) {
                throw Self.refused(
                    "header field `\(field.name)`", "it holds a secret: use another session")
            }
            guard Self.allowedFields.contains(field.name) || redirectedFields.contains(field.name)
            else {
                throw Self.refused(
                    "header field `\(field.name)`",
                    """
                    leave it out, use another session, or name it in \
                    `BackgroundTransfers(redirectedFields:)` if it holds no secret
                    """)
            }
        }
        if request.body != nil, request.hasSecretBody {
            throw Self.refused("body", "it holds a secret: use another session")
        }
    }

    private static func refused(_ what: String, _ remedy: String) -> TransportError {
        TransportError(
            .unsupported,
            """
            a background session would send the \(what) to the target of any redirect; \
            \(remedy)
            """)
    }
}

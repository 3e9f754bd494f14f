import TelexJSON

/// What a call sends, before it is known with which credential and to which server. A reference,
/// because it is handed on a dozen times in each attempt, and a copy would count the references of
/// all that it holds each time.
final class RequestTemplate: Sendable {
    typealias FormField = RequestDraft.FormField

    private let draft: RequestDraft

    init(_ draft: RequestDraft) {
        self.draft = draft
    }

    /// A request that sends nothing.
    convenience init(method: String, endpoint: Endpoint) {
        self.init(RequestDraft(method: method, endpoint: endpoint))
    }

    var method: String { draft.method }
    var endpoint: Endpoint { draft.endpoint }
    var path: [RequestField] { draft.path }
    var query: [RequestField] { draft.query }
    var headers: [RequestField] { draft.headers }
    var form: [FormField] { draft.form }
    var isMultipart: Bool { draft.isMultipart }
    var isBodySensitive: Bool { draft.isBodySensitive }
    var body: RequestDraft.Body { draft.body }
    /// Everything that is wrong with it.
    var violations: [Violation] {
        isMultipart ? draft.violations + nameViolations : draft.violations
    }

    /// Whether the caller gives the whole address, as an earlier reply had it.
    var isWholeAddress: Bool { draft.isWholeAddress }

    /// The address, if the caller gives all of it; what is given may still be none.
    var wholeAddress: Address? {
        guard isWholeAddress else { return nil }
        return path.first?.pairs.first.flatMap { Address($0.value) }
    }

    /// The errors among the violations.
    var errors: [Violation] {
        violations.isEmpty ? [] : violations.filter { $0.severity == .error }
    }

    /// The request with the API's base parameters, and with the key of the call if it has one. An
    /// address that came with a reply is complete already: it gets the header fields alone, and
    /// those where the token may go, at the origin of the call's server.
    ///
    /// - Parameter server: Where the call would go without such an address; nil if nowhere.
    func completed(
        base: RequestTemplate, idempotencyKey: String?, server: () -> Address?
    ) -> RequestTemplate {
        let isBased = !base.isEmpty && (!isWholeAddress || isAddress(on: server()))
        guard isBased || idempotencyKey != nil else { return self }
        var draft = draft
        if isBased { draft.add(base: base) }
        if let idempotencyKey { draft.add(idempotencyKey: idempotencyKey) }
        return RequestTemplate(draft)
    }

    private func isAddress(on server: Address?) -> Bool {
        guard let server, let wholeAddress else { return false }
        return wholeAddress.hasSameOrigin(as: server)
    }

    /// Whether it says nothing about any request.
    private var isEmpty: Bool {
        path.isEmpty && query.isEmpty && headers.isEmpty && form.isEmpty && violations.isEmpty
    }

    /// Whether a value of the credential is sent with it, besides the token.
    var needsCredential: Bool { fields.contains { $0.credentialKey != nil } }

    /// Whether a token is sent as one of the parameters.
    var showsToken: Bool { fields.contains { $0.content.isToken } }

    /// All fields that are texts.
    var fields: [RequestField] { path + query + headers + formFields }

    /// The fields of the form that are no files.
    var formFields: [RequestField] {
        form.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }
}

import TelexJSON
import TelexTransport

/// The request of a call, independent of the credential and the server. A class, because each
/// attempt passes it on about a dozen times, and a copy of a struct would retain all of its
/// contents each time.
final class RequestTemplate: Sendable {
    typealias FormField = RequestDraft.FormField

    let draft: RequestDraft

    init(_ draft: RequestDraft) {
        self.draft = draft
    }

    /// Creates a request without any values.
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
    /// All violations of the request.
    var violations: [Violation] {
        isMultipart ? draft.violations + nameViolations : draft.violations
    }

    /// Whether the caller gives the whole address, for example from an earlier reply.
    var isWholeAddress: Bool { draft.isWholeAddress }

    /// Whether an earlier reply gave the whole address. To another origin, such a request is like
    /// one that a redirect led there.
    var isAddressFromReply: Bool { draft.isAddressFromReply }

    /// The whole address that the caller gives; nil if there is none or it is invalid.
    var wholeAddress: Address? {
        guard isWholeAddress else { return nil }
        return path.first?.pairs.first.flatMap { Address($0.value) }
    }

    /// The id of the call that is sent; nil if none is, or before it is known.
    var callID: String? { if case .given(let id) = draft.callID { id } else { nil } }

    /// Whether an id of the call is sent, and whether it is an integer.
    var idForm: RequestDraft.CallID? { draft.callID }

    /// The violations with the severity `error`.
    var errors: [Violation] {
        violations.isEmpty ? [] : violations.filter { $0.severity == .error }
    }

    /// Returns the request with the API's base parameters and the call's key. A request to a whole
    /// address gets only the base header fields, and only if the address has the origin of the
    /// call's server.
    ///
    /// - Parameter server: Returns the server of the call; nil for none.
    func completed(
        base: RequestTemplate, key: String?, server: () -> Address?
    ) -> RequestTemplate {
        let isBased = !base.isEmpty && (!isWholeAddress || isAddress(on: server()))
        guard isBased || key != nil else { return self }
        var draft = draft
        if isBased { draft.add(base: base) }
        if let key {
            draft.add(idempotencyKey: key)
            draft.add(callID: key)
        }
        return RequestTemplate(draft)
    }

    /// Returns the request with the id of its call.
    func identified(by id: String) -> RequestTemplate {
        var draft = draft
        draft.add(callID: id)
        return RequestTemplate(draft)
    }

    /// Returns the request of a page of its list.
    func loading(_ position: PagePosition) -> RequestTemplate {
        var draft = draft
        draft.follow(position)
        return RequestTemplate(draft)
    }

    private func isAddress(on server: Address?) -> Bool {
        guard let server, let wholeAddress else { return false }
        return wholeAddress.hasSameOrigin(as: server)
    }

    /// Whether the template has no values and no violations.
    private var isEmpty: Bool {
        path.isEmpty && query.isEmpty && headers.isEmpty && form.isEmpty && violations.isEmpty
    }

    /// Whether a value of the credential other than the token in its usual place is sent.
    var needsCredential: Bool { hasField { $0.credentialKey != nil } }

    /// Whether a token is sent as a parameter.
    var sendsToken: Bool { hasField { $0.content.isToken } }

    /// Whether a secret of the app is sent.
    var sendsAppSecret: Bool { hasField { $0.secretName != nil } }

    /// Whether a field with a value of the credential fulfils a condition.
    private func hasField(where isMatch: (RequestField) -> Bool) -> Bool {
        draft.mayNeedCredential && fields.contains(where: isMatch)
    }

    /// All fields except files.
    var fields: [RequestField] { path + query + headers + formFields }

    /// The form fields that are not files.
    var formFields: [RequestField] {
        form.compactMap { if case .field(let field) = $0 { field } else { nil } }
    }
}

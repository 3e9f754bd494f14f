import HTTPTypes
import TelexJSON

/// Collects what a call sends, and everything that is wrong with it.
///
/// A value of nil sends nothing. Whatever breaks a rule is remembered; a call whose request has a
/// violation fails in the phase `build`, before anything is sent.
public struct RequestBuilder: ~Copyable {
    /// What was collected. It is behind a reference, because a debug build of generated code would
    /// clear and move so large a value again and again.
    final class State {
        var draft: RequestDraft
        var last = "request"
        var isLastSensitive = false

        init(_ draft: RequestDraft) {
            self.draft = draft
        }
    }

    let state: State

    var body: RequestDraft.Body {
        get { state.draft.body }
        set { state.draft.body = newValue }
    }

    /// What has been collected so far.
    var template: RequestTemplate { RequestTemplate(state.draft) }

    /// Begins a request for a method.
    public init(_ method: some APIMethodName) {
        self.init(RequestDraft(method: method.rawValue, endpoint: method.endpoint))
    }

    init(_ draft: RequestDraft) {
        state = State(draft)
    }

    // MARK: Query

    /// Adds a query parameter.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - value: Its value; nil sends nothing.
    ///   - list: How the items of a list are sent.
    ///   - booleans: How truth values are sent.
    ///   - orCredential: The value of the credential that is sent if there is no other.
    ///   - sensitive: Whether nobody may see the value.
    public mutating func query<V: ParameterValue>(
        _ name: StaticString, _ value: V?, list: ListStyle = .repeated,
        booleans: BooleanStyle = .trueFalse, orCredential: String? = nil, sensitive: Bool = false
    ) {
        let flattener = FieldFlattener(list: list, booleans: booleans)
        let field = field(name, value, flattener, orCredential, sensitive)
        if let field { state.draft.query.append(field) }
    }

    // MARK: Header

    /// Adds a header field. A name or value that cannot be in a header (RFC 9110, section 5) is a
    /// violation; JSON in a value is written in ASCII. For the parameters see ``query(_:_:list:booleans:orCredential:sensitive:)``.
    public mutating func header<V: ParameterValue>(
        _ name: StaticString, _ value: V?, list: ListStyle = .joined(", "),
        booleans: BooleanStyle = .trueFalse, orCredential: String? = nil, sensitive: Bool = false
    ) {
        let isSecret = sensitive || Redactor.isSecretHeader(name.description)
        let flattener = FieldFlattener(list: list, booleans: booleans, isASCII: true)
        guard let field = field(name, value, flattener, orCredential, isSecret) else {
            return
        }
        if HTTPField.Name(field.name) == nil {
            broken("header", "the name of a header field", Violation.quoted(field.name))
        }
        for pair in field.pairs where !HTTPField.isValidValue(pair.value) {
            broken("header", Self.headerValue, Violation.quoted(pair.value))
        }
        state.draft.headers.append(field)
    }

    /// What a header field can have (RFC 9110, section 5.5).
    static let headerValue =
        "a text without line ends or control characters, and without spaces at its ends"

    // MARK: Path

    /// Gives a path parameter its value; it is percent-encoded once, slashes included. An empty
    /// text, `.` and `..` are violations: they would lead to another place.
    public mutating func path<V: ParameterValue>(
        _ name: StaticString, _ value: V?, list: ListStyle = .joined(","),
        booleans: BooleanStyle = .trueFalse, orCredential: String? = nil, sensitive: Bool = false
    ) {
        let known = state.draft.violations.count
        let flattener = FieldFlattener(list: list, booleans: booleans)
        guard let field = field(name, value, flattener, orCredential, sensitive) else {
            return
        }
        // What could not be written leaves an empty text, about which there is nothing more to say.
        let isWritten = state.draft.violations.count == known
        for pair in field.pairs where isWritten && RequestField.emptySegments.contains(pair.value) {
            broken("path", "a text that can be part of a path", "`\(pair.value)`")
        }
        state.draft.path.append(field)
    }

    /// Gives the whole address that the request goes to, in place of server and path: an absolute
    /// `https` URL, or `http` if the server's is one; with anything else the call fails before it is
    /// sent. It is sent as it is, without the API's own parameters; the API's header fields go along
    /// if it has the origin of the call's server.
    public mutating func address<V: ParameterValue>(
        _ name: StaticString, _ value: V?, sensitive: Bool = false
    ) {
        path(name, value, sensitive: sensitive)
        state.draft.isWholeAddress = true
    }

    // MARK: Form

    /// Adds a field to the form in the body: `application/x-www-form-urlencoded`, or a part if the
    /// body has parts.
    public mutating func form<V: ParameterValue>(
        _ name: StaticString, _ value: V?, list: ListStyle = .repeated,
        booleans: BooleanStyle = .trueFalse, orCredential: String? = nil, sensitive: Bool = false
    ) {
        let flattener = FieldFlattener(list: list, booleans: booleans)
        let field = field(name, value, flattener, orCredential, sensitive)
        if let field { state.draft.form.append(.field(field)) }
    }

    // MARK: Parts

    /// Adds a field to a `multipart/form-data` body.
    public mutating func part<V: ParameterValue>(
        _ name: StaticString, _ value: V?, list: ListStyle = .repeated,
        booleans: BooleanStyle = .trueFalse, orCredential: String? = nil, sensitive: Bool = false
    ) {
        state.draft.isMultipart = true
        form(
            name, value, list: list, booleans: booleans, orCredential: orCredential,
            sensitive: sensitive)
    }

    /// Adds a file to a `multipart/form-data` body.
    public mutating func part(_ name: StaticString, _ file: UploadFile?, sensitive: Bool = false) {
        state.draft.isMultipart = true
        mark(name.description, sensitive)
        guard let file else { return }
        if ruleIsSensitive { state.draft.isBodySensitive = true }
        checkType(file.type)
        state.draft.form.append(.file(name: name.description, file))
    }

    /// Adds several files of one name to a `multipart/form-data` body (RFC 7578, section 4.3).
    public mutating func part(_ name: StaticString, _ files: [UploadFile]?, sensitive: Bool = false)
    {
        for file in files ?? [] { part(name, file, sensitive: sensitive) }
        state.draft.isMultipart = true
        mark(name.description, sensitive)
    }

    // MARK: Fields

    /// The field for a value; nil if nothing is sent.
    private mutating func field<V: ParameterValue>(
        _ name: StaticString, _ value: V?, _ flattener: FieldFlattener,
        _ credentialKey: String?, _ isSensitive: Bool
    ) -> RequestField? {
        let name = name.description
        mark(name, isSensitive)
        guard let value else {
            return credentialKey.map {
                RequestField(name: name, .credential($0), isSensitive: isSensitive)
            }
        }
        var json = JSONWriter()
        json.value(value)
        keep(json.violations, below: name)
        let isSensitive = isSensitive || json.holdsSensitive
        if isSensitive { state.isLastSensitive = true }
        if let text = FieldFlattener.plainText(json.bytes) {
            return RequestField(name: name, .text(text), isSensitive: isSensitive)
        }
        var flattener = flattener
        if !json.bytes.isEmpty, !flattener.add(name, json: json.bytes) {
            broken("depth", "at most \(FieldFlattener.depth) values in one another", "more")
        }
        return RequestField(name: name, .pairs(flattener.pairs), isSensitive: isSensitive)
    }
}

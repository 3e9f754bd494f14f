import HTTPTypes
import TelexInspection
import TelexJSON

/// Collects the values of a request and their violations.
///
/// A nil value sends nothing. Rule violations are collected. A call whose request has an error
/// among them fails in the phase `build`, before anything is sent.
public struct RequestBuilder: ~Copyable {
    /// The collected values. A class, because a debug build of generated code would otherwise clear
    /// and move this large value repeatedly.
    package final class State {
        package var template: RequestTemplate
        package var last = "request"
        var isLastSensitive = false

        package init(_ template: RequestTemplate) {
            self.template = template
        }
    }

    package let state: State

    package var body: RequestTemplate.Body {
        get { state.template.body }
        set { state.template.body = newValue }
    }

    /// The request with the values collected so far.
    package var template: RequestTemplate { state.template }

    /// Begins a request for a method.
    public init(_ method: some APIMethodName) {
        self.init(RequestTemplate(method: method.rawValue, endpoint: method.endpoint))
    }

    /// Begins a request for a method without rules of its own.
    ///
    /// - Parameters:
    ///   - method: The API's name of the method.
    ///   - verb: The HTTP method.
    ///   - path: The path, as in ``Endpoint/path``.
    public init(_ method: StaticString, _ verb: Endpoint.Verb, _ path: StaticString) {
        self.init(method, Endpoint(plain: verb.method, path.description))
    }

    /// Begins a request for a method.
    ///
    /// - Parameters:
    ///   - method: The API's name of the method.
    ///   - endpoint: The endpoint and the rules of the method.
    public init(_ method: StaticString, _ endpoint: Endpoint) {
        self.init(RequestTemplate(method: method.description, endpoint: endpoint))
    }

    package init(_ template: RequestTemplate) {
        state = State(template)
    }

    // MARK: Query

    /// Adds a query parameter.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value; nil sends nothing.
    ///   - list: How the items of a list are sent.
    ///   - booleans: How Booleans are sent.
    ///   - orCredential: The name of the credential's value that is sent if `value` is nil.
    ///   - sensitive: Whether the value is redacted.
    public mutating func query<V: ParameterValue>(
        _ name: String, _ value: V?, list: ListStyle = .repeated,
        booleans: BooleanStyle = .trueFalse, orCredential: String? = nil, sensitive: Bool = false
    ) {
        let flattener = FieldFlattener(list: list, booleans: booleans)
        let field = field(
            name, value, flattener: flattener, orCredential: orCredential, sensitive: sensitive)
        if let field { state.template.query.append(field) }
    }

    // MARK: Header

    /// Adds a header field. A name or value that is invalid in a header (RFC 9110, section 5) is a
    /// violation. JSON in a value is written in ASCII. For the parameters see
    /// ``query(_:_:list:booleans:orCredential:sensitive:)``.
    public mutating func header<V: ParameterValue>(
        _ name: String, _ value: V?, list: ListStyle = .joined(ListStyle.headerSeparator),
        booleans: BooleanStyle = .trueFalse, orCredential: String? = nil, sensitive: Bool = false
    ) {
        let isSecret = sensitive || Redactor.isSecretHeader(name)
        let flattener = FieldFlattener(list: list, booleans: booleans, isASCII: true)
        guard
            let field = field(
                name, value, flattener: flattener, orCredential: orCredential, sensitive: isSecret)
        else {
            return
        }
        if HTTPField.Name(field.name) == nil {
            broken(
                "header", expected: "the name of a header field",
                found: Violation.quoted(field.name))
        }
        for pair in field.pairs where !HTTPField.isValidValue(pair.value) {
            broken("header", expected: Self.headerValue, found: Violation.quoted(pair.value))
        }
        state.template.headers.append(field)
    }

    /// A description of valid field values (RFC 9110, section 5.5), for messages.
    static let headerValue =
        "a text without line ends or control characters, and without spaces at its ends"

    // MARK: Path

    /// Sets a path parameter. What cannot be in a segment (RFC 3986, section 3.3) is percent-encoded
    /// once. If the path has `{+name}`, slashes and escapes of the value stay.
    ///
    /// An empty text, unless `allowsEmpty` is true, and the segments `.` and `..` are violations,
    /// because they would change the path; likewise a slash at the beginning of a value that keeps
    /// its slashes.
    public mutating func path<V: ParameterValue>(
        _ name: String, _ value: V?, list: ListStyle = .joined(","),
        booleans: BooleanStyle = .trueFalse, orCredential: String? = nil, sensitive: Bool = false,
        allowsEmpty: Bool = false
    ) {
        let known = state.template.foundViolations.count
        let flattener = FieldFlattener(list: list, booleans: booleans)
        guard
            var field = field(
                name, value, flattener: flattener, orCredential: orCredential, sensitive: sensitive)
        else {
            return
        }
        field.allowsEmpty = allowsEmpty
        // A value that could not be written is an empty text, which already has a violation.
        let isWritten = state.template.foundViolations.count == known
        let placeholder = PathPlaceholder(field.name, of: state.template.endpoint.path)
        for pair in field.pairs
        where isWritten && !placeholder.allows(pair.value) && !(allowsEmpty && pair.value.isEmpty) {
            broken("path", expected: "a text that can be part of a path", found: "`\(pair.value)`")
        }
        state.template.path.append(field)
    }

    /// Sets the whole address of the request, in place of server and path. It must be an absolute
    /// `https` URL, or `http` if the server's is; otherwise the call fails before it is sent. It is
    /// sent unchanged, without the API's base parameters. The API's base header fields are added if
    /// it has the origin of the call's server.
    public mutating func address<V: ParameterValue>(
        _ name: String, _ value: V?, sensitive: Bool = false
    ) {
        path(name, value, sensitive: sensitive)
        state.template.isWholeAddress = true
    }

    // MARK: Form

    /// Adds a form field to the body: `application/x-www-form-urlencoded`, or a part if the body is
    /// multipart.
    public mutating func form<V: ParameterValue>(
        _ name: String, _ value: V?, list: ListStyle = .repeated,
        booleans: BooleanStyle = .trueFalse, orCredential: String? = nil, sensitive: Bool = false
    ) {
        let flattener = FieldFlattener(list: list, booleans: booleans)
        let field = field(
            name, value, flattener: flattener, orCredential: orCredential, sensitive: sensitive)
        if let field { state.template.form.append(.field(field)) }
    }

    // MARK: Parts

    /// Adds a field to a `multipart/form-data` body. With the list style `json`, it is a part of
    /// the type `application/json`.
    public mutating func part<V: ParameterValue>(
        _ name: String, _ value: V?, list: ListStyle = .repeated,
        booleans: BooleanStyle = .trueFalse, orCredential: String? = nil, sensitive: Bool = false
    ) {
        state.template.isMultipart = true
        if list == .json { return jsonPart(name, value, sensitive) }
        form(
            name, value, list: list, booleans: booleans, orCredential: orCredential,
            sensitive: sensitive)
    }

    private mutating func jsonPart<V: ParameterValue>(
        _ name: String, _ value: V?, _ sensitive: Bool
    ) {
        mark(name, sensitive)
        guard let value else { return }
        var json = JSONWriter()
        json.value(value)
        keep(json.violations, below: name)
        let text = String(decoding: json.takeBytes(), as: UTF8.self)
        var field = RequestField(
            name: name, content: .text(text),
            isSensitive: sensitive || json.holdsSensitive)
        field.isJSON = true
        state.template.form.append(.field(field))
    }

    /// Adds a file to a `multipart/form-data` body.
    public mutating func part(_ name: String, _ file: UploadFile?, sensitive: Bool = false) {
        state.template.isMultipart = true
        mark(name, sensitive)
        guard let file else { return }
        if ruleIsSensitive { state.template.isBodySensitive = true }
        checkType(file.type)
        state.template.form.append(.file(name: name, file))
    }

    /// Adds several files with the same name to a `multipart/form-data` body (RFC 7578, section
    /// 4.3).
    public mutating func part(_ name: String, _ files: [UploadFile]?, sensitive: Bool = false) {
        for file in files ?? [] { part(name, file, sensitive: sensitive) }
        state.template.isMultipart = true
        mark(name, sensitive)
    }

    // MARK: Fields

    /// Returns the field for a value; nil if nothing is sent.
    private mutating func field<V: ParameterValue>(
        _ name: String, _ value: V?, flattener: FieldFlattener,
        orCredential credentialKey: String?, sensitive isSensitive: Bool
    ) -> RequestField? {
        mark(name, isSensitive)
        guard let value else {
            guard let credentialKey else { return nil }
            state.template.noteCredentialField()
            return RequestField(
                name: flattener.nameOfItem(name, at: 0), content: .credential(credentialKey),
                isSensitive: isSensitive)
        }
        if let text = V.parameterText(of: value) {
            return RequestField(name: name, content: .text(text), isSensitive: isSensitive)
        }
        var flattener = flattener
        if let items = V.parameterTexts(of: value), flattener.add(name, items: items) {
            checkPairs(of: flattener, isList: true)
            return RequestField(
                name: name, content: .pairs(flattener.pairs), isSensitive: isSensitive)
        }
        var json = JSONWriter(notesTokens: true)
        json.value(value)
        keep(json.violations, below: name)
        let isSensitive = isSensitive || json.holdsSensitive
        if isSensitive { state.isLastSensitive = true }
        guard let tokens = json.tokens, let first = tokens.first else { return nil }
        switch first {
        case .text(let text), .number(let text):
            return RequestField(name: name, content: .text(text), isSensitive: isSensitive)
        default: break
        }
        if !flattener.add(name, tokens) {
            broken(
                "depth", expected: "at most \(FieldFlattener.depth) nested values", found: "more")
        }
        checkPairs(of: flattener, isList: first == .beginArray)
        return RequestField(name: name, content: .pairs(flattener.pairs), isSensitive: isSensitive)
    }

    /// Refuses what a server would read as something else.
    private mutating func checkPairs(of flattener: FieldFlattener, isList: Bool) {
        switch flattener.list {
        case .entries(let taken): checkNames(of: flattener.pairs, taken)
        case .joined(let separator) where isList: checkItems(of: flattener.pairs, separator)
        default: break
        }
    }

    /// Refuses items that would be read as several. The list of a header field (RFC 9110, section
    /// 5.6.1) is not checked, because an item may have its commas in quotes.
    private mutating func checkItems(of lists: [RequestField.Pair], _ separator: String) {
        guard separator != ListStyle.headerSeparator, !separator.isEmpty else { return }
        for item in lists.lazy.flatMap(\.texts) where item.contains(separator) {
            broken(
                "join", expected: "an item without the separator \(Violation.quoted(separator))",
                found: Violation.quoted(item))
        }
    }

    /// Refuses entries without a name, and those that would repeat another value, or an item of it,
    /// such as `tags[]`.
    private mutating func checkNames(of entries: [RequestField.Pair], _ taken: [String]) {
        for name in Set(entries.map(\.name)).sorted()
        where name.isEmpty || taken.contains(where: { name == $0 || name.hasPrefix("\($0)[") }) {
            broken(
                "entries", expected: "a name that no parameter has",
                found: Violation.quoted(name))
        }
    }
}

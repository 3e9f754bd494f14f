import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves the replies of methods.
extension Resolver {
    mutating func output(
        _ syntax: MethodSyntax, apiName: String, prefix: String, dates: DateForm,
        nested: inout [Model]
    ) -> Output {
        var context = TypeContext(
            place: .reply, key: "reply", span: syntax.name.span, parent: "", prefix: prefix,
            dates: dates)
        context.part = apiName + ".returns"
        guard !syntax.replies.isEmpty else {
            return syntax.returns.map {
                content($0, of: syntax, in: context, nested: &nested)
            } ?? .nothing
        }
        let name = prefix + "Reply"
        names.declare(
            type: name, for: "the reply of `\(apiName)`", at: syntax.name.span, into: &bag)
        var cases: [StatusCase] = []
        for reply in syntax.replies {
            let status = reply.status.value
            let label = StatusCase.name(of: status)
            context.prefix = prefix + (namer.upperCamel(label) ?? "")
            context.span = reply.status.span
            context.part = "\(apiName).returns.\(status)"
            let content = content(reply.type, of: syntax, in: context, nested: &nested)
            cases.append(StatusCase(status: status, name: label, output: content))
        }
        return .statuses(StatusReplies(name: name, cases: cases))
    }

    /// What one type says of a reply.
    private mutating func content(
        _ returns: TypeSyntax, of syntax: MethodSyntax, in context: TypeContext,
        nested: inout [Model]
    ) -> Output {
        if case .named(let name) = returns.form, ["nothing", "text"].contains(name),
            symbols.models[name] == nil
        {
            if let place = returns.optional ?? returns.nullable {
                bag.report(.optionalNotAllowed, "\(name) cannot be missing", at: place)
            }
            return name == "text" ? .text : .nothing
        }
        if isDownloaded(returns, syntax) { return .file }
        if let place = returns.optional {
            bag.report(
                .optionalNotAllowed, "a reply cannot be optional", at: place,
                help: "write `T | null` if the value may be null")
        }
        guard let value = value(returns, in: context, nested: &nested) else { return .nothing }
        if case .bytes = value.type { return .bytes }
        return .value(value)
    }

    /// Whether a download declares `returns: file`, which only a download can.
    private func isDownloaded(_ returns: TypeSyntax, _ syntax: MethodSyntax) -> Bool {
        guard case .named("file") = returns.form else { return false }
        return syntax.call.kind?.value == .download && returns.optional == nil
            && returns.nullable == nil
    }

    // MARK: Header fields

    /// The dates of header fields (RFC 9110 §5.6.7).
    private static let headerDates = DateForm.pattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'")

    /// Resolves the typed header fields to a model whose values are texts.
    mutating func replyHeaders(
        _ syntax: MethodSyntax, apiName: String, prefix: String, nested: inout [Model]
    ) -> ReplyHeaders? {
        guard let headers = syntax.replyHeaders, headers.type.fields?.isEmpty == false else {
            return nil
        }
        let context = TypeContext(
            place: .reply, key: "headers", span: syntax.name.span, parent: "", prefix: prefix,
            part: apiName + ".reply-headers", dates: Self.headerDates)
        guard
            case .object(let name)? = value(headers.type, in: context, nested: &nested)?.type,
            let index = nested.firstIndex(where: { $0.qualifiedName == name }),
            case .object(var fields) = nested[index].kind
        else { return nil }
        let written = Dictionary(
            (headers.type.fields ?? []).map { ($0.sentKey.value, $0) }
        ) { first, _ in first }
        var places: [ReplyHeaders.Place] = []
        for index in fields.indices {
            guard let field = written[fields[index].key] else { continue }
            places.append(place(of: &fields[index], field, headers))
        }
        nested[index].kind = .object(fields)
        nested[index].documentation.text = "Header fields of the reply of `\(apiName)`."
        return ReplyHeaders(model: name, places: places)
    }

    /// The place of a header field's value, whose model reads it from text.
    private mutating func place(
        of field: inout Field, _ syntax: ParameterSyntax, _ headers: ReplyHeadersSyntax
    ) -> ReplyHeaders.Place {
        if let relation = headers.links[syntax.key.value] {
            field.key = ReplyHeaders.key(ofLink: relation.value)
            return .link(relation.value)
        }
        let key = syntax.sentKey
        if !HeaderChecker.isToken(key.value) {
            bag.report(
                .badHeader, "`\(key.value)` is not a valid header name", at: key.span,
                help: "names are letters, digits and `-` (RFC 9110 §5.1)")
        }
        if syntax.type.attributes.isSensitive == true {
            bag.report(
                .attributeDoesNotApply, "a header field of a reply cannot be marked `sensitive`",
                at: syntax.key.span,
                help: "names like `X-Auth-Token` are redacted; a reply tells other secrets in "
                    + "its body")
        }
        guard field.value.becomeHeaderText() else {
            bag.report(
                .typeNotAllowed, "this type cannot be used in a header field of a reply",
                at: syntax.type.span,
                help: "a field is a text, a number, a `bool`, a `Date`, a `url`, an enumeration of "
                    + "texts, or a list of these")
            return .value(key.value)
        }
        if case .list = field.value.type { return .list(key.value) }
        return .value(key.value)
    }
}

extension Value {
    /// Makes the value one that is read from text. Returns whether that is possible.
    fileprivate mutating func becomeHeaderText() -> Bool {
        guard !isNullable else { return false }
        switch type {
        case .string, .url, .uuid, .bool(.text), .date(.dateTime), .date(.localDateTime),
            .date(.date), .date(.pattern), .date(.unixText), .date(.unixMillisecondsText),
            .enumeration(_, isInteger: false):
            return true
        case .integer(let width, _): type = .integer(width, from: .string)
        case .double: type = .double(from: .string)
        case .decimal: type = .decimal(from: .string)
        case .bool(.trueFalse): type = .bool(.text)
        case .date(.unix): type = .date(.unixText)
        case .date(.unixMilliseconds): type = .date(.unixMillisecondsText)
        case .list(var element):
            guard element.becomeHeaderText() else { return false }
            if case .list = element.type { return false }
            type = .list(element)
        default: return false
        }
        return true
    }
}

extension StatusCase {
    /// The name of the case for a status, after its phrase (RFC 9110 §15).
    fileprivate static func name(of status: Int) -> String {
        names[status] ?? "status\(status)"
    }

    private static let names = [
        200: "ok", 201: "created", 202: "accepted", 203: "nonAuthoritative", 204: "noContent",
        205: "resetContent", 206: "partialContent", 207: "multiStatus", 208: "alreadyReported",
        300: "multipleChoices", 301: "movedPermanently", 302: "found", 303: "seeOther",
        304: "notModified", 307: "temporaryRedirect", 308: "permanentRedirect",
        400: "badRequest", 401: "unauthorized", 402: "paymentRequired", 403: "forbidden",
        404: "notFound", 409: "conflict", 410: "gone", 412: "preconditionFailed",
        422: "unprocessableContent", 429: "tooManyRequests",
    ]
}

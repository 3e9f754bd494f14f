import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Warnings about methods.
extension Linter {
    mutating func check(_ method: ResolvedMethod) {
        checkPath(of: method.syntax)
        checkSettings(method.cascade)
        if method.isAuthenticated { checkShadowedExpiry(method.cascade) }
        checkThrottle(of: method.syntax)
        checkSafe(method.syntax)
        checkStatuses(of: method)
        checkRate(of: method)
        checkBodiless(method)
        checkValidation(of: method)
    }

    // MARK: Rules

    /// Warns of texts without rules that one of several parameters may be. Any rule silences the
    /// warning.
    mutating func checkEmptyTexts(of method: MethodSyntax) {
        for name in method.rules.lazy.filter({ $0.kind.value == .atLeastOne }).flatMap(\.names) {
            guard let parameter = method.parameters.first(where: { $0.key.value == name.value }),
                case .named("string") = parameter.type.form,
                parameter.type.attributes.rules.isEmpty
            else { continue }
            bag.report(
                .emptyText, "an empty `\(name.value)` counts as present", at: name.span,
                notes: [Diagnostic.Note("it is declared here", at: parameter.key.span)],
                help: "write `\(name.value): { type: string?, min-length: 1 }`, or "
                    + "`min-length: 0` if it may be empty")
        }
    }

    // MARK: Paths

    private mutating func checkPath(of method: MethodSyntax) {
        guard let path = method.path else { return }
        for parameter in method.parameters where parameter.location == .path {
            let key = parameter.sentKey.value
            if method.wholePath?.value == "{\(key)}" {
                checkAddress(parameter, key: key, path: path)
            }
        }
        checkColons(in: path)
    }

    /// Warns of a placeholder that is the whole path, is named like a URL and has the type
    /// `string`. Any attribute or rule silences the warning.
    private mutating func checkAddress(
        _ parameter: ParameterSyntax, key: String, path: Located<String>
    ) {
        guard case .named("string") = parameter.type.form,
            parameter.type.attributes.keys.isEmpty, parameter.type.attributes.rules.isEmpty,
            ["url", "uri", "href", "link"].contains(where: key.lowercased().hasSuffix)
        else { return }
        bag.report(
            .addressAsText, "`\(key)` is sent as one path segment, with its slashes encoded",
            at: parameter.type.span,
            notes: [Diagnostic.Note("it is the whole path", at: path.span)],
            help: "remove it from `path` to have it taken as a whole address; a text that is no "
                + "address wants a `doc`")
    }

    /// Warns of segments in the placeholder syntax of other formats: `users/:id`.
    mutating func checkColons(in path: Located<String>) {
        if PathSyntax.problem(of: path.value) != nil { return }
        for piece in path.value.split(separator: "/") where piece.first == ":" {
            let name = piece.dropFirst()
            guard let first = name.first, first.isLetter || first == "_",
                name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" })
            else { continue }
            bag.report(
                .colonInPath, "`\(piece)` would be sent as it is",
                at: path.place(of: path.value.utf8Range(piece.startIndex..<piece.endIndex)),
                help: "write `{\(name)}` for a parameter; to send the colon, write `%3A\(name)`")
        }
    }

    // MARK: Settings without an effect

    private mutating func checkSafe(_ method: MethodSyntax) {
        guard let place = method.call.safe, let verb = method.verb, verb.value.isRead else {
            return
        }
        bag.report(
            .noEffect, "`\(verb.value.rawValue)` only reads anyway", at: place,
            notes: [Diagnostic.Note("the verb is here", at: verb.span)], help: "remove `safe`")
    }

    private mutating func checkThrottle(of method: MethodSyntax) {
        guard let throttle = method.call.throttle, throttle.interval != nil else { return }
        if let list = throttle.keys {
            bag.reportEmpty(
                list, name: "`by`", help: "name parameters of the method, or leave `by` out")
            bag.reportRepeated(list.value, "`by`")
        }
    }

    /// Reports a rate limit of a method that the API's rate limit makes unreachable. The API's
    /// limit is scaled to the number of its intervals in the method's interval.
    private mutating func checkRate(of method: ResolvedMethod) {
        // A whole URL may be on a host that the API's rate limit does not apply to.
        guard let own = method.syntax.call.rate, let most = api.limits.rate,
            !method.isWholeAddress
        else {
            return
        }
        let parts = (own.value.interval - 1) / most.value.interval + 1
        let (steady, overflow) = most.value.requests.multipliedReportingOverflow(by: parts)
        let (count, isBeyond) = steady.addingReportingOverflow(most.value.burst ?? 0)
        guard !overflow, !isBeyond, own.value.requests > count else { return }
        bag.reportNoEffect(
            "the rate is higher than the API's `requests`, and would never be reached",
            at: own.span,
            because: "the API's `requests`", at: most.span)
    }

    /// Reports statuses after which a method that is not idempotent is not retried (RFC 9110
    /// §9.2.2). It is retried only after statuses that mean that the server did not process it.
    private mutating func checkStatuses(of resolved: ResolvedMethod) {
        let (method, cascade) = (resolved.syntax, resolved.cascade)
        // If there is only one attempt, the whole `on` has been reported.
        guard let verb = method.verb, !method.isIdempotent,
            cascade.idempotencyKey?.value.header == nil,
            cascade.retryAttempts?.value != 1
        else { return }
        for condition in method.settings.operation.retry?.conditions?.value ?? [] {
            guard case .statuses(let range) = condition.value,
                !Self.unprocessedStatuses.contains(where: range.contains)
            else { continue }
            bag.report(
                .noEffect,
                "a `\(verb.value.rawValue)` is not retried after this status, because the server may "
                    + "have processed it", at: condition.span,
                notes: [Diagnostic.Note("the verb is here", at: verb.span)],
                help: "remove it, or add `idempotency-key: true` if the server supports such keys")
        }
    }

    /// Too Many Requests (RFC 6585 §4), Service Unavailable (RFC 9110 §15.6.4) and Network
    /// Authentication Required (RFC 6585 §6).
    private static let unprocessedStatuses = [429, 503, 511]

    // MARK: Replies

    /// Warns of a `validate` of a method whose reply has nothing to check.
    private mutating func checkValidation(of method: ResolvedMethod) {
        guard let own = method.syntax.settings.validation, !method.readsJSON,
            let span = own.mode?.span ?? own.checks?.span ?? own.sample?.span
        else { return }
        bag.report(
            .noEffect, "the reply of this method has no JSON value to check", at: span,
            help: "remove `validate`")
    }

    /// Warns of a method whose success statuses include an inherited sign of an expired token.
    private mutating func checkShadowedExpiry(_ cascade: SettingsCascade) {
        guard let statuses = cascade.own.success?.statuses, let expired = cascade.expired,
            !cascade.isOwn(expired)
        else { return }
        let rules = SuccessRules(cascade)
        for status in expired.value.statuses where rules.accept(status.value) {
            bag.report(
                .noEffect, "a reply with the status \(status.value) is a success here",
                at: statuses.span, label: "an expired token would not be noticed",
                notes: [Diagnostic.Note("it is a sign of an expired token", at: status.span)],
                help: "remove the status, or write `auth: { expired: none }` if it has "
                    + "another meaning here")
        }
    }

    /// Warns of a success status without a body in a method that returns a value, because such a
    /// reply always fails. A nullable value is then null.
    private mutating func checkBodiless(_ method: ResolvedMethod) {
        let syntax = method.syntax
        guard [.data, .upload].contains(method.kind),
            case .value(let value) = method.output,
            !value.isNullable, value.type != .json,
            let statuses = syntax.settings.success?.statuses, let returns = syntax.returns,
            let status = SuccessRules.statusesWithoutBody.first(where: {
                statuses.value.contains($0...$0)
            })
        else { return }
        let remedy =
            status == 304
            ? "leave 304 out: it is then an error with `reason == .status(304)`, which an app that "
                + "sends `If-None-Match` catches; or write `T | null`"
            : "write `T | null` if there may be no value, or leave \(status) out"
        bag.report(
            .bodilessSuccess, "a reply with the status \(status) has no body, so it has no value",
            at: statuses.span,
            notes: [Diagnostic.Note("a value is returned here", at: returns.span)], help: remedy)
    }
}

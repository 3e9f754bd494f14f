import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks replies by status, typed header fields and logins.
extension OperationChecker {
    mutating func checkReplies(_ method: ResolvedMethod) {
        let syntax = method.syntax
        checkStatuses(syntax)
        checkWhole(syntax)
        if let login = syntax.login { checkPaths(of: login, method) }
        if let login = syntax.login, spec.api.auth == nil {
            bag.report(
                .authWithoutScheme,
                "`login` gives a token, and the API has no `auth` that sends it", at: login.span,
                help: "add to `api.yaml`: `auth: { account: { token: bearer } }`")
        }
    }

    private mutating func checkStatuses(_ syntax: MethodSyntax) {
        guard let first = syntax.replies.first else { return }
        if let statuses = syntax.settings.success?.statuses {
            bag.report(
                .conflict, "`returns` has the success statuses", at: statuses.span,
                notes: [Diagnostic.Note("`returns` is here", at: first.status.span)],
                help: "remove `status` from `success`")
        }
        for reply in syntax.replies {
            let status = reply.status
            if SuccessRules.statusesWithoutBody.contains(status.value), reply.type.name != "nothing"
            {
                bag.report(
                    .badStatus, "a reply with the status \(status.value) has no body",
                    at: reply.type.span, help: "write `\(status.value): nothing`")
            }
            if reply.type.name != "nothing" {
                checkReplyBody(syntax, at: reply.type.span, for: "a value")
            }
        }
    }

    /// Follows the paths of a login through the declared reply. A token in a field that is not
    /// sensitive would be shown in logs.
    private mutating func checkPaths(of login: LoginSyntax, _ method: ResolvedMethod) {
        let secrets = [login.token, login.refreshToken].compactMap(\.self)
        let others = [login.expiresIn].compactMap(\.self) + login.values
        let models = spec.models.byName
        for (index, path) in (secrets + others).enumerated() {
            var place = ReplyPath(method.output, models)
            if let (problem, help) = place.follow(path.value.map(PathStep.key)) {
                bag.report(.badExtraction, problem, at: path.span, help: help)
            } else if index < secrets.count, place.value != nil, !place.isSensitive {
                bag.report(
                    .badExtraction, "`\(path.value.joined(separator: "."))` is not sensitive",
                    at: path.span, label: "the token would be shown in logs",
                    help: "mark its field: `{ type: string, sensitive: true }`")
            }
        }
    }

    /// Reports what only a reply that is read as a whole has.
    private mutating func checkWhole(_ syntax: MethodSyntax) {
        let kind = syntax.call.stream?.label ?? syntax.call.kind?.word
        guard let kind, kind.value != "data", kind.value != "upload" else { return }
        let parts = [
            syntax.replies.first.map { ("`returns` by status", $0.status.span) },
            syntax.replyHeaders.map { ("`reply-headers`", $0.type.span) },
            syntax.login.map { ("`login`", $0.span) },
        ]
        for (what, span) in parts.compactMap(\.self) {
            reportKind(
                "\(what) needs a reply that is read as a whole", at: span, noting: kind,
                help: "the header fields of a download or a stream are in `response.head`")
        }
    }
}

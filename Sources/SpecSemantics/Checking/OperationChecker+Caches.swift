import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks `cache`.
extension OperationChecker {
    /// Checks that a method's own `cache` can have an effect. An inherited one applies to the
    /// methods whose replies can be kept.
    mutating func checkCache(_ method: ResolvedMethod) {
        let syntax = method.syntax
        guard let cache = syntax.settings.operation.cache, cache.word != CacheSyntax.Word.none
        else { return }
        if let (why, other) = obstacle(to: cache, method) {
            bag.report(
                .badCache, why, at: cache.span,
                notes: other.map { [Diagnostic.Note("it is declared here", at: $0)] } ?? [],
                help: "remove `cache`")
        }
        if let store = cache.store, store.value == .disk, spec.hasSensitiveReply(method) {
            bag.report(
                .badCache, "the reply has sensitive values, which are not written to disk",
                at: store.span, help: "write `store: memory`")
        }
    }

    /// Why the replies of a method cannot be kept, and the span of the reason.
    private func obstacle(
        to cache: CacheSyntax, _ method: ResolvedMethod
    ) -> (String, Span?)? {
        let syntax = method.syntax
        if syntax.login != nil {
            return ("the reply is a credential, which only the credential store keeps", nil)
        }
        if let label = syntax.call.stream?.label ?? syntax.call.kind?.word, !syntax.isCacheable,
            method.kind != .data
        {
            return ("only replies that are read into memory can be kept", label.span)
        }
        if !syntax.isCacheable {
            return (
                "only the replies of `get`, `head` and `safe: true` can be kept", syntax.verb?.span
            )
        }
        if let problem = method.differsFromOthers { return (problem, nil) }
        if let session = method.cascade.session, session.value == .ephemeral {
            return ("an ephemeral session keeps nothing", session.span)
        }
        return nil
    }
}

extension ResolvedSpec {
    /// Whether the value of a method is sensitive as a whole, or one of its extractions is. The
    /// runtime finds sensitive fields itself.
    func hasSensitiveReply(_ method: ResolvedMethod) -> Bool {
        let types = [method.syntax.returns].compactMap { $0 } + method.syntax.replies.map(\.type)
        return types.contains(where: sensitivity.isSensitive(_:))
            || method.extractions.contains(where: \.isSensitive)
    }
}

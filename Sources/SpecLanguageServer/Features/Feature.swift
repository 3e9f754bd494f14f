import Foundation

/// A method of the protocol that the server knows, with what it announces.
protocol Feature {
    associatedtype Params: Decodable
    associatedtype Answer: Encodable

    static var method: String { get }
    /// What the client is told; empty for a part of another capability.
    static var capabilities: [String: JSONTree] { get }
    static func answer(_ params: Params, _ workspace: inout Workspace) throws -> Answer
}

extension Feature {
    static var capabilities: [String: JSONTree] { [:] }
}

/// A feature without its types.
struct Handler {
    /// All features. A formatter joins them with `textDocument/formatting`.
    static var all: [Handler] {
        [
            Handler(StartingFeature.self), Handler(OpeningFeature.self),
            Handler(ChangingFeature.self), Handler(SavingFeature.self),
            Handler(ClosingFeature.self), Handler(WatchingFeature.self),
            Handler(DefinitionFeature.self), Handler(ReferencesFeature.self),
            Handler(HighlightFeature.self), Handler(DocumentSymbolFeature.self),
            Handler(WorkspaceSymbolFeature.self), Handler(PrepareRenameFeature.self),
            Handler(RenameFeature.self), Handler(HoverFeature.self),
            Handler(CompletionFeature.self), Handler(QuickFixFeature.self),
            Handler(CodeLensFeature.self), Handler(FoldingFeature.self),
        ]
    }

    let method: String
    let capabilities: [String: JSONTree]
    private let run: (JSONTree, Data, inout Workspace) throws(Refusal) -> Data

    init<Kind: Feature>(_ feature: Kind.Type) {
        method = feature.method
        capabilities = feature.capabilities
        run = { id, data, workspace throws(Refusal) in
            guard let call = try? MessageCoder.decoded(Message.Call<Kind.Params>.self, data) else {
                throw Refusal(.invalidParams, "the parameters of `\(Kind.method)` cannot be read")
            }
            do {
                let answer = try Kind.answer(call.params, &workspace)
                return MessageCoder.encoded(Reply(id: id, result: answer))
            } catch let refusal as Refusal {
                throw refusal
            } catch {
                throw Refusal(.failed, "\(error)")
            }
        }
    }

    /// The reply to a request, or for a notification one that is not sent.
    func answer(
        _ id: JSONTree, _ data: Data, _ workspace: inout Workspace
    ) throws(Refusal) -> Data {
        try run(id, data, &workspace)
    }
}

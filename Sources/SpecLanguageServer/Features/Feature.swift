/// A method of the protocol that the server knows, with what it announces.
struct Feature {
    /// All features.
    static var all: [Feature] {
        [
            starting, opening, changing, saving, closing, watching,
            definition, references, documentSymbols, workspaceSymbols, folding,
            renaming, renamingPlace, hover, completion, quickFixes, codeLenses, formatting,
        ]
    }

    let method: String
    /// What the client is told; empty for a part of another capability.
    var capabilities: [String: JSONTree] = [:]
    /// Answers a request; the answer to a notification is not sent.
    let answer: (_ params: JSONTree, inout Workspace) throws(Refusal) -> JSONTree
}

import ArgumentParser
import SpecLanguageServer

/// `telex lsp`
struct LanguageServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lsp",
        abstract: "Serve an editor over standard input and output.",
        discussion: """
            A language server (LSP 3.17): editors start it and talk to it. The page "Editors" of the \
            documentation has the configuration of Neovim, Helix, VS Code, Zed and Emacs. Started in \
            a terminal, it waits for messages until its input ends.
            """)

    @Flag(help: "Accepted for editors that pass it; there is no other way to talk to the server.")
    var stdio = false

    func run() throws {
        let files = FileSource(
            file: { SpecFolderReader.file($0) }, folder: { SpecFolderReader.read($0) })
        var session = ServerSession(LanguageServer(version: Telex.version, files: files))
        throw ExitCode(session.run())
    }
}

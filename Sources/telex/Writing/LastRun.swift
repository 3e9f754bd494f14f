import Foundation

/// The digest of the last run that wrote an output folder, kept inside it.
///
/// It stands in the hidden folder `.telex`, which tells git to ignore it, so that committed output
/// gains no file. A digest that is missing, old or damaged only means that the files are generated
/// again.
struct LastRun {
    private let folder: URL

    init(in output: OutputFolder) {
        folder = URL(fileURLWithPath: output.path).appendingPathComponent(".telex")
    }

    private var file: URL { folder.appendingPathComponent("digest") }

    /// The text of the digest; nil if there is none.
    var digest: String? { try? String(contentsOf: file, encoding: .utf8) }

    /// Keeps the digest of this run. If the folder cannot be written, the next run is not
    /// shortened.
    func keep(_ digest: String) {
        let manager = FileManager.default
        try? manager.createDirectory(at: folder, withIntermediateDirectories: true)
        try? Data("*\n".utf8).write(to: folder.appendingPathComponent(".gitignore"))
        try? Data(digest.utf8).write(to: file, options: .atomic)
    }
}

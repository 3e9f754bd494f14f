import SpecDiagnostics
import SpecIR
import TelexCompiler

/// The open documents, and the spec folders that they belong to.
struct Workspace {
    /// What is known of one spec folder.
    private struct Entry {
        /// The folder on disk; nil if it has to be read.
        var disk: SpecFolder?
        /// Nil if a text has changed since.
        var snapshot: SpecSnapshot?
        var good: [String: GoodText] = [:]
        /// What the client shows, by address.
        var published: [String: [JSONTree]] = [:]
        /// Whether that is what the snapshot has.
        var isPublished = false
        /// The signatures of methods, as far as they are known.
        var signatures: [String: String] = [:]
    }

    let files: FileSource
    /// The unit of positions.
    var encoding = PositionEncoding.utf16
    /// What the client can do.
    var client = JSONTree.null
    private var documents: [String: OpenDocument] = [:]
    private var entries: [String: Entry] = [:]
    /// The API files on disk; nil inside for a path without one.
    private var apiFiles: [String: [UInt8]?] = [:]
    /// The documents whose diagnostics are owed to the client even if there is no change.
    private var touched: Set<String> = []
    /// Whether the client tells of changes on disk. Otherwise folders are read for each check.
    private var watchesFiles = false
    /// Requests that are to be sent.
    private var requests: [JSONTree] = []

    init(_ files: FileSource) { self.files = files }

    // MARK: Documents

    mutating func open(_ uri: String, version: Int, text: String) {
        guard let path = DocumentAddress.path(of: uri) else { return }
        documents[path] = OpenDocument(uri: uri, version: version, text: text)
        reread()
        touched.insert(path)
    }

    mutating func change(_ uri: String, version: Int, _ changes: [JSONTree]) {
        guard let path = DocumentAddress.path(of: uri) else { return }
        documents[path]?.apply(changes, version: version, encoding)
        touched.insert(path)
        for folder in entries.keys where path.hasPrefix(folder + "/") {
            entries[folder]?.snapshot = nil
        }
    }

    mutating func close(_ uri: String) {
        guard let path = DocumentAddress.path(of: uri) else { return }
        documents[path] = nil
        touched.remove(path)
        reread()
    }

    /// Has files read again, because they may have changed on disk.
    mutating func reread() {
        apiFiles = [:]
        for folder in entries.keys {
            entries[folder]?.disk = nil
            entries[folder]?.snapshot = nil
        }
    }

    func version(of path: String) -> Int? { documents[path]?.version }

    /// The address of a file, as the client writes it.
    func uri(of path: String) -> String { documents[path]?.uri ?? DocumentAddress.uri(of: path) }

    // MARK: Specs

    /// The folder of a document: the nearest one around it with an API file that is not of another
    /// format.
    private mutating func folder(of path: String) -> String? {
        var folder = path
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            for name in ["api.yaml", "api.yml"] {
                guard let bytes = apiFile("\(folder)/\(name)") else { continue }
                return DocumentAddress.isForeign(bytes) ? nil : folder
            }
        }
        return nil
    }

    private mutating func apiFile(_ path: String) -> [UInt8]? {
        if let document = documents[path] { return document.bytes }
        if let known = apiFiles[path] { return known }
        let bytes = files.file(path)
        apiFiles[path] = .some(bytes)
        return bytes
    }

    /// The spec that a document belongs to, with the path of the document; nil for other files.
    mutating func spec(of uri: String) -> (snapshot: SpecSnapshot, path: String)? {
        guard let path = DocumentAddress.path(of: uri), let folder = folder(of: path) else {
            return nil
        }
        let snapshot = snapshot(of: folder)
        return snapshot.file(path) == nil ? nil : (snapshot, path)
    }

    /// The specs of all open documents.
    mutating func specs() -> [SpecSnapshot] { folders().map { snapshot(of: $0) } }

    private mutating func folders() -> [String] {
        Set(documents.keys.compactMap { folder(of: $0) }).sorted()
    }

    private mutating func snapshot(of folder: String) -> SpecSnapshot {
        var entry = entries[folder] ?? Entry()
        if let snapshot = entry.snapshot { return snapshot }
        let disk = entry.disk ?? files.folder(folder)
        let snapshot = SpecSnapshot(overlaid(disk), good: &entry.good)
        entry.disk = watchesFiles ? disk : nil
        (entry.snapshot, entry.isPublished) = (snapshot, false)
        for group in snapshot.compilation.api?.groups ?? [] {
            for method in group.methods { entry.signatures[method.apiName] = method.signature }
        }
        entries[folder] = entry
        return snapshot
    }

    /// The Swift signature of a method; after an error in the spec, the last one.
    func signature(of method: String, in snapshot: SpecSnapshot) -> String? {
        entries[snapshot.folder.shownPath]?.signatures[method]
    }

    /// The folder with the texts of open documents.
    private func overlaid(_ disk: SpecFolder) -> SpecFolder {
        var folder = disk
        let prefix = disk.shownPath + "/"
        for (path, document) in documents where path.hasPrefix(prefix) {
            let relative = String(path.dropFirst(prefix.count))
            guard OutputName.isInput(relative) else { continue }
            folder.problems.removeAll { $0.shownPath == path || $0.code == .noFolder }
            folder.files.removeAll { $0.relativePath == relative }
            folder.files.append(
                SpecFolder.File(relativePath: relative, shownPath: path, bytes: document.bytes))
        }
        return folder
    }

    // MARK: Messages to the client

    /// Asks the client to tell of changes on disk, if it can.
    mutating func watchFiles() {
        let watching = client["workspace", "didChangeWatchedFiles"]
        guard watching["dynamicRegistration"] == true else { return }
        let watcher: JSONTree = ["globPattern": "**/*.{yaml,yml,json}"]
        let registration: JSONTree = [
            "id": "files", "method": "workspace/didChangeWatchedFiles",
            "registerOptions": ["watchers": [watcher]],
        ]
        requests.append([
            "jsonrpc": "2.0", "id": "files", "method": "client/registerCapability",
            "params": ["registrations": [registration]],
        ])
    }

    /// Takes the reply to the only request that the server makes.
    mutating func takeReply(_ reply: JSONTree) {
        if reply["id"] == "files" { watchesFiles = reply["error"] == .null }
    }

    /// The requests that are not sent yet, and the diagnostics that the client does not show yet.
    mutating func takeMessages() -> [JSONTree] {
        let folders = folders()
        var publications = requests
        requests = []
        for folder in folders {
            let snapshot = snapshot(of: folder)
            if touched.isEmpty, entries[folder]?.isPublished == true { continue }
            let found = diagnostics(of: snapshot)
            let known = entries[folder]?.published ?? [:]
            let own = touched.filter { snapshot.file($0) != nil }.map { uri(of: $0) }
            for uri in Set(found.keys).union(known.keys).union(own).sorted()
            where own.contains(uri) || found[uri] != known[uri] {
                publications.append(publication(found[uri] ?? [], of: uri))
            }
            entries[folder]?.published = found
            entries[folder]?.isPublished = true
        }
        for (folder, entry) in entries where !folders.contains(folder) {
            publications += entry.published.keys.sorted().map { publication([], of: $0) }
            entries[folder] = nil
        }
        touched = []
        return publications
    }

    private func publication(_ diagnostics: [JSONTree], of uri: String) -> JSONTree {
        var params: [String: JSONTree] = ["uri": .text(uri), "diagnostics": .list(diagnostics)]
        params["version"] = DocumentAddress.path(of: uri).flatMap { version(of: $0) }
            .map { .number($0) }
        return [
            "jsonrpc": "2.0", "method": "textDocument/publishDiagnostics",
            "params": .object(params),
        ]
    }
}

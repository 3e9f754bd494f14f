import Foundation
import TelexCompiler

@testable import SpecLanguageServer

/// An editor that talks to a server, over a folder of specs in memory.
struct EditorSession {
    /// What editors can do, of which the server needs something.
    static let capabilities: JSONTree = [
        "general": ["positionEncodings": ["utf-8", "utf-16"]],
        "workspace": [
            "workspaceEdit": ["documentChanges": true, "resourceOperations": ["rename"]],
            "didChangeWatchedFiles": ["dynamicRegistration": true],
        ],
    ]
    /// The smallest API file.
    static let api = "telex: 1\napi: Shop\nservers: { main: https://a.example/ }\n"

    private(set) var server: LanguageServer
    /// The texts of open documents, by their paths in the folder.
    private(set) var texts: [String: String] = [:]
    /// The diagnostics that the editor shows, by the paths of their documents.
    private(set) var diagnostics: [String: [JSONTree]] = [:]
    /// The version of the last diagnostics of a document.
    private(set) var shownVersions: [String: Int] = [:]
    /// The methods of the messages that were no replies.
    private(set) var received: [String] = []
    private var version = 0
    private var id = 0
    private let disk: DiskFiles

    /// Starts a session.
    ///
    /// - Parameter files: The folder `/spec` on disk. Without an `api.yaml`, it has a small one.
    init(_ files: [String: String], capabilities: JSONTree = Self.capabilities) {
        disk = DiskFiles(["api.yaml": Self.api].merging(files) { _, given in given })
        server = LanguageServer(version: "1.2.3", files: disk.source)
        request("initialize", ["capabilities": capabilities])
        notify("initialized", [:])
    }

    /// Starts a session over a spec of this repository.
    init(spec: String) throws {
        self.init(try SpecOnDisk.files(spec))
    }

    // MARK: Messages

    /// Sends a request and returns its result, or its error.
    @discardableResult
    mutating func request(_ method: String, _ params: JSONTree) -> JSONTree {
        id += 1
        let number = JSONTree.number(id)
        let replies = exchange([
            ["jsonrpc": "2.0", "id": number, "method": .text(method), "params": params]
        ])
        let reply = replies.first { $0["id"] == number && $0["method"] == .null } ?? .null
        return reply["error"] == .null ? reply["result"] : reply["error"]
    }

    mutating func notify(_ method: String, _ params: JSONTree) {
        _ = exchange([["jsonrpc": "2.0", "method": .text(method), "params": params]])
    }

    /// Sends messages that arrive at once, and returns what the server sends.
    mutating func exchange(_ messages: [JSONTree]) -> [JSONTree] {
        let replies = server.handle(messages.map { .message($0.data) }).compactMap { JSONTree($0) }
        for reply in replies {
            guard let method = reply["method"].text else { continue }
            received.append(method)
            if reply["id"] != .null {
                let answer: JSONTree = ["jsonrpc": "2.0", "id": reply["id"], "result": .null]
                _ = server.handle(answer.data)
            }
            guard method == "textDocument/publishDiagnostics" else { continue }
            let path = Self.path(of: reply["params", "uri"].text ?? "")
            diagnostics[path] = reply["params", "diagnostics"].items
            shownVersions[path] = reply["params", "version"].number
        }
        return replies
    }

    // MARK: Documents

    static func uri(_ path: String) -> JSONTree { .text("file:///spec/\(path)") }

    static func path(of uri: String) -> String { String(uri.dropFirst("file:///spec/".count)) }

    /// Opens a document, with the text on disk or another one.
    mutating func open(_ path: String, _ text: String? = nil) {
        texts[path] = text ?? disk.text(path)
        version += 1
        let document: JSONTree = [
            "uri": Self.uri(path), "languageId": "yaml", "version": .number(version),
            "text": .text(texts[path] ?? ""),
        ]
        notify("textDocument/didOpen", ["textDocument": document])
    }

    /// The message of a change of the whole text.
    mutating func change(to text: String, of path: String) -> JSONTree {
        texts[path] = text
        version += 1
        let document: JSONTree = ["uri": Self.uri(path), "version": .number(version)]
        let change: JSONTree = ["text": .text(text)]
        return [
            "jsonrpc": "2.0", "method": "textDocument/didChange",
            "params": ["textDocument": document, "contentChanges": [change]],
        ]
    }

    mutating func type(_ text: String, in path: String) {
        let message = change(to: text, of: path)
        _ = exchange([message])
    }

    mutating func close(_ path: String) {
        texts[path] = nil
        notify("textDocument/didClose", ["textDocument": ["uri": Self.uri(path)]])
    }

    /// Changes a file on disk.
    func write(_ path: String, _ text: String?) { disk.set(path, text) }

    // MARK: Places

    /// The parameters for a place: that after the first part of the text before `‸`.
    func place(_ marked: String, in path: String, _ more: [String: JSONTree] = [:]) -> JSONTree {
        let parts = marked.split(separator: "‸", omittingEmptySubsequences: false)
        let text = texts[path] ?? ""
        let whole = marked.replacing("‸", with: "")
        let start = text.range(of: whole)?.lowerBound ?? text.startIndex
        let before = text[..<text.index(start, offsetBy: parts[0].count)]
        let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
        let position: JSONTree = [
            "line": .number(lines.count - 1), "character": .number(lines.last?.utf8.count ?? 0),
        ]
        let own: [String: JSONTree] = [
            "textDocument": ["uri": Self.uri(path)], "position": position,
        ]
        return .object(own.merging(more) { first, _ in first })
    }

    func document(_ path: String) -> JSONTree { ["textDocument": ["uri": Self.uri(path)]] }

    /// The words at the places of a list of locations, with their files.
    func words(at locations: JSONTree) -> [String] {
        locations.items.map { location in
            let path = Self.path(of: location["uri"].text ?? "")
            let lines = (texts[path] ?? disk.text(path) ?? "")
                .split(separator: "\n", omittingEmptySubsequences: false)
            let (start, end) = (location["range", "start"], location["range", "end"])
            let line = Array(lines[start["line"].number ?? 0].utf8)
            let word = line[(start["character"].number ?? 0)..<(end["character"].number ?? 0)]
            return
                "\(path):\((start["line"].number ?? 0) + 1) \(String(decoding: word, as: UTF8.self))"
        }
    }

    /// The folder after the edits of a workspace.
    func applied(_ edit: JSONTree) -> [String: String] {
        var files = disk.all.merging(texts) { _, open in open }
        for change in edit["documentChanges"].items {
            if let old = change["oldUri"].text, let new = change["newUri"].text {
                files[Self.path(of: new)] = files.removeValue(forKey: Self.path(of: old))
                continue
            }
            let path = Self.path(of: change["textDocument", "uri"].text ?? "")
            var document = OpenDocument(uri: path, version: 0, text: files[path] ?? "")
            let edits = change["edits"].items.map { edit -> JSONTree in
                ["range": edit["range"], "text": edit["newText"]]
            }
            // The edits of a document are all about the text before them.
            document.apply(edits.reversed(), version: 1, .utf8)
            files[path] = String(decoding: document.bytes, as: UTF8.self)
        }
        return files
    }
}

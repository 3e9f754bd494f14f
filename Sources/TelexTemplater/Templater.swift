import TelexJSON
import TelexRuntime
@_exported public import TelexTemplates
import TelexTransport
import TemplateRules

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Stores reply templates on disk, one file `METHOD.json` for each API method.
///
/// A template is looked for in memory, then in the folder of this store, then in a folder of the
/// app's bundle. Once read, it stays in memory: a change by another process is seen at the next
/// launch, and one by this store at once.
///
/// ```swift
/// let templates = Templater()
/// try await templates.unpack(archive: archive, version: "1")
/// let template = try templates.template(for: "users.get")
/// ```
///
/// Several processes may use the same folder. Changes are made one after another, under a lock on a
/// file of the folder (`flock`), which the system releases when a process ends; reading waits for
/// nothing. A change is atomic: after a crash, a file is the old one or the new one. Only the owner
/// can read the files, because replies may be private. The methods that make changes throw
/// `CancellationError` if the task is cancelled while it waits for its turn, and ``TemplaterError``.
///
/// Two methods whose names differ in case alone have the same file where file systems ignore case.
public final class Templater: Sendable {
    /// What is in memory.
    private struct Memory {
        var templates: [String: Template] = [:]
        /// Counts changes, so that a template that was read before one is not kept after it.
        var changes = 0
    }

    /// The meaning of the rules in templates.
    public let compatibility: TemplateCompatibility
    /// The default folder, which also has the files of the store itself.
    let base: TemplateFolder
    let home: String
    /// The folder in the app's bundle.
    let bundled: TemplateFolder?
    /// Runs between the steps of a change; tests end the process here.
    let checkpoint: @Sendable () -> Void
    private let pause: FileLock.Pause
    private let memory = Lock(Memory())

    /// Makes a store. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - folder: The folder of the templates until ``move(to:)`` chooses another one. It is
    ///     created when it is needed.
    ///   - bundled: A folder of templates that are part of the app, used for methods that have none
    ///     in the store; none by default.
    ///   - compatibility: The meaning of the rules in templates.
    public convenience init(
        folder: URL = Templater.defaultFolder, bundled: URL? = nil,
        compatibility: TemplateCompatibility = .documented
    ) {
        self.init(
            folder: folder.filePath ?? "", home: URL.homeDirectory.filePath ?? "",
            bundled: bundled.map { $0.filePath ?? "" }, compatibility: compatibility)
    }

    /// - Parameters:
    ///   - home: The path of the home folder.
    ///   - pause: Waits before the lock of another process is tried again.
    ///   - checkpoint: Runs between the steps of a change.
    package init(
        folder: String, home: String, bundled: String? = nil,
        compatibility: TemplateCompatibility = .documented,
        pause: @escaping FileLock.Pause = { try await Task.sleep(for: $0) },
        checkpoint: @escaping @Sendable () -> Void = {}
    ) {
        base = TemplateFolder(path: folder)
        self.home = home
        self.bundled = bundled.map(TemplateFolder.init)
        self.compatibility = compatibility
        self.pause = pause
        self.checkpoint = checkpoint
    }

    /// `TelexTemplates` in the folder for files that support the app: `Library/Application Support`
    /// on Apple's platforms, `$XDG_DATA_HOME` or `~/.local/share` on Linux.
    public static var defaultFolder: URL {
        #if canImport(Darwin)
            let data = URL.applicationSupportDirectory
        #else
            let data = dataFolder(ProcessInfo.processInfo.environment["XDG_DATA_HOME"])
        #endif
        return data.appending(path: "TelexTemplates")
    }

    /// The folder for data of the user (XDG Base Directory Specification 0.8), which ignores
    /// relative paths.
    package static func dataFolder(_ variable: String?) -> URL {
        guard let variable, variable.hasPrefix("/") else {
            return .homeDirectory.appending(path: ".local/share")
        }
        return URL(filePath: variable, directoryHint: .isDirectory)
    }

    /// The folder of the templates.
    ///
    /// - Throws: ``TemplaterError`` if the file that remembers the folder cannot be read.
    public var folder: URL {
        get throws(TemplaterError) { URL(filePath: try places().folder.path) }
    }

    /// Returns the template of a method; nil if there is none.
    ///
    /// - Parameter method: The API's own name of the method: `users.get`.
    /// - Throws: If the name is not one of a method, or if the template cannot be read or has
    ///   mistakes.
    public func template(for method: String) throws(TemplaterError) -> Template? {
        let (known, changes) = memory.withLock { ($0.templates[method], $0.changes) }
        if let known { return known }
        guard let (bytes, file) = try stored(method) else { return nil }
        let template: Template
        do throws(TemplateError) {
            template = try Template(
                parsing: bytes, of: method + ".json", compatibility: compatibility)
        } catch {
            throw TemplaterError(file, .corrupt(error.summary))
        }
        memory.withLock { memory in
            if memory.changes == changes { memory.templates[method] = template }
        }
        return template
    }

    /// Writes the template of a method, or replaces it.
    ///
    /// - Parameters:
    ///   - reply: A reply with or without rules. It is indented, with its keys in their order; a
    ///     text with comments is written as it is.
    ///   - method: The API's own name of the method: `users.get`.
    /// - Throws: If the reply is empty or not a template, if the name is not one of a method, or if
    ///   the file cannot be written. The previous template then stays.
    public func write(_ reply: [UInt8], for method: String) async throws {
        try TemplateFolder.check(name: method)
        let text = try TemplateText(checking: reply, of: method, compatibility)
        try await changing(method) { folder throws(TemplaterError) in
            try folder.create()
            try folder.replaceTemplate(of: method, with: text.bytes)
        }
    }

    /// Removes the template of a method from disk and memory; nothing happens if there is none. One
    /// in the bundle stays.
    ///
    /// - Throws: If the name is not one of a method, or if the file cannot be removed.
    public func remove(_ method: String) async throws {
        try TemplateFolder.check(name: method)
        try await changing(method) { folder throws(TemplaterError) in
            try folder.removeTemplate(of: method)
        }
    }

    /// Removes all templates from disk and memory. Those in the bundle stay, and an archive is
    /// unpacked again when ``unpack(archive:version:overwriting:)`` is called next.
    ///
    /// - Throws: If a file cannot be removed.
    public func removeAll() async throws {
        try await changing { [base] folder throws(TemplaterError) in
            // First, so that after a crash in between the archive is unpacked again.
            try base.removeFile(UnpackedDefaults.fileName)
            try folder.removeTemplates()
        }
    }
}

// MARK: Listing and purging

extension Templater {
    /// The templates on disk, by name. Those in the bundle are not listed.
    ///
    /// - Throws: If the folder cannot be read.
    public func list() throws(TemplaterError) -> [StoredTemplate] {
        try places().folder.templates()
    }

    /// The size of all templates on disk in bytes.
    ///
    /// - Throws: If the folder cannot be read.
    public func size() throws(TemplaterError) -> Int {
        try list().reduce(0) { $0 + $1.size }
    }

    /// Removes the templates that were written first, until only some are left.
    ///
    /// - Parameter count: How many templates stay; all go for 0 and less.
    /// - Returns: The methods whose templates were removed.
    /// - Throws: If a file cannot be removed.
    @discardableResult
    public func purge(keeping count: Int) async throws -> [String] {
        try await purge { templates in
            templates.sorted { $0.modified > $1.modified }.dropFirst(max(0, count))
        }
    }

    /// Removes the templates that were written before a time.
    ///
    /// - Parameter date: The time.
    /// - Returns: The methods whose templates were removed.
    /// - Throws: If a file cannot be removed.
    @discardableResult
    public func purge(olderThan date: Date) async throws -> [String] {
        try await purge { $0.filter { $0.modified < date }[...] }
    }

    private func purge(
        _ choice: @Sendable ([StoredTemplate]) -> ArraySlice<StoredTemplate>
    ) async throws -> [String] {
        try await changing { folder throws(TemplaterError) in
            let methods = choice(try folder.templates()).map(\.method).sorted()
            for method in methods { try folder.removeTemplate(of: method) }
            return methods
        }
    }
}

// MARK: Steps

extension Templater {
    /// The places as they are on disk.
    func places() throws(TemplaterError) -> TemplatePlaces {
        guard !base.path.isEmpty else { throw TemplaterError(base.path, .notAPath) }
        return try TemplatePlaces(in: base, home: home)
    }

    /// The text of a method's template, from disk or the bundle, and its file.
    func stored(_ method: String) throws(TemplaterError) -> (bytes: [UInt8], file: String)? {
        try TemplateFolder.check(name: method)
        var folder: TemplateFolder
        repeat {
            folder = try places().folder
            if let bytes = try folder.read(method) { return (bytes, folder.file(of: method)) }
            // Another task or process may have moved the templates meanwhile.
        } while try places().folder != folder
        guard let bundled else { return nil }
        guard !bundled.path.isEmpty else { throw TemplaterError(bundled.path, .notAPath) }
        return try bundled.read(method).map { ($0, bundled.file(of: method)) }
    }

    /// Makes a change while no other task or process makes one.
    ///
    /// - Parameters:
    ///   - method: The only method whose template changes; nil for several.
    ///   - change: The change; its argument is the folder of the templates.
    func changing<Result: Sendable>(
        _ method: String? = nil,
        _ change: @Sendable (TemplateFolder) throws(TemplaterError) -> Result
    ) async throws -> Result {
        let lock = base.file(named: ".lock")
        _ = try places()
        return try await LockRegistry.shared.withLock(.named(lock, kind: "templates")) {
            try base.create()
            let file = try await acquire(lock)
            defer { extendLifetime(file) }
            tidy()
            // Also after an error, because some of the change may have been made.
            defer { forget(method) }
            return try change(try places().folder)
        }
    }

    private func acquire(_ lock: String) async throws(TemplaterError) -> OpenFile {
        do throws(DiskFile.Problem) {
            return try await FileLock(path: lock, pause: pause).acquire()
        } catch { throw TemplaterError(lock, error) }
    }

    /// Forgets a template in memory; all of them without a method.
    private func forget(_ method: String?) {
        memory.withLock { memory in
            if let method { memory.templates[method] = nil } else { memory.templates = [:] }
            memory.changes += 1
        }
    }
}

extension URL {
    /// The path without a slash at its end; nil if this is not the address of a file.
    var filePath: String? {
        guard isFileURL else { return nil }
        let path = absoluteURL.path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

import Foundation
import TelexRuntime

/// The body of a request in a form that a session can send.
struct Upload: Sendable {
    enum Content: Sendable {
        case none
        case data(Data)
        case file(URL)
    }

    /// How many bytes are read into memory rather than handed over as a file. corelibs-foundation
    /// traps if a task is cancelled while it waits for bytes of its file.
    private static var mostInMemory: Int {
        #if canImport(FoundationNetworking)
            4_194_304
        #else
            -1
        #endif
    }

    let content: Content
    /// Told what happens, if a file of the caller is sent.
    private(set) var watch: FileWatch?
    private var temporaryFile: URL?

    init(_ body: RequestBody?) async throws(TransportError) {
        switch body {
        case .none: content = .none
        case .bytes(let bytes): content = .data(Data(bytes))
        case .some(let body) where body.length.map { $0 <= Self.mostInMemory } ?? false:
            content = .data(try await Self.data(of: body))
        case .file(let path, let length):
            watch = FileWatch(try PromisedFile(path: path, length: length), length: length)
            content = .file(URL(fileURLWithPath: path))
        case .parts(let parts) where parts.allSatisfy(\.isInMemory):
            content = .data(parts.reduce(into: Data()) { $0.append(contentsOf: $1.bytes) })
        case .some(let body):
            let url = try await Self.writeToTemporaryFile(body)
            content = .file(url)
            temporaryFile = url
        }
    }

    /// The same as a file, which is all that a background session sends; what is none yet is
    /// written to `url`.
    init(
        _ body: RequestBody?, spooledTo url: () throws(TransportError) -> URL
    ) async throws(TransportError) {
        switch body {
        case .none: content = .none
        case .file(let path, let length):
            try RequestBody.checkFile(path: path, length: length)
            content = .file(URL(fileURLWithPath: path))
        case .some(let body):
            let url = try url()
            try await Self.writeOrRemove(body, url)
            content = .file(url)
            temporaryFile = url
        }
    }

    var removeTemporaryFile: @Sendable () -> Void {
        { [temporaryFile] in
            if let temporaryFile { try? FileManager.default.removeItem(at: temporaryFile) }
        }
    }

    private static func data(of body: RequestBody) async throws(TransportError) -> Data {
        var data = Data()
        try await body.read { data.append(contentsOf: $0) }
        return data
    }

    private static func writeToTemporaryFile(
        _ body: RequestBody
    ) async throws(TransportError) -> URL {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-\(UUID().uuidString).body")
        try await writeOrRemove(body, url)
        return url
    }

    private static func writeOrRemove(
        _ body: RequestBody, _ url: URL
    ) async throws(TransportError) {
        do {
            try await write(body, to: url)
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
    }

    private static func write(_ body: RequestBody, to url: URL) async throws(TransportError) {
        let file = try attempt {
            guard
                FileManager.default.createFile(
                    atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            return try FileHandle(forWritingTo: url)
        }
        defer { try? file.close() }
        try await body.read { chunk throws(TransportError) in
            try attempt { try file.write(contentsOf: Data(chunk)) }
        }
    }

    private static func attempt<Value>(
        _ work: () throws -> Value
    ) throws(TransportError) -> Value {
        do { return try work() } catch {
            throw TransportError(.other, "cannot write the body to a temporary file: \(error)")
        }
    }
}

extension RequestBody.Part {
    fileprivate var isInMemory: Bool {
        if case .bytes = self { true } else { false }
    }

    fileprivate var bytes: [UInt8] {
        if case .bytes(let bytes) = self { bytes } else { [] }
    }
}

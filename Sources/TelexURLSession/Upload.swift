import Foundation
import TelexRuntime

/// The body of a request in a form that a session can send.
struct Upload: Sendable {
    enum Content: Sendable {
        case none
        case data(Data)
        case file(URL, length: Int)
    }

    let content: Content
    /// Told what happens, if a file of the caller is sent.
    private(set) var watch: FileWatch?
    private var temporaryFile: URL?

    init(_ body: RequestBody?) async throws(TransportError) {
        switch body {
        case .none: content = .none
        case .bytes(let bytes): content = .data(Data(bytes))
        case .file(let path, let length):
            watch = FileWatch(try PromisedFile(path: path, length: length), length: length)
            content = .file(URL(fileURLWithPath: path), length: length)
        case .parts(let parts) where parts.allSatisfy(\.isInMemory):
            content = .data(parts.reduce(into: Data()) { $0.append(contentsOf: $1.bytes) })
        case .some(let body):
            let url = FileManager.default.temporaryDirectory
                .appendingPathComponent("telex-\(UUID().uuidString).body")
            content = .file(url, length: try await Self.writeOrRemove(body, url))
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
            content = .file(URL(fileURLWithPath: path), length: length)
        case .some(let body):
            let url = try url()
            content = .file(url, length: try await Self.writeOrRemove(body, url))
            temporaryFile = url
        }
    }

    var removeTemporaryFile: @Sendable () -> Void {
        { [temporaryFile] in
            if let temporaryFile { try? FileManager.default.removeItem(at: temporaryFile) }
        }
    }

    private static func writeOrRemove(
        _ body: RequestBody, _ url: URL
    ) async throws(TransportError) -> Int {
        do {
            return try await write(body, to: url)
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
    }

    /// - Returns: How many bytes it has.
    private static func write(
        _ body: RequestBody, to url: URL
    ) async throws(TransportError) -> Int {
        let file = try attempt {
            guard
                FileManager.default.createFile(
                    atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            return try FileHandle(forWritingTo: url)
        }
        defer { try? file.close() }
        var count = 0
        try await body.read { chunk throws(TransportError) in
            try attempt { try file.write(contentsOf: Data(chunk)) }
            count += chunk.count
        }
        return count
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

import Foundation
import TelexTransport

/// The body of a request in a form that a session can send.
struct Upload: Sendable {
    enum Content: Sendable {
        case none
        case data(Data)
        case file(URL, length: Int)
    }

    let content: Content
    /// The watch of the caller's file, if one is sent.
    private(set) var watch: FileWatch?
    private var temporaryFile: URL?

    /// - Parameter timeout: The idle time-out of a stream while its bytes are stored before they
    ///   are sent.
    init(_ body: RequestBody?, timeout: Duration) async throws(TransportError) {
        switch body {
        case .none: content = .none
        case .bytes(let bytes): content = .data(Data(bytes))
        case .file(let path, let length):
            watch = FileWatch(try FileSnapshot(path: path, length: length), length: length)
            content = .file(URL(fileURLWithPath: path), length: length)
        case .parts(let parts) where parts.allSatisfy(\.isInMemory):
            content = .data(parts.reduce(into: Data()) { $0.append(contentsOf: $1.bytes) })
        case .some(let body):
            let url = FileManager.default.temporaryDirectory
                .appendingPathComponent("telex-\(UUID().uuidString).body")
            content = .file(
                url, length: try await Self.writeOrRemove(body, to: url, timeout: timeout))
            temporaryFile = url
        }
    }

    /// Makes an upload from a file, because a background session sends nothing else; a body that is
    /// not a file is written to `url`.
    init(
        _ body: RequestBody?, timeout: Duration, spooledTo url: () throws(TransportError) -> URL
    ) async throws(TransportError) {
        switch body {
        case .none: content = .none
        case .file(let path, let length):
            try RequestBody.checkFile(path: path, length: length)
            content = .file(URL(fileURLWithPath: path), length: length)
        case .some(let body):
            let url = try url()
            content = .file(
                url, length: try await Self.writeOrRemove(body, to: url, timeout: timeout))
            temporaryFile = url
        }
    }

    var removeTemporaryFile: @Sendable () -> Void {
        { [temporaryFile] in
            if let temporaryFile { try? FileManager.default.removeItem(at: temporaryFile) }
        }
    }

    /// Writes a body to a file. After a time-out the writing task is cancelled but not awaited,
    /// because a stream may ignore cancellation.
    ///
    /// - Returns: The number of bytes written.
    private static func writeOrRemove(
        _ body: RequestBody, to url: URL, timeout: Duration
    ) async throws(TransportError) -> Int {
        let idleTimeout = IdleTimeout()
        let (outcomes, outcome) = AsyncStream.makeStream(of: Result<Int, TransportError>.self)
        let writer = Task {
            outcome.yield(await written(body, to: url, idleTimeout: idleTimeout))
            // After a time-out, the file is removed right after the cancellation. The task removes
            // what it has written since.
            if Task.isCancelled { remove(url) }
        }
        do throws(TransportError) {
            return try await first(of: outcomes, idleTimeout: idleTimeout, timeout: timeout).get()
        } catch {
            writer.cancel()
            remove(url)
            throw error
        }
    }

    /// Returns the first outcome, or a time-out error.
    private static func first(
        of outcomes: AsyncStream<Result<Int, TransportError>>, idleTimeout: IdleTimeout,
        timeout: Duration
    ) async -> Result<Int, TransportError> {
        await withTaskGroup { group in
            group.addTask { await outcomes.first { _ in true } ?? .failure(.cancelled) }
            group.addTask {
                await idleTimeout.wait(for: timeout)
                return .failure(Task.isCancelled ? .cancelled : .timedOut(after: timeout))
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(.cancelled)
        }
    }

    private static func remove(_ file: URL) { try? FileManager.default.removeItem(at: file) }

    private static func written(
        _ body: RequestBody, to url: URL, idleTimeout: IdleTimeout
    ) async -> Result<Int, TransportError> {
        do throws(TransportError) {
            return .success(try await write(body, to: url, idleTimeout: idleTimeout))
        } catch { return .failure(error) }
    }

    private static func write(
        _ body: RequestBody, to url: URL, idleTimeout: IdleTimeout
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
            idleTimeout.end()
            try attempt { try file.write(contentsOf: Data(chunk)) }
            count += chunk.count
        }
        return count
    }

    private static func attempt<Value>(
        _ work: () throws -> Value
    ) throws(TransportError) -> Value {
        do { return try work() } catch { throw .cannotStore(error) }
    }
}

extension TransportError {
    /// The body has to be stored on disk before it is sent, and cannot be. Not a fault of the
    /// network; the next attempt would fail too.
    static func cannotStore(_ problem: any Error) -> TransportError {
        TransportError(
            .invalidRequest,
            "cannot store the body to send; make room on this device's disk, and make sure that this "
                + "process may write there: \(problem.localizedDescription)")
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

import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import TelexTransport
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

private let empty = TransportReply.json(#"{"response":[]}"#)

/// The path of a file in a folder of its own, which is removed at the end.
func withFile<T>(_ body: (String) async throws -> T) async throws -> T {
    let folder = temporaryPath()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body("\(folder)/file")
}

/// Downloads from a file on a server, with retries without delay.
private struct Downloads {
    let server: FileOnServer
    let manager: APIManager<TinyAPI>
    let transport: InMemoryTransport

    init(_ server: FileOnServer) {
        self.server = server
        transport = InMemoryTransport(serving: server.answer)
        manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
        ) { $0.settings.clock = .stopped }
    }

    func start(_ path: String, attempts: Int = 3) -> DownloadOperation {
        let retry = RetryPolicy(attempts: attempts, backoff: Backoff(initial: .zero))
        return manager.operation(
            EngineRequests.download(id: 1, to: path), options: CallOptions(retry: retry))
    }
}

@Suite("A download")
struct DownloadOperationTests {
    private let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    @Test("a download puts the complete file in place, and nothing else")
    func whole() async throws {
        try await withFile { path in
            let downloads = Downloads(FileOnServer(bytes, entityTag: "\"1\""))
            let operation = downloads.start(path)
            let progress = operation.progress
            let file = try await operation.value
            #expect(file.path == path && file.bytes == bytes.count)
            #expect(try DiskFile.read(path) == bytes)
            let folder = URL(filePath: path).deletingLastPathComponent().path()
            #expect(try names(in: folder) == ["file"])
            var last: OperationProgress?
            for await step in progress { last = step }
            #expect(last?.fraction == 1)
        }
    }

    @Test("a download continues through a hundred drops, and fetches no byte twice")
    func drops() async throws {
        try await withFile { path in
            let downloads = Downloads(FileOnServer(bytes, entityTag: "\"1\""))
            for _ in 0..<100 { downloads.server.cutNextReply(after: 1_000) }
            _ = try await downloads.start(path).value
            #expect(try DiskFile.read(path) == bytes)
            #expect(downloads.transport.requests.count == 101)
            #expect(downloads.server.bodyBytesSent == bytes.count)
        }
    }

    @Test("a download reports completion with nothing received: its file is empty or was complete")
    func nothingToCome() async throws {
        try await withFile { path in
            let none = Downloads(FileOnServer([], entityTag: "\"1\""))
            #expect(await fractions(of: none.start(path)) == [1])
        }
        try await withFile { path in
            let (there, bytes) = (Gate(), Array(bytes.prefix(1_000)))
            let (first, fields): (Counter, HTTPFields) = (Counter(), [.eTag: "\"1\""])
            let client = TestClient { request in
                guard request.head.headerFields[.range] == nil else {
                    return .bytes(
                        [], status: .rangeNotSatisfiable,
                        fields: [.contentRange: "bytes */1000", .eTag: "\"1\""])
                }
                let body = ReplyBody(length: 1_000) { () async throws(TransportError) in
                    if first.next() == 1 { return bytes }
                    there.open()
                    await Gate().wait()
                    return nil
                }
                return TransportReply(
                    head: HTTPResponse(status: .ok, headerFields: fields), body: body)
            }
            let lost = client.manager.operation(EngineRequests.download(id: 1, to: path))
            lost.start()
            await there.wait()
            lost.cancel()
            let rest = client.manager.operation(EngineRequests.download(id: 1, to: path))
            #expect(await fractions(of: rest) == [1])
            #expect(client.transport.requests.count == 2)
        }
    }

    @Test("a continued download in a group adds only its new bytes to the throughput")
    func throughput() async throws {
        try await withFile { path in
            let bytes = [UInt8](repeating: 1, count: 1_000)
            let fields: HTTPFields = [.eTag: "\"1\"", .contentRange: "bytes 1000-1999/2000"]
            let clock = Lock<VirtualClock?>(nil)
            let client = TestClient { request in
                guard request.head.headerFields[.range] != nil else {
                    return .chunks(
                        [bytes], length: 2_000, then: TransportError(.connectionLost, "x"),
                        fields: [.eTag: "\"1\"", .contentLength: "2000"])
                }
                let sent = Counter()
                let body = ReplyBody(length: 1_000) { () async throws(TransportError) in
                    clock.withLock { $0 }?.advance(by: .milliseconds(100))
                    return sent.next() <= 10 ? Array(bytes.prefix(100)) : nil
                }
                return TransportReply(
                    head: HTTPResponse(status: .partialContent, headerFields: fields), body: body)
            }
            clock.withLock { $0 = client.clock }
            let lost = client.manager.operation(EngineRequests.download(id: 1, to: path))
            #expect(await failure(lost)?.isRetryable == true)
            let group = client.manager.group { group in
                _ = try await group.run(NetworkOperation<Int> { 1 })
                client.clock.advance(by: .milliseconds(100))
                return try await group.run(
                    client.manager.operation(EngineRequests.download(id: 1, to: path)))
            }
            let fastest = Lock(0.0)
            group.tracker.forward { progress in
                fastest.withLock { $0 = max($0, progress.throughput ?? 0) }
            }
            let file = try await group.value
            #expect(file.bytes == 2_000)
            // From zero, the estimate approaches a thousand bytes a second within one second.
            #expect((200...300).contains(fastest.withLock { $0 }))
        }
    }

    /// The progress that is published until it has succeeded.
    private func fractions(of download: DownloadOperation) async -> [Double?] {
        let progress = download.progress
        download.start()
        var all: [Double?] = []
        for await step in progress where step.hasStarted { all.append(step.fraction) }
        #expect(download.state == .succeeded)
        return all
    }

    @Test("a download continues in another operation, as after the end of the process")
    func anotherProcess() async throws {
        try await withFile { path in
            let downloads = Downloads(FileOnServer(bytes, entityTag: "\"1\""))
            downloads.server.cutNextReply(after: 50_000)
            let error = await failure(downloads.start(path, attempts: 1))
            #expect(error?.isRetryable == true)
            let file = try await downloads.start(path).value
            #expect(file.bytes == bytes.count)
            #expect(downloads.server.bodyBytesSent == bytes.count)
            #expect(try DiskFile.read(path) == bytes)
        }
    }

    @Test("a download restarts cleanly when the file has changed")
    func changed() async throws {
        try await withFile { path in
            let downloads = Downloads(FileOnServer(bytes, entityTag: "\"1\""))
            downloads.server.cutNextReply(after: 50_000)
            _ = await failure(downloads.start(path, attempts: 1))
            let other = Array(bytes.reversed().dropLast(7))
            downloads.server.replace(with: other, entityTag: "\"2\"")
            _ = try await downloads.start(path).value
            #expect(try DiskFile.read(path) == other)
        }
    }

    @Test("a download continues where its bytes ended, even after an unexpected end")
    func silentEnd() async throws {
        try await withFile { path in
            let document = ServedDocument(bytes: Array(bytes.prefix(300)))
            let transport = InMemoryTransport { request in
                let (head, body) = document.answer(request.head.headerFields)
                return .chunks(
                    [Array(body.prefix(100))], status: head.status, fields: head.headerFields)
            }
            let manager = APIManager<TinyAPI>(
                transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
            ) { $0.settings.clock = .stopped }
            let retry = RetryPolicy(backoff: Backoff(initial: .zero))
            _ = try await manager.operation(
                EngineRequests.download(id: 1, to: path), options: CallOptions(retry: retry)
            ).value
            #expect(try DiskFile.read(path) == document.bytes)
            #expect(
                transport.requests.map { $0.head.headerFields[.range] }
                    == [nil, "bytes=100-", "bytes=200-"])
        }
    }

    @Test("a download is not repeated if the server sends a wrong range")
    func senseless() async throws {
        try await withFile { path in
            let transport = InMemoryTransport { _ in
                .bytes([1], status: .partialContent, fields: [.contentRange: "bytes 7-7/9"])
            }
            let manager = APIManager<TinyAPI>(
                transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
            ) { $0.settings.clock = .stopped }
            let retry = RetryPolicy(backoff: Backoff(initial: .zero))
            let error = await failure(
                manager.operation(
                    EngineRequests.download(id: 1, to: path), options: CallOptions(retry: retry)))
            #expect(error?.isRetryable == false && error?.attempts == 1)
        }
    }

    @Test("a download leaves the old file in place when it fails, and reports the server's error")
    func refused() async throws {
        try await withFile { path in
            try DiskFile.replace(path, with: [1, 2, 3])
            let transport = InMemoryTransport { _ in
                .json(#"{"error":{"error_code":15,"error_msg":"no"}}"#, status: .forbidden)
            }
            let manager = APIManager<TinyAPI>(
                transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
            ) { $0.settings.clock = .stopped }
            let error = await failure(
                manager.operation(EngineRequests.download(id: 1, to: path)))
            #expect(error?.status == 403 && error?.message == "no")
            #expect(try DiskFile.read(path) == [1, 2, 3])
        }
    }

    @Test("a download reports an unusable path, with a remedy")
    func noFolder() async {
        let downloads = Downloads(FileOnServer(bytes, entityTag: nil))
        let error = await failure(downloads.start("/nowhere/at/all/file"))
        #expect(error?.description.contains("create it first") == true)
        #expect(error?.fault == .caller)
    }

    @Test("a download releases its path when it is cancelled, and can be continued later")
    func cancelled() async throws {
        try await withFile { path in
            let gate = Gate()
            let downloads = Downloads(FileOnServer(bytes, entityTag: "\"1\""))
            let slow = APIManager<TinyAPI>(
                transport: InMemoryTransport { _ in
                    .chunks(
                        [Array(bytes.prefix(1_000))], length: bytes.count, after: gate,
                        fields: [.eTag: "\"1\""])
                },
                credentials: MemoryCredentialStore(Credential(token: secret))
            ) { $0.settings.clock = .stopped }
            let operation = slow.operation(EngineRequests.download(id: 1, to: path))
            let progress = operation.progress
            operation.start()
            for await step in progress where step.received == 1_000 { break }
            operation.cancel()
            gate.open()
            _ = try await downloads.start(path).value
            #expect(try DiskFile.read(path) == bytes)
            #expect(downloads.server.bodyBytesSent == bytes.count - 1_000)
        }
    }

    /// Sends three bytes one by one; the second one opens a gate and waits for the other.
    private func threeBytes(_ sent: Counter, _ gate: Gate, _ rest: Gate) -> APIManager<TinyAPI> {
        let transport = InMemoryTransport { _ in
            let body = ReplyBody(length: 3) { () async throws(TransportError) in
                let number = sent.next()
                if number == 2 {
                    gate.open()
                    await rest.wait()
                }
                return number <= 3 ? [UInt8(number)] : nil
            }
            return TransportReply(head: HTTPResponse(status: .ok), body: body)
        }
        return APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
        ) { $0.settings.clock = .stopped }
    }

    @Test("a download receives nothing while it is suspended")
    func suspended() async throws {
        try await withFile { path in
            let gate = Gate()
            let rest = Gate()
            let sent = Counter()
            let manager = threeBytes(sent, gate, rest)
            let operation = manager.operation(EngineRequests.download(id: 1, to: path))
            operation.start()
            await gate.wait()
            operation.suspend()
            rest.open()
            #expect(operation.state == .suspended)
            #expect(sent.value == 2)
            operation.resume()
            let file = try await operation.value
            #expect(file.bytes == 3)
            #expect(try DiskFile.read(path) == [1, 2, 3])
        }
    }
}

@Suite("A stream")
struct StreamOperationTests {
    private func client(_ reply: @escaping InMemoryTransport.Script) -> APIManager<TinyAPI> {
        APIManager<TinyAPI>(transport: InMemoryTransport(reply)) { $0.settings.clock = .stopped }
    }

    @Test("a stream delivers its elements in order, however the bytes are split")
    func elements() async throws {
        let text = "data: 1\n\nid: 7\ndata: 2\n\ndata: 3\n\n"
        for size in 1...text.utf8.count {
            let bytes = Array(text.utf8)
            let chunks = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            let stream = client { _ in .chunks(chunks) }.operation(EngineRequests.events())
            var seen: [Int] = []
            for try await element in stream.elements { seen.append(element) }
            #expect(seen == [1, 2, 3])
            #expect(stream.state == .succeeded)
        }
    }

    @Test("a stream gives its elements to its first reader; a second one gets none")
    func secondReader() async throws {
        let stream = client { _ in .chunks([Array("1\n2\n3\n".utf8)]) }
            .operation(EngineRequests.lines())
        let first = stream.elements
        do { _ = stream.elements }
        var seen: [Int] = []
        for try await element in first { seen.append(element) }
        #expect(seen == [1, 2, 3])
    }

    @Test("a stream counts elements that are not read")
    func unread() async throws {
        let stream = client { _ in .chunks([Array("1\n\n2\n3".utf8)]) }
            .operation(EngineRequests.lines())
        #expect(try await stream.value.count == 3)
    }

    @Test("a stream requests no more than its reader consumes")
    func backPressure() async throws {
        let sent = Counter()
        let manager = client { _ in
            let body = ReplyBody(length: nil) { () async throws(TransportError) in
                let number = sent.next()
                return number <= 1_000 ? Array("\(number)\n".utf8) : nil
            }
            return TransportReply(head: HTTPResponse(status: .ok), body: body)
        }
        let stream = manager.operation(EngineRequests.lines())
        var iterator = stream.elements.makeAsyncIterator()
        for number in 1...100 {
            #expect(try await iterator.next() == number)
            #expect(sent.value <= number + 20)
        }
        stream.cancel()
        await #expect(throws: CancellationError.self) {
            while try await iterator.next() != nil {}
        }
    }

    @Test("a stream fails after an oversized element, and delivers the elements before it")
    func tooLarge() async {
        let long = String(repeating: "x", count: 5_000)
        for (request, text) in [
            (EngineRequests.events(), "data: 1\n\ndata: 2\n\ndata: \(long)"),
            (EngineRequests.lines(), "1\n2\n\(long)"),
        ] {
            let asked = Counter()
            let manager = client { _ in
                let body = ReplyBody(length: nil) { () async throws(TransportError) in
                    asked.next() == 1 ? Array(text.utf8) : nil
                }
                return TransportReply(head: HTTPResponse(status: .ok), body: body)
            }
            let (seen, error) = await manager.operation(request).seen()
            #expect(seen == [1, 2])
            #expect(error?.reason == .transport(.tooLarge(limit: 4_096)))
            #expect(asked.value == 1)
        }
    }

    @Test("a stream ignores the size of what follows its end")
    func largeBehindEnd() throws {
        let long = String(repeating: "x", count: 5_000)
        for (format, text) in [
            (StreamFormat.serverSentEvents(until: "end"), "data: 1\n\ndata: end\n\ndata: \(long)"),
            (.jsonLines(until: "end"), "1\nend\n\(long)"),
        ] {
            var decoder = StreamDecoder(format, limit: 4_096, lastEventID: "")
            #expect(try decoder.feed(Array(text.utf8)).map(\.bytes) == [Array("1".utf8)])
            #expect(decoder.isOver && decoder.error == nil)
        }
    }

    @Test("a stream continues after its last event, and repeats nothing")
    func reconnects() async throws {
        let sent = Counter()
        let transport = InMemoryTransport { request in
            guard sent.next() == 1 else {
                return .chunks([Array("data: 2\n\n".utf8)])
            }
            return .chunks(
                [Array("id: a\ndata: 1\n\n".utf8)], then: TransportError(.connectionLost, "x"))
        }
        let stream = APIManager<TinyAPI>(transport: transport) { $0.settings.clock = .stopped }
            .operation(
                EngineRequests.events(),
                options: CallOptions(retry: RetryPolicy(backoff: Backoff(initial: .zero))))
        var seen: [Int] = []
        for try await element in stream.elements { seen.append(element) }
        #expect(seen == [1, 2])
        let name = try #require(HTTPField.Name("Last-Event-ID"))
        #expect(transport.requests.map { $0.head.headerFields[name] } == [nil, "a"])
    }

    @Test("a stream fails rather than repeat delivered elements")
    func noRepeat() async {
        let sent = Counter()
        let manager = client { _ in
            _ = sent.next()
            return .chunks([Array("1\n".utf8)], then: TransportError(.connectionLost, "x"))
        }
        let stream = manager.operation(
            EngineRequests.lines(), options: CallOptions(retry: .standard))
        #expect(await failure(stream)?.attempts == 1)
        #expect(sent.value == 1)
    }

    @Test("a stream is repeated if it breaks off before its first element")
    func brokenOffAtOnce() async throws {
        let sent = Counter()
        let manager = client { _ in
            sent.next() == 1
                ? .chunks([], then: TransportError(.connectionLost, "x"))
                : .chunks([Array("1\n".utf8)])
        }
        let stream = manager.operation(
            EngineRequests.lines(),
            options: CallOptions(retry: RetryPolicy(backoff: Backoff(initial: .zero))))
        var seen: [Int] = []
        for try await element in stream.elements { seen.append(element) }
        #expect(seen == [1] && sent.value == 2)
    }

    @Test("a stream reports the position of an invalid element")
    func invalid() async {
        let stream = client { _ in .chunks([Array("1\n\"x\"\n".utf8)]) }
            .operation(EngineRequests.lines())
        #expect(await failure(stream)?.violations.map(\.rule) == ["type"])
    }

    @Test("a stream is cancelled when its reader stops before the end")
    func readerStops() async throws {
        let manager = client { _ in .chunks([Array("1\n2\n".utf8)], after: Gate()) }
        let stream = manager.operation(EngineRequests.lines())
        let ended = Gate()
        stream.whenEnded { _ in ended.open() }
        for try await element in stream.elements where element == 1 { break }
        await ended.wait()
        #expect(stream.state == .cancelled)
        #expect(manager.operations.isEmpty)
    }

    @Test("a stream continues while it may still be read")
    func readerPauses() async throws {
        let stream = client { _ in .chunks([Array("1\n2\n3\n".utf8)]) }
            .operation(EngineRequests.lines())
        let elements = stream.elements
        for try await element in elements where element == 1 { break }
        var rest: [Int] = []
        for try await element in elements { rest.append(element) }
        #expect(rest == [2, 3])
        #expect(stream.state == .succeeded)
    }

    @Test("a stream is cancelled by the end of its reader")
    func readerCancelled() async {
        let arrived = Gate()
        let stream = client { _ in
            arrived.open()
            return .chunks([], after: Gate())
        }.operation(EngineRequests.lines())
        let reader = Task { for try await _ in stream.elements {} }
        await arrived.wait()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(stream.state == .cancelled)
    }

    @Test("a stream is cancelled by the end of its reader, even if another reader could continue")
    func readerCancelledBeforeOthers() async {
        let arrived = Gate()
        let stream = client { _ in
            arrived.open()
            return .chunks([], after: Gate())
        }.operation(EngineRequests.lines())
        let elements = stream.elements
        let reader = Task { for try await _ in elements {} }
        await arrived.wait()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(stream.state == .cancelled)
        withExtendedLifetime(elements) {}
    }

    /// Sends lines of ten numbers and no end; the fifth opens a gate after those before it have
    /// arrived.
    private func tenLines(_ there: Gate) -> StreamOperation<Int> {
        let sent = Counter()
        return client { _ in
            let body = ReplyBody(length: nil) { () async throws(TransportError) in
                let number = sent.next()
                if number == 5 { there.open() }
                if number > 10 { await Gate().wait() }
                return Array("\(number)\n".utf8)
            }
            return TransportReply(head: HTTPResponse(status: .ok), body: body)
        }.operation(EngineRequests.lines())
    }

    @Test("a stream is read no further by a cancelled task, however much is buffered")
    func cancelledReader() async {
        let (there, read) = (Gate(), Counter())
        let stream = tenLines(there)
        let reader = Task {
            for try await _ in stream.elements where read.next() == 1 {
                await there.wait()
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(read.value == 1 && stream.state == .cancelled)
    }

    @Test("a stream delivers nothing more once it is cancelled, though there is more")
    func cancelledStream() async throws {
        let there = Gate()
        let stream = tenLines(there)
        var iterator = stream.elements.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await there.wait()
        stream.cancel()
        await #expect(throws: CancellationError.self) { try await iterator.next() }
    }

    @Test("a stream delivers all elements that arrived before it failed")
    func failedStream() async throws {
        let text = Array("1\n2\n3\n".utf8)
        let stream = client { _ in .chunks([text], then: TransportError(.connectionLost, "x")) }
            .operation(EngineRequests.lines())
        let elements = stream.elements
        stream.start()
        await stream.reach { $0 == .failed }
        var seen: [Int] = []
        await #expect(throws: APIError.self) {
            for try await element in elements { seen.append(element) }
        }
        #expect(seen == [1, 2, 3])
    }

    @Test("a stream delivers little more while it is suspended, however much has arrived")
    func suspended() async throws {
        let lines = (1...100).map { "\($0)\n" }.joined()
        let stream = client { _ in .chunks([Array(lines.utf8)]) }.operation(EngineRequests.lines())
        let (elements, read) = (stream.elements, Counter())
        let reader = Task {
            for try await _ in elements where read.next() == 1 { stream.suspend() }
        }
        await until {
            stream.live.withLock { $0.coldState?.heldAttempts.isEmpty == false }
        }
        #expect(read.value <= 20)
        stream.resume()
        try await reader.value
        #expect(read.value == 100)
    }
}

@Suite("A bounded channel")
struct BoundedChannelTests {
    @Test("a bounded channel accepts nothing after its end")
    func ended() async throws {
        let handoff = BoundedChannel<Int>()
        handoff.finish()
        try await handoff.send(1)
        #expect(try await handoff.receive() == nil)
    }

    @Test("a bounded channel reports its end to a cancelled reader")
    func cancelledAtEnd() async throws {
        let handoff = BoundedChannel<Int>()
        try await handoff.send(1)
        handoff.finish()
        let taken = try await Task {
            let first = try await handoff.receive()
            withUnsafeCurrentTask { $0?.cancel() }
            return (first, try await handoff.receive())
        }.value
        #expect(taken.0 == 1 && taken.1 == nil)
    }
}

@Suite("The progress of a call")
struct CallProgressTests {
    private func last<Output>(_ operation: NetworkOperation<Output>) async throws
        -> OperationProgress?
    {
        let progress = operation.progress
        _ = try await operation.value
        var last: OperationProgress?
        for await step in progress { last = step }
        return last
    }

    private let body = Array(#"{"response":[]}"#.utf8)

    @Test("the progress of a call shows the received and the expected number of bytes")
    func received() async throws {
        let body = body
        let client = TestClient { _ in
            .chunks([Array(body.prefix(4)), Array(body.dropFirst(4))], length: body.count)
        }
        let progress = try await last(client.call())
        #expect(progress?.received == body.count && progress?.expectedToReceive == body.count)
        #expect(progress?.fraction == 1)
    }

    @Test("the progress of a call shows the sent bytes as well")
    func sent() async throws {
        let client = TestClient { _ in .json(#"{"response":1}"#) }
        let upload = client.manager.operation(
            UsersRequests.upload(
                to: "https://up.tiny.test/a", UploadFile(bytes: [1, 2, 3], name: "a")))
        let progress = try await last(upload)
        #expect((progress?.sent ?? 0) > 3 && progress?.sent == progress?.expectedToSend)
        #expect(progress?.fraction == 1)
    }

    /// A reply of a busy server.
    private static let refusal = [UInt8](repeating: 0x20, count: 100)

    @Test("the progress of a call counts no refused reply")
    func refused() async throws {
        let (sent, body) = (Counter(), body)
        let client = TestClient { _ in
            sent.next() == 1
                ? .bytes(Self.refusal, status: .serviceUnavailable) : .bytes(body)
        }
        let call = client.call(TestClient.retrying)
        let progress = call.progress
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        client.clock.advance(by: .seconds(2))
        #expect(try await call.value == [])
        for await step in progress { #expect(step.received == body.count) }
    }

    @Test("the progress of a call does not count a step of a group as done that is sent again")
    func refusedStep() async throws {
        let client = TestClient { _ in .bytes(Self.refusal, status: .serviceUnavailable) }
        let call = client.call(TestClient.retrying)
        let group = client.manager.group { try await $0.run(call) }
        let progress = group.progress
        group.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        group.cancel()
        for await step in progress { #expect(step.fraction == 0 && step.received == 0) }
    }

    @Test("a call's progress counts no reply that a download refuses, even with a success status")
    func refusedDownload() async throws {
        let endpoint = Endpoint(
            .get, "file", auth: .none, reply: ReplyRules(status: [200...399]),
            operation: OperationRules(kind: .download))
        let client = TestClient { _ in .bytes(Self.refusal, status: .multipleChoices) }
        try await withFile { path in
            let request = RequestBuilder(RequestTemplate(method: "file", endpoint: endpoint))
            let download = client.manager.operation(request.finishDownload(to: path))
            let progress = download.progress
            await #expect(throws: APIError.self) { try await download.value }
            for await value in progress where value.hasStarted { Issue.record("\(value)") }
        }
    }

    @Test("the progress of a call is an empty stream after the end of the call")
    func late() async throws {
        let client = TestClient { [body] _ in .bytes(body) }
        let call = client.call()
        _ = try await call.value
        for await progress in call.progress { Issue.record("\(progress)") }
    }

    @Test("the progress of a call is shown to a late subscriber while the transfer stalls")
    func lateForTransfers() async throws {
        try await withFile { path in
            let (there, bytes) = (Gate(), [UInt8](repeating: 1, count: 500))
            let client = TestClient { _ in
                let step = Counter()
                let body = ReplyBody(length: 1_000) { () async throws(TransportError) in
                    if step.next() == 1 { return bytes }
                    there.open()
                    await Gate().wait()
                    return nil
                }
                let fields: HTTPFields = [.contentLength: "1000"]
                return TransportReply(
                    head: HTTPResponse(status: .ok, headerFields: fields), body: body)
            }
            let download = client.manager.operation(EngineRequests.download(id: 1, to: path))
            download.start()
            await there.wait()
            download.suspend()
            let progress = download.progress
            download.cancel()
            var last: OperationProgress?
            for await step in progress { last = step }
            #expect(last?.fraction == 0.5)
        }
    }

    @Test("the progress of a call is shown to a late subscriber after all of a file has been sent")
    func lateForUploads() async {
        let there = Gate()
        let client = TestClient { _ in
            there.open()
            await Gate().wait()
            return empty
        }
        let endpoint = Endpoint(
            .put, "file", auth: .none, operation: OperationRules(kind: .upload))
        var request = RequestBuilder(RequestTemplate(method: "file", endpoint: endpoint))
        request.file(UploadFile(bytes: [1, 2, 3], name: "a.bin", type: "a/b"))
        let upload = client.manager.operation(request.finishEmpty())
        upload.start()
        await there.wait()
        let progress = upload.progress
        upload.cancel()
        var last: OperationProgress?
        for await step in progress { last = step }
        #expect(last?.sent == 3 && last?.fraction == 1)
    }

    @Test("the progress of a call has the same throughput after a pause as before it")
    func paused() async throws {
        let clock = VirtualClock()
        let (ticks, source) = AsyncStream<Int>.makeStream()
        let engine = Engine(EngineMachine(seed: 0), clock: clock.runtimeClock)
        let operation = NetworkOperation<Int>(engine: engine) { context in
            for await tick in ticks {
                context.report(
                    OperationProgress(received: tick * 100, expectedToReceive: 10_000))
            }
            return .stopped
        }
        var progress = operation.progress.makeAsyncIterator()
        var last = await progress.next()
        operation.start()
        for tick in 1...40 {
            clock.advance(by: .milliseconds(100))
            if tick.isMultiple(of: 20) {
                operation.suspend()
                clock.advance(by: .seconds(3_600))
                operation.resume()
            }
            source.yield(tick)
            last = await progress.next()
        }
        // A hundred bytes in each tenth of a second.
        #expect(abs(try #require(last?.throughput) - 1_000) < 1)
        #expect(last?.received == 4_000 && last?.remaining == .seconds(6))
        operation.cancel()
    }

    @Test("the progress of a call publishes a value that arrived too soon after the last one")
    func stalled() async {
        let gate = Gate()
        let client = TestClient { [body] _ in
            .chunks([Array(body.prefix(4)), Array(body[4..<8])], length: body.count, after: gate)
        }
        let call = client.call()
        let progress = call.progress
        call.start()
        await client.clock.waitForSleepers(1)
        client.clock.advance(by: .milliseconds(100))
        var last = 0
        for await step in progress where step.received == 8 {
            last = step.received
            break
        }
        #expect(last == 8)
        call.cancel()
    }

    @Test("the progress of a call is shown to all subscribers of a coalesced request")
    func shared() async throws {
        let body = body
        let client = TestClient { _ in .chunks([body], length: body.count) }
        let progress = try await last(client.manager.operation(EngineRequests.shared(id: 1)))
        #expect(progress?.received == body.count)
    }
}

@Suite("Coalesced calls")
struct CoalescedTransferTests {
    @Test("coalesced calls share a request while it is in flight; cancelling one cancels no other")
    func coalesced() async throws {
        let gate = Gate()
        let client = TestClient { _ in
            await gate.wait()
            return .json(#"{"response":[]}"#)
        }
        let calls = (0..<10).map { _ in client.manager.operation(EngineRequests.shared(id: 1)) }
        let other = client.manager.operation(EngineRequests.shared(id: 2))
        for call in calls + [other] { call.start() }
        await client.subscribers(11)
        calls[0].cancel()
        gate.open()
        for call in calls.dropFirst() { #expect(try await call.value == []) }
        _ = try await other.value
        #expect(calls[0].state == .cancelled)
        #expect(client.transport.requests.count == 2)
        _ = try await client.manager.operation(EngineRequests.shared(id: 1)).value
        #expect(client.transport.requests.count == 3)
    }

    @Test("coalesced calls cancel their request when the last of them is cancelled")
    func lastOne() async {
        let arrived = Gate()
        let client = TestClient { _ in
            arrived.open()
            await Gate().wait()
            return .bytes()
        }
        let calls = (0..<3).map { _ in client.manager.operation(EngineRequests.shared(id: 1)) }
        for call in calls { call.start() }
        await arrived.wait()
        await client.subscribers(3)
        client.manager.cancelAll()
        for call in calls {
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        await until { client.manager.engine.isIdle }
        #expect(client.transport.requests.count == 1)
    }

    @Test("coalesced calls keep the throttle interval of their method, separately for each key")
    func throttled() async throws {
        let client = TestClient { _ in .json(#"{"response":[]}"#) }
        func call(_ id: Int) -> DataOperation<[User]> {
            client.manager.operation(EngineRequests.throttled(id: id))
        }
        _ = try await call(1).value
        let error = await failure(call(1))
        #expect(error?.reason == .throttled(until: client.clock.date.addingTimeInterval(2)))
        _ = try await call(2).value
        client.clock.advance(by: .seconds(2))
        _ = try await call(1).value
        #expect(client.transport.requests.count == 3)
        // A call that is refused before it is sent delays no other.
        try await client.manager.credentials.clear()
        #expect(await failure(call(3))?.reason == .noCredential)
        try await client.manager.credentials.save(Credential(token: secret))
        _ = try await call(3).value
    }
}

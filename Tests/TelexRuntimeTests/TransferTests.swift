import Foundation
import HTTPTypes
import Synchronization
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

/// The path of a file in a folder of its own; the folder is gone at the end.
func withFile<T>(_ body: (String) async throws -> T) async throws -> T {
    let folder = temporaryPath()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body("\(folder)/file")
}

/// Downloads from a file on a server, with retries that wait for nothing.
private struct Downloads {
    let server: FileOnServer
    let manager: APIManager<Tiny>
    let transport: InMemoryTransport

    init(_ server: FileOnServer) {
        self.server = server
        transport = InMemoryTransport(serving: server.answer)
        manager = APIManager<Tiny>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: secret)),
            settings: EngineSettings(clock: .stopped))
    }

    func start(_ path: String, attempts: Int = 3) -> DownloadOperation {
        let retry = RetryPolicy(attempts: attempts, backoff: Backoff(initial: .zero))
        return manager.operation(
            EngineRequests.download(id: 1, to: path), options: CallOptions(retry: retry))
    }
}

@Suite("A download")
struct DownloadTests {
    private let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    @Test("puts the whole file in its place, and nothing else")
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

    @Test("goes on where it stopped through a hundred drops, and fetches nothing twice")
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

    @Test("shows that it is done though nothing came: there is nothing, or all was there")
    func nothingToCome() async throws {
        try await withFile { path in
            let none = Downloads(FileOnServer([], entityTag: "\"1\""))
            #expect(await fractions(of: none.start(path)) == [1])
        }
        try await withFile { path in
            let (there, bytes) = (Gate(), Array(bytes.prefix(1_000)))
            let (first, fields): (Counter, HTTPFields) = (Counter(), [.eTag: "\"1\""])
            let desk = Desk { request in
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
            let lost = desk.manager.operation(EngineRequests.download(id: 1, to: path))
            lost.start()
            await there.wait()
            lost.cancel()
            let rest = desk.manager.operation(EngineRequests.download(id: 1, to: path))
            #expect(await fractions(of: rest) == [1])
            #expect(desk.transport.requests.count == 2)
        }
    }

    @Test("that goes on in a group adds to its throughput only what comes then")
    func throughput() async throws {
        try await withFile { path in
            let bytes = [UInt8](repeating: 1, count: 1_000)
            let fields: HTTPFields = [.eTag: "\"1\"", .contentRange: "bytes 1000-1999/2000"]
            let clock = Mutex<VirtualClock?>(nil)
            let desk = Desk { request in
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
            clock.withLock { $0 = desk.clock }
            let lost = desk.manager.operation(EngineRequests.download(id: 1, to: path))
            #expect(await failure(lost)?.isRetryable == true)
            let group = desk.manager.group { group in
                _ = try await group.run(NetworkOperation<Int> { 1 })
                desk.clock.advance(by: .milliseconds(100))
                return try await group.run(
                    desk.manager.operation(EngineRequests.download(id: 1, to: path)))
            }
            let fastest = Mutex(0.0)
            group.tracker.forward { progress in
                fastest.withLock { $0 = max($0, progress.throughput ?? 0) }
            }
            let file = try await group.value
            #expect(file.bytes == 2_000)
            // From none at first it comes closer to a thousand bytes a second, in one second.
            #expect((200...300).contains(fastest.withLock { $0 }))
        }
    }

    /// What is shown until it has succeeded.
    private func fractions(of download: DownloadOperation) async -> [Double?] {
        let progress = download.progress
        download.start()
        var all: [Double?] = []
        for await step in progress { all.append(step.fraction) }
        #expect(download.state == .succeeded)
        return all
    }

    @Test("goes on in another operation, as after the end of the process")
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

    @Test("starts over cleanly when the file has changed meanwhile")
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

    @Test("goes on where its bytes ended, even if nobody said that they would end there")
    func silentEnd() async throws {
        try await withFile { path in
            let document = Document(bytes: Array(bytes.prefix(300)))
            let transport = InMemoryTransport { request in
                let (head, body) = document.answer(request.head.headerFields)
                return .chunks(
                    [Array(body.prefix(100))], status: head.status, fields: head.headerFields)
            }
            let manager = APIManager<Tiny>(
                transport: transport, credentials: MemoryCredentialStore(Credential(token: secret)),
                settings: EngineSettings(clock: .stopped))
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

    @Test("is not asked for again if the server sends what was not asked for")
    func senseless() async throws {
        try await withFile { path in
            let transport = InMemoryTransport { _ in
                .bytes([1], status: .partialContent, fields: [.contentRange: "bytes 7-7/9"])
            }
            let manager = APIManager<Tiny>(
                transport: transport, credentials: MemoryCredentialStore(Credential(token: secret)),
                settings: EngineSettings(clock: .stopped))
            let retry = RetryPolicy(backoff: Backoff(initial: .zero))
            let error = await failure(
                manager.operation(
                    EngineRequests.download(id: 1, to: path), options: CallOptions(retry: retry)))
            #expect(error?.isRetryable == false && error?.attempts == 1)
        }
    }

    @Test("leaves the old file alone when it fails, and tells what the server said")
    func refused() async throws {
        try await withFile { path in
            try DiskFile.replace(path, with: [1, 2, 3])
            let transport = InMemoryTransport { _ in
                .json(#"{"error":{"error_code":15,"error_msg":"no"}}"#, status: .forbidden)
            }
            let manager = APIManager<Tiny>(
                transport: transport, credentials: MemoryCredentialStore(Credential(token: secret)),
                settings: EngineSettings(clock: .stopped))
            let error = await failure(
                manager.operation(EngineRequests.download(id: 1, to: path)))
            #expect(error?.status == 403 && error?.message == "no")
            #expect(try DiskFile.read(path) == [1, 2, 3])
        }
    }

    @Test("says what is wrong with the place, and what to do")
    func noFolder() async {
        let downloads = Downloads(FileOnServer(bytes, entityTag: nil))
        let error = await failure(downloads.start("/nowhere/at/all/file"))
        #expect(error?.description.contains("create it first") == true)
        #expect(error?.fault == .caller)
    }

    @Test("frees its place when it is cancelled, and can be continued later")
    func cancelled() async throws {
        try await withFile { path in
            let gate = Gate()
            let downloads = Downloads(FileOnServer(bytes, entityTag: "\"1\""))
            let slow = APIManager<Tiny>(
                transport: InMemoryTransport { _ in
                    .chunks(
                        [Array(bytes.prefix(1_000))], length: bytes.count, after: gate,
                        fields: [.eTag: "\"1\""])
                }, credentials: MemoryCredentialStore(Credential(token: secret)),
                settings: EngineSettings(clock: .stopped))
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
    private func threeBytes(_ sent: Counter, _ gate: Gate, _ rest: Gate) -> APIManager<Tiny> {
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
        return APIManager<Tiny>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: secret)),
            settings: EngineSettings(clock: .stopped))
    }

    @Test("receives nothing while it is suspended")
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
    private func desk(_ reply: @escaping InMemoryTransport.Script) -> APIManager<Tiny> {
        APIManager<Tiny>(
            transport: InMemoryTransport(reply), settings: EngineSettings(clock: .stopped))
    }

    @Test("hands out its elements in their order, however the bytes are cut")
    func elements() async throws {
        let text = "data: 1\n\nid: 7\ndata: 2\n\ndata: 3\n\n"
        for size in 1...text.utf8.count {
            let bytes = Array(text.utf8)
            let chunks = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            let stream = desk { _ in .chunks(chunks) }.operation(EngineRequests.events())
            var seen: [Int] = []
            for try await element in stream.elements { seen.append(element) }
            #expect(seen == [1, 2, 3])
            #expect(stream.state == .succeeded)
        }
    }

    @Test("gives its elements to its first reader; a second one gets none, and disturbs nobody")
    func secondReader() async throws {
        let stream = desk { _ in .chunks([Array("1\n2\n3\n".utf8)]) }
            .operation(EngineRequests.lines())
        let first = stream.elements
        do { _ = stream.elements }
        var seen: [Int] = []
        for try await element in first { seen.append(element) }
        #expect(seen == [1, 2, 3])
    }

    @Test("counts elements that nobody reads")
    func unread() async throws {
        let stream = desk { _ in .chunks([Array("1\n\n2\n3".utf8)]) }
            .operation(EngineRequests.lines())
        #expect(try await stream.value.count == 3)
    }

    @Test("asks for no more than its reader takes")
    func backPressure() async throws {
        let sent = Counter()
        let manager = desk { _ in
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

    @Test("fails as soon as something too large has come behind elements, and hands those out")
    func tooLarge() async {
        let long = String(repeating: "x", count: 5_000)
        for (request, text) in [
            (EngineRequests.events(), "data: 1\n\ndata: 2\n\ndata: \(long)"),
            (EngineRequests.lines(), "1\n2\n\(long)"),
        ] {
            let asked = Counter()
            let manager = desk { _ in
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

    @Test("does not mind how large is what comes behind its end")
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

    @Test("goes on after the last event it has, and repeats nothing")
    func reconnects() async throws {
        let sent = Counter()
        let transport = InMemoryTransport { request in
            guard sent.next() == 1 else {
                return .chunks([Array("data: 2\n\n".utf8)])
            }
            return .chunks(
                [Array("id: a\ndata: 1\n\n".utf8)], then: TransportError(.connectionLost, "x"))
        }
        let stream = APIManager<Tiny>(
            transport: transport, settings: EngineSettings(clock: .stopped)
        ).operation(
            EngineRequests.events(),
            options: CallOptions(retry: RetryPolicy(backoff: Backoff(initial: .zero))))
        var seen: [Int] = []
        for try await element in stream.elements { seen.append(element) }
        #expect(seen == [1, 2])
        let name = try #require(HTTPField.Name("Last-Event-ID"))
        #expect(transport.requests.map { $0.head.headerFields[name] } == [nil, "a"])
    }

    @Test("fails rather than repeat elements that it has handed out")
    func noRepeat() async {
        let sent = Counter()
        let manager = desk { _ in
            _ = sent.next()
            return .chunks([Array("1\n".utf8)], then: TransportError(.connectionLost, "x"))
        }
        let stream = manager.operation(
            EngineRequests.lines(), options: CallOptions(retry: .standard))
        #expect(await failure(stream)?.attempts == 1)
        #expect(sent.value == 1)
    }

    @Test("is asked for again if it breaks off before its first element")
    func brokenOffAtOnce() async throws {
        let sent = Counter()
        let manager = desk { _ in
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

    @Test("says where an element is not as described")
    func invalid() async {
        let stream = desk { _ in .chunks([Array("1\n\"x\"\n".utf8)]) }
            .operation(EngineRequests.lines())
        #expect(await failure(stream)?.violations.map(\.rule) == ["type"])
    }

    @Test("is cancelled when its reader stops before the end")
    func readerStops() async throws {
        let manager = desk { _ in .chunks([Array("1\n2\n".utf8)], after: Gate()) }
        let stream = manager.operation(EngineRequests.lines())
        let ended = Gate()
        stream.whenEnded { _ in ended.open() }
        for try await element in stream.elements where element == 1 { break }
        await ended.wait()
        #expect(stream.state == .cancelled)
        #expect(manager.operations.isEmpty)
    }

    @Test("goes on while somebody may still read it")
    func readerPauses() async throws {
        let stream = desk { _ in .chunks([Array("1\n2\n3\n".utf8)]) }
            .operation(EngineRequests.lines())
        let elements = stream.elements
        for try await element in elements where element == 1 { break }
        var rest: [Int] = []
        for try await element in elements { rest.append(element) }
        #expect(rest == [2, 3])
        #expect(stream.state == .succeeded)
    }

    @Test("is cancelled by the end of its reader")
    func readerCancelled() async {
        let arrived = Gate()
        let stream = desk { _ in
            arrived.open()
            return .chunks([], after: Gate())
        }.operation(EngineRequests.lines())
        let reader = Task { for try await _ in stream.elements {} }
        await arrived.wait()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        #expect(stream.state == .cancelled)
    }

    @Test("is cancelled by the end of its reader, even if another could go on")
    func readerCancelledBeforeOthers() async {
        let arrived = Gate()
        let stream = desk { _ in
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

    /// Sends lines of ten numbers and no end; with the fifth, a gate is opened: those before are there.
    private func tenLines(_ there: Gate) -> StreamOperation<Int> {
        let sent = Counter()
        return desk { _ in
            let body = ReplyBody(length: nil) { () async throws(TransportError) in
                let number = sent.next()
                if number == 5 { there.open() }
                if number > 10 { await Gate().wait() }
                return Array("\(number)\n".utf8)
            }
            return TransportReply(head: HTTPResponse(status: .ok), body: body)
        }.operation(EngineRequests.lines())
    }

    @Test("is read no further by a task that is cancelled, however much there is to be read")
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

    @Test("hands out nothing more once it is cancelled, though there is more")
    func cancelledStream() async throws {
        let there = Gate()
        let stream = tenLines(there)
        var iterator = stream.elements.makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        await there.wait()
        stream.cancel()
        await #expect(throws: CancellationError.self) { try await iterator.next() }
    }

    @Test("hands out all that came before it failed")
    func failedStream() async throws {
        let text = Array("1\n2\n3\n".utf8)
        let stream = desk { _ in .chunks([text], then: TransportError(.connectionLost, "x")) }
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

    @Test("hands out little more while it is suspended, however much has arrived")
    func suspended() async throws {
        let lines = (1...100).map { "\($0)\n" }.joined()
        let stream = desk { _ in .chunks([Array(lines.utf8)]) }.operation(EngineRequests.lines())
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

@Suite("A hand-off")
struct HandoffTests {
    @Test("takes nothing after its end")
    func ended() async throws {
        let handoff = BoundedChannel<Int>()
        handoff.finish()
        try await handoff.give(1)
        #expect(try await handoff.take() == nil)
    }

    @Test("tells who is cancelled that there is no more, if there is none")
    func cancelledAtEnd() async throws {
        let handoff = BoundedChannel<Int>()
        try await handoff.give(1)
        handoff.finish()
        let taken = try await Task {
            let first = try await handoff.take()
            withUnsafeCurrentTask { $0?.cancel() }
            return (first, try await handoff.take())
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

    @Test("shows what has been received, and of how much")
    func received() async throws {
        let body = body
        let desk = Desk { _ in
            .chunks([Array(body.prefix(4)), Array(body.dropFirst(4))], length: body.count)
        }
        let progress = try await last(desk.call())
        #expect(progress?.received == body.count && progress?.expectedToReceive == body.count)
        #expect(progress?.fraction == 1)
    }

    @Test("shows what has been sent as well")
    func sent() async throws {
        let desk = Desk { _ in .json(#"{"response":1}"#) }
        let upload = desk.manager.operation(
            UsersRequests.upload(
                to: "https://up.tiny.test/a", UploadFile(bytes: [1, 2, 3], name: "a")))
        let progress = try await last(upload)
        #expect((progress?.sent ?? 0) > 3 && progress?.sent == progress?.expectedToSend)
        #expect(progress?.fraction == 1)
    }

    /// What a server says that wants to be left alone.
    private static let refusal = [UInt8](repeating: 0x20, count: 100)

    @Test("counts no reply that is refused")
    func refused() async throws {
        let (sent, body) = (Counter(), body)
        let desk = Desk { _ in
            sent.next() == 1
                ? .bytes(Self.refusal, status: .serviceUnavailable) : .bytes(body)
        }
        let call = desk.call(Desk.retrying)
        let progress = call.progress
        call.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        desk.clock.advance(by: .seconds(2))
        #expect(try await call.value == [])
        for await step in progress { #expect(step.received == body.count) }
    }

    @Test("does not let a step of a group seem done that is sent again")
    func refusedStep() async throws {
        let desk = Desk { _ in .bytes(Self.refusal, status: .serviceUnavailable) }
        let call = desk.call(Desk.retrying)
        let group = desk.manager.group { try await $0.run(call) }
        let progress = group.progress
        group.start()
        await call.reach { if case .waiting = $0 { true } else { false } }
        group.cancel()
        for await step in progress { #expect(step.fraction == 0 && step.received == 0) }
    }

    @Test("counts no reply that a download refuses, even one of a status that counts as success")
    func refusedDownload() async throws {
        let endpoint = Endpoint(
            .get, "file", auth: .none, reply: ReplyRules(status: [200...399]),
            operation: OperationRules(kind: .download))
        let desk = Desk { _ in .bytes(Self.refusal, status: .multipleChoices) }
        try await withFile { path in
            let request = RequestBuilder(RequestDraft(method: "file", endpoint: endpoint))
            let download = desk.manager.operation(request.finishDownload(to: path))
            let progress = download.progress
            await #expect(throws: APIError.self) { try await download.value }
            for await progress in progress { Issue.record("\(progress)") }
        }
    }

    @Test("ends without a word for who asks only after its end")
    func late() async throws {
        let desk = Desk { [body] _ in .bytes(body) }
        let call = desk.call()
        _ = try await call.value
        for await progress in call.progress { Issue.record("\(progress)") }
    }

    @Test("is shown to who asks only when a transfer has come to a stop")
    func lateForTransfers() async throws {
        try await withFile { path in
            let (there, bytes) = (Gate(), [UInt8](repeating: 1, count: 500))
            let desk = Desk { _ in
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
            let download = desk.manager.operation(EngineRequests.download(id: 1, to: path))
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

    @Test("is shown to who asks only when all of a file has been sent")
    func lateForUploads() async {
        let there = Gate()
        let desk = Desk { _ in
            there.open()
            await Gate().wait()
            return empty
        }
        let endpoint = Endpoint(
            .put, "file", auth: .none, operation: OperationRules(kind: .upload))
        var request = RequestBuilder(RequestDraft(method: "file", endpoint: endpoint))
        request.file(UploadFile(bytes: [1, 2, 3], name: "a.bin", type: "a/b"))
        let upload = desk.manager.operation(request.finishEmpty())
        upload.start()
        await there.wait()
        let progress = upload.progress
        upload.cancel()
        var last: OperationProgress?
        for await step in progress { last = step }
        #expect(last?.sent == 3 && last?.fraction == 1)
    }

    @Test("has the same throughput after a pause as before it")
    func paused() async throws {
        let clock = VirtualClock()
        let (ticks, source) = AsyncStream<Int>.makeStream()
        let engine = Engine(EngineMachine(seed: 0), clock: clock.runtimeClock)
        let operation = NetworkOperation<Int>(engine) { context in
            for await tick in ticks {
                context.report(
                    OperationProgress(received: tick * 100, expectedToReceive: 10_000))
            }
            return .stopped
        }
        var progress = operation.progress.makeAsyncIterator()
        operation.start()
        var last: OperationProgress?
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

    @Test("shows what came soon after the rest and has waited since")
    func stalled() async {
        let gate = Gate()
        let desk = Desk { [body] _ in
            .chunks([Array(body.prefix(4)), Array(body[4..<8])], length: body.count, after: gate)
        }
        let call = desk.call()
        let progress = call.progress
        call.start()
        await desk.clock.waitForSleepers(1)
        desk.clock.advance(by: .milliseconds(100))
        var last = 0
        for await step in progress where step.received == 8 {
            last = step.received
            break
        }
        #expect(last == 8)
        call.cancel()
    }

    @Test("is shown to all who share a request")
    func shared() async throws {
        let body = body
        let desk = Desk { _ in .chunks([body], length: body.count) }
        let progress = try await last(desk.manager.operation(EngineRequests.shared(id: 1)))
        #expect(progress?.received == body.count)
    }
}

@Suite("Calls that are alike")
struct AlikeTests {
    @Test("share one request while it is on its way, and cancelling one cancels no other")
    func coalesced() async throws {
        let gate = Gate()
        let desk = Desk { _ in
            await gate.wait()
            return .json(#"{"response":[]}"#)
        }
        let calls = (0..<10).map { _ in desk.manager.operation(EngineRequests.shared(id: 1)) }
        let other = desk.manager.operation(EngineRequests.shared(id: 2))
        for call in calls + [other] { call.start() }
        await desk.subscribers(11)
        calls[0].cancel()
        gate.open()
        for call in calls.dropFirst() { #expect(try await call.value == []) }
        _ = try await other.value
        #expect(calls[0].state == .cancelled)
        #expect(desk.transport.requests.count == 2)
        _ = try await desk.manager.operation(EngineRequests.shared(id: 1)).value
        #expect(desk.transport.requests.count == 3)
    }

    @Test("stop the request they share when the last of them is cancelled")
    func lastOne() async {
        let arrived = Gate()
        let desk = Desk { _ in
            arrived.open()
            await Gate().wait()
            return .bytes()
        }
        let calls = (0..<3).map { _ in desk.manager.operation(EngineRequests.shared(id: 1)) }
        for call in calls { call.start() }
        await arrived.wait()
        await desk.subscribers(3)
        desk.manager.cancelAll()
        for call in calls {
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        await until { desk.manager.engine.isIdle }
        #expect(desk.transport.requests.count == 1)
    }

    @Test("keep the distance in time that their method demands, each key its own")
    func throttled() async throws {
        let desk = Desk { _ in .json(#"{"response":[]}"#) }
        func call(_ id: Int) -> DataOperation<[User]> {
            desk.manager.operation(EngineRequests.throttled(id: id))
        }
        _ = try await call(1).value
        let error = await failure(call(1))
        #expect(error?.reason == .throttled(until: desk.clock.date.addingTimeInterval(2)))
        _ = try await call(2).value
        desk.clock.advance(by: .seconds(2))
        _ = try await call(1).value
        #expect(desk.transport.requests.count == 3)
        // What is refused before it is sent keeps nobody away.
        try await desk.manager.credentials.clear()
        #expect(await failure(call(3))?.reason == .noCredential)
        try await desk.manager.credentials.save(Credential(token: secret))
        _ = try await call(3).value
    }
}

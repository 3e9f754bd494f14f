import Dispatch
import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexDownloads
@testable import TelexRuntime

@Suite("A download through several attempts")
struct DownloadJobTests {
    private static let bytes = Array("0123456789".utf8)

    private let document = ServedDocument(bytes: Self.bytes)

    /// Runs an attempt that receives this many bytes. Returns nil if there is nothing left to do.
    private func receive(
        _ job: DownloadJob, _ attempt: Int, upTo limit: Int = .max
    ) async throws -> DownloadedFile? {
        if let outcome = try await job.begin(attempt, source: source()) { return outcome.file }
        let document = document
        _ = try job.with(attempt) { file throws(DownloadError) in
            try file.attempt(document, dropAfter: limit)
        }
        return nil
    }

    @Test("a download is over once an attempt has put its file in place: it is not touched again")
    func finished() async throws {
        try await withFile { path in
            let job = DownloadJob(path)
            #expect(try await receive(job, 1) == nil)
            let file = try job.finish(1, after: head(200))
            #expect(try await receive(job, 2) == file)
            #expect(try DiskFile.read(path) == Self.bytes)
            #expect(throws: DownloadError.self) {
                try job.with(2) { file throws(DownloadError) in
                    try file.accept(head(200), at: noon)
                }
            }
            job.close()
            #expect(try DiskFile.read(path) == Self.bytes)
        }
    }

    @Test("a download through several attempts accepts no reply once the file is in place")
    func acceptsNothing() throws {
        try withFolder { folder in
            let path = "\(folder)/file"
            var file = try PartialFile(destination: path, source: source())
            try file.attempt(document)
            try file.finish()
            let late = reason { () throws(DownloadError) in
                _ = try file.accept(head(200), at: noon)
            }
            #expect(late == .notReceiving)
            #expect(try DiskFile.read(path) == Self.bytes)
        }
    }

    @Test("a download is not taken over by an attempt that was stopped before and wakes late")
    func late() async throws {
        try await withFile { path in
            let job = DownloadJob(path)
            _ = try await receive(job, 2, upTo: 5)
            await #expect(throws: DownloadError.self) {
                _ = try await job.begin(1, source: source())
            }
            #expect(try await receive(job, 2) == nil)
            let file = try job.finish(2, after: head(206))
            #expect(file.bytes == 10)
        }
    }

    @Test("a download ends without awaiting the disk, and the next to the same path waits for it")
    func leaves() async throws {
        try await withFile { path in
            let job = DownloadJob(path)
            _ = try await receive(job, 1, upTo: 5)
            let (isAtWork, rest) = (Gate(), DispatchSemaphore(value: 0))
            DispatchQueue.global().async {
                try? job.with(1) { _ in
                    isAtWork.open()
                    rest.wait()
                }
            }
            await isAtWork.wait()
            job.close()
            let next = DownloadJob(path)
            async let begun = receive(next, 1, upTo: 5)
            // There is no event for a waiter on the lock, so this gives the task time to become
            // one.
            for _ in 0..<1_000 { await Task.yield() }
            rest.signal()
            #expect(try await begun == nil)
            let done = try next.with(1) { file in file.offset }
            #expect(done == 10)
        }
    }

    @Test("an ended download keeps for the next one what it could not put in place")
    func leftover() async throws {
        try await withFile { path in
            let job = DownloadJob(path)
            _ = try await receive(job, 1, upTo: 5)
            #expect(throws: DownloadError.self) { try job.finish(1, after: head(200)) }
            job.close()
            let next = DownloadJob(path)
            #expect(try await next.begin(1, source: source())?.file == nil)
            let done = try next.with(1) { file in file.offset }
            #expect(done == 5)
        }
    }
}

@Suite("A stream through several attempts")
struct StreamJobTests {
    @Test("a stream is not taken over by an attempt that was stopped before and wakes late")
    func late() async {
        let job = StreamJob(.serverSentEvents)
        #expect(await job.begin(2) != nil)
        #expect(await job.begin(1) == nil)
        #expect(job.advance(2, to: "a", isElement: false))
    }

    @Test("a stream's next attempt continues only after the one before has delivered its element")
    func handingOut() async {
        let (job, log) = (StreamJob(.serverSentEvents), Log())
        _ = await job.begin(1)
        #expect(job.advance(1, to: "a", isElement: true))
        let next = Task {
            let state = await job.begin(2)
            log.add("begun after \(state?.lastEventID ?? "nothing")")
        }
        for _ in 0..<100 { await Task.yield() }
        log.add("handed out")
        job.didDeliver()
        await next.value
        #expect(log.text == "handed out\nbegun after a")
        #expect(!job.advance(1, to: "b", isElement: true))
        #expect(job.now.lastEventID == "a")
    }
}

/// A document on a server that truncates its replies, and a destination for it.
private struct TruncatingServer {
    static let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    let path: String
    let transport: InMemoryTransport

    /// - Parameters:
    ///   - cuts: After how many bytes each reply ends; those that follow are complete.
    ///   - fields: The additional header fields of a complete reply.
    init(_ path: String, _ document: ServedDocument, cuts: [Int], fields: HTTPFields = [:]) {
        self.path = path
        let cuts = Lock(cuts[...])
        transport = InMemoryTransport { request in
            var (head, body) = document.answer(request.head.headerFields)
            if head.status == .ok {
                for field in fields { head.headerFields[field.name] = field.value }
            }
            guard let cut = cuts.withLock({ $0.popFirst() }) else {
                return .chunks([body], length: body.count, fields: head.headerFields, head.status)
            }
            return .chunks(
                [Array(body.prefix(cut))], length: body.count,
                then: .truncated(received: cut, expected: body.count), fields: head.headerFields,
                head.status)
        }
    }

    /// The call that downloads the document.
    func download(
        _ verb: Endpoint.Verb = .get, _ credential: Credential = Credential(token: secret),
        attempts: Int = 1, key: String? = nil, _ fill: (inout RequestBuilder) -> Void = { _ in }
    ) -> DownloadOperation {
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(credential)
        ) { $0.settings.clock = .stopped }
        let endpoint = Endpoint(
            verb, "big", operation: OperationRules(kind: .download, idempotencyKey: key))
        var builder = RequestBuilder(RequestTemplate(method: "big", endpoint: endpoint))
        fill(&builder)
        let retry = RetryPolicy(attempts: attempts, backoff: Backoff(initial: .zero))
        return manager.operation(
            builder.finishDownload(to: path), options: CallOptions(retry: retry))
    }

    /// The `Range` of each request.
    var ranges: [String?] { transport.requests.map { $0.head.headerFields[.range] } }
}

extension TransportReply {
    fileprivate static func chunks(
        _ chunks: [[UInt8]], length: Int, then error: TransportError? = nil, fields: HTTPFields,
        _ status: HTTPResponse.Status
    ) -> TransportReply {
        .chunks(chunks, length: length, then: error, status: status, fields: fields)
    }
}

@Suite("The partial file of a download")
struct ResumedDownloadTests {
    private let document = ServedDocument(bytes: TruncatingServer.bytes)
    private let dated: ServedDocument = {
        var document = ServedDocument(bytes: TruncatingServer.bytes, tag: nil)
        document.modified = "Sun, 06 Nov 1994 08:49:37 GMT"
        return document
    }()
    private let date: HTTPFields = [.date: "Sun, 06 Nov 1994 10:00:00 GMT"]

    /// Truncates one download and makes another to the same path.
    ///
    /// - Returns: The header fields of the second request.
    private func range(
        _ shelf: TruncatingServer, after first: DownloadOperation, _ second: DownloadOperation
    ) async throws -> String? {
        #expect(await failure(first) != nil)
        let file = try await second.value
        #expect(file.bytes == TruncatingServer.bytes.count)
        #expect(try DiskFile.read(shelf.path) == TruncatingServer.bytes)
        return shelf.ranges.last ?? nil
    }

    @Test("a partial file is continued by the same call only: header fields select a document too")
    func headerFields() async throws {
        for (layer, expected) in [("a", "bytes=8-"), ("b", nil)] {
            try await withFile { path in
                let shelf = TruncatingServer(path, document, cuts: [8])
                let range = try await range(
                    shelf, after: shelf.download { $0.header("X-Layer", "a") },
                    shelf.download { $0.header("X-Layer", layer) })
                #expect(range == expected)
            }
        }
    }

    @Test("a partial file is continued with another idempotency key and another secret")
    func volatile() async throws {
        try await withFile { path in
            let shelf = TruncatingServer(path, document, cuts: [8])
            let range = try await range(
                shelf, after: shelf.download(key: "X-Call") { $0.header("X-Auth-Token", "one") },
                shelf.download(.get, Credential(token: "another"), key: "X-Call") {
                    $0.header("X-Auth-Token", "two")
                })
            #expect(range == "bytes=8-")
        }
    }

    @Test("the partial file of a download is not continued for another user")
    func somebodyElse() async throws {
        for (user, expected) in [("7", "bytes=8-"), ("8", nil)] {
            try await withFile { path in
                let shelf = TruncatingServer(path, document, cuts: [8])
                let one = Credential(token: "one", values: ["user_id": "7", "id_token": "x"])
                let two = Credential(token: "two", values: ["user_id": user, "id_token": "y"])
                let range = try await range(
                    shelf, after: shelf.download(.get, one), shelf.download(.get, two))
                #expect(range == expected)
            }
        }
    }

    @Test("a partial file is continued if only values differ that identify no user")
    func otherFacts() async throws {
        try await withFile { path in
            let shelf = TruncatingServer(path, document, cuts: [8])
            let one = Credential(token: "one", values: ["sub": "7", "server_time": "1"])
            let two = Credential(
                token: "two", values: ["sub": "7", "server_time": "2", "iat": "3"])
            let range = try await range(
                shelf, after: shelf.download(.get, one), shelf.download(.get, two))
            #expect(range == "bytes=8-")
        }
    }

    @Test("a partial file is not continued for another login if no value identifies the user")
    func otherLogin() async throws {
        let first = Credential(token: "one", values: ["open_id": "a"]).withNewLogin
        var renewed = Credential(token: "two", values: ["open_id": "a"])
        renewed.login = first.login
        let next = Credential(token: "two", values: ["open_id": "b"]).withNewLogin
        for (second, expected) in [(renewed, "bytes=8-"), (next, nil)] {
            try await withFile { path in
                let shelf = TruncatingServer(path, dated, cuts: [8], fields: date)
                let range = try await range(
                    shelf, after: shelf.download(.get, first), shelf.download(.get, second))
                #expect(range == expected)
            }
        }
    }

    @Test("a partial file is not continued for another login whose values many users share")
    func sharedFacts() async throws {
        let facts = ["account_id": "acme", "login": "sso", "owner_id": "7"]
        let one = Credential(token: "one", values: facts).withNewLogin
        let two = Credential(token: "two", values: facts).withNewLogin
        try await withFile { path in
            let shelf = TruncatingServer(path, dated, cuts: [8], fields: date)
            let range = try await range(
                shelf, after: shelf.download(.get, one), shelf.download(.get, two))
            #expect(range == nil)
        }
    }

    @Test("a partial file is not continued if a credential value that the call uses differs")
    func usedFact() async throws {
        for (team, expected) in [("a", "bytes=8-"), ("b", nil)] {
            try await withFile { path in
                let shelf = TruncatingServer(path, dated, cuts: [8], fields: date)
                let one = Credential(token: "one", values: ["sub": "7", "team": "a"])
                let two = Credential(token: "two", values: ["sub": "7", "team": team])
                let fill = { (request: inout RequestBuilder) in
                    request.header("X-Team", String?.none, orCredential: "team")
                }
                let range = try await range(
                    shelf, after: shelf.download(.get, one, fill),
                    shelf.download(.get, two, fill))
                #expect(range == expected)
            }
        }
    }

    @Test("a partial file is not continued by its date alone if no value identifies the user")
    func dateAlone() async throws {
        for (facts, expected) in [
            ([:], nil), (["server_time": "5"], nil), (["user_id": "7"], "bytes=8-"),
            (["account_id": "acme", "login": "sso"], nil),
        ] {
            try await withFile { path in
                let shelf = TruncatingServer(path, dated, cuts: [8], fields: date)
                let credential = Credential(token: secret, values: facts)
                let range = try await range(
                    shelf, after: shelf.download(.get, credential),
                    shelf.download(.get, credential))
                #expect(range == expected)
            }
        }
    }

    @Test("the partial file of a download is continued by its date within the same operation")
    func sameOperation() async throws {
        try await withFile { path in
            let shelf = TruncatingServer(path, dated, cuts: [8], fields: date)
            _ = try await shelf.download(attempts: 2).value
            #expect(shelf.ranges == [nil, "bytes=8-"])
        }
    }

    @Test("the partial file of a download is requested by GET alone, and without a body")
    func otherMethods() async throws {
        for (verb, body) in [(Endpoint.Verb.post, false), (.put, false), (.get, true)] {
            try await withFile { path in
                let shelf = TruncatingServer(path, document, cuts: [8])
                let operation = shelf.download(verb, attempts: 2, key: "X-Call") {
                    if body { $0.form("layer", "a") }
                }
                _ = try await operation.value
                #expect(try DiskFile.read(path) == TruncatingServer.bytes)
                #expect(shelf.ranges == [nil, nil])
                #expect(try names(in: String(path.dropLast(5))) == ["file"])
            }
        }
    }

    @Test("a partial file is kept with its header fields, though the server does not repeat them")
    func description() async throws {
        let fields: HTTPFields = [
            .contentType: "image/png", .contentDisposition: "attachment; filename=\"../a.png\"",
        ]
        for attempts in [1, 2] {
            try await withFile { path in
                let shelf = TruncatingServer(path, document, cuts: [8], fields: fields)
                if attempts == 1 { #expect(await failure(shelf.download()) != nil) }
                let file = try await shelf.download(attempts: attempts).value
                #expect(shelf.ranges == [nil, "bytes=8-"])
                #expect(file.contentType == "image/png" && file.suggestedName == "a.png")
            }
        }
    }

    @Test("the partial file of a download is described by a journal that is not trusted")
    func planted() throws {
        let text = #"{"version":1,"source":"S","type":"a\r\nb","name":"../../x"}"#
        let journal = try #require(PartialJournal(stored: Array(text.utf8)))
        #expect(journal.type == nil && journal.name == "x")
    }

    @Test("a partial file without a validator is progress only beyond its previous length")
    func noProgress() async throws {
        try await withFile { path in
            var weak = document
            weak.tag = nil
            let cuts = (0..<50).map { $0.isMultiple(of: 2) ? 200 : 100 }
            let shelf = TruncatingServer(path, weak, cuts: cuts)
            #expect(await failure(shelf.download(attempts: 3)) != nil)
            #expect(shelf.ranges.count <= 4)
        }
    }

    @Test("a partial file is requested by the download: a call with its own `Range` is refused")
    func ownRange() async throws {
        try await withFile { path in
            for name in ["Range", "if-range"] {
                let shelf = TruncatingServer(path, document, cuts: [])
                let error = await failure(shelf.download { $0.header(name, "bytes=0-3") })
                #expect(error?.reason == .invalidRequest)
                #expect(error?.violations.map(\.path) == [name])
                #expect(shelf.ranges.isEmpty)
            }
        }
    }
}

extension SentRequest {
    fileprivate var isForRest: Bool { head.headerFields[.range] != nil }
}

@Suite("A download in place of a cancelled one")
struct DownloadReplacementTests {
    @Test("a download in place of a cancelled one finds its path free, however slow listeners are")
    func again() async throws {
        try await withFile { path in
            let second = Lock<DownloadOperation?>(nil)
            let (isBusy, goOn) = (Gate(), DispatchSemaphore(value: 0))
            let transport = InMemoryTransport { (request: SentRequest) in
                if request.head.path?.hasPrefix("/method/ping") == true { return .bytes([]) }
                guard !request.isForRest else {
                    return .bytes(
                        [2], status: .partialContent,
                        fields: [.contentRange: "bytes 1-1/2", .eTag: "\"1\""])
                }
                return .chunks([[1]], length: 2, after: Gate(), fields: [.eTag: "\"1\""])
            }
            let manager = APIManager<TinyAPI>(
                transport: transport, credentials: MemoryCredentialStore(Credential(token: secret))
            ) {
                $0.settings.clock = .stopped
                $0.onEvent = { event in
                    guard event.method == "ping", case .started = event.kind else { return }
                    if !isBusy.isOpen {
                        isBusy.open()
                        goOn.wait()
                        return
                    }
                    // Blocks until the next download has made progress, because listeners delay the
                    // ends.
                    while let next = second.withLock({ $0 }), next.attempts.isEmpty,
                        !transport.requests.contains(where: \.isForRest)
                    { sched_yield() }
                }
            }
            let first = manager.operation(EngineRequests.download(id: 1, to: path))
            let progress = first.progress
            first.start()
            for await step in progress where step.received == 1 { break }
            let pings = (0..<2).map { _ in manager.operation(UsersRequests.ping()) }
            DispatchQueue.global().async { pings[0].start() }
            await isBusy.wait()
            // Decided while the engine's actions are pending: they follow at once.
            first.cancel()
            let next = manager.operation(
                EngineRequests.download(id: 1, to: path), options: CallOptions(retry: .never))
            next.start()
            pings[1].start()
            second.withLock { $0 = next }
            goOn.signal()
            _ = try await next.value
            #expect(try DiskFile.read(path) == [1, 2])
        }
    }
}

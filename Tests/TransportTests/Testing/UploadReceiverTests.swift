import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

@Suite("A receiver of uploads")
struct UploadReceiverTests {
    private func put(
        _ served: TransportTestClient, _ range: String, _ text: String = ""
    ) async throws -> CollectedReply {
        try await served.fetch(
            .put, fields: [.contentRange: "bytes \(range)"], body: .bytes(Array(text.utf8)))
    }

    @Test(
        "a receiver of uploads joins pieces, and reports its offset",
        arguments: TransportKind.allCases)
    func pieces(_ kind: TransportKind) async throws {
        let receiver = UploadReceiver()
        let served = try TransportTestClient(kind, receiver.answer)
        defer { served.stop() }
        let asked = try await put(served, "*/10")
        #expect(asked.status == 308)
        #expect(asked["Range"] == nil)
        let first = try await put(served, "0-3/10", "0123")
        #expect(first.status == 308)
        #expect(first["Range"] == "bytes=0-3")
        #expect(!receiver.isComplete)
        #expect(try await put(served, "*/10")["Range"] == "bytes=0-3")
        #expect(try await put(served, "4-9/10", "456789").status == 201)
        #expect(receiver.isComplete)
        #expect(receiver.bytes == Array("0123456789".utf8))
        #expect(receiver.pieceCount == 2)
    }

    @Test("a receiver of uploads accepts a repeated piece if it is the same")
    func again() async throws {
        let receiver = UploadReceiver()
        let served = try TransportTestClient(.inMemory, receiver.answer)
        _ = try await put(served, "0-3/10", "0123")
        #expect(try await put(served, "2-5/10", "2345")["Range"] == "bytes=0-5")
        #expect(try await put(served, "0-1/10", "01")["Range"] == "bytes=0-5")
        #expect(try await put(served, "0-1/10", "0x").status == 409)
        #expect(receiver.bytes == Array("012345".utf8))
    }

    @Test("a receiver of uploads refuses a gap and another total length without a change")
    func conflict() async throws {
        let receiver = UploadReceiver()
        let served = try TransportTestClient(.inMemory, receiver.answer)
        _ = try await put(served, "0-1/10", "01")
        #expect(try await put(served, "3-4/10", "34").status == 409)
        #expect(try await put(served, "2-3/11", "23").status == 409)
        #expect(receiver.bytes == Array("01".utf8))
    }

    @Test(
        "a receiver of uploads refuses malformed ranges",
        arguments: [
            "", "0-1", "0-2/10", "1-0/10", "a-b/10", "0-1/*", "9-10/10", "0-1-2/3", "-1/10",
        ])
    func malformed(_ range: String) async throws {
        let receiver = UploadReceiver()
        let served = try TransportTestClient(.inMemory, receiver.answer)
        #expect(try await put(served, range, "ab").status == 400)
        #expect(receiver.bytes.isEmpty)
    }

    @Test(
        "a receiver of uploads accepts a whole file in one piece, also chunked",
        arguments: TransportKind.allCases)
    func whole(_ kind: TransportKind) async throws {
        let receiver = UploadReceiver()
        let served = try TransportTestClient(kind, receiver.answer)
        defer { served.stop() }
        let rest = Lock<ArraySlice<[UInt8]>>([[1], [2, 3]])
        let body = RequestBody.stream(length: nil) { rest.withLock { $0.popFirst() } }
        #expect(try await served.fetch(.post, body: body).status == 201)
        #expect(receiver.bytes == [1, 2, 3])
    }

    @Test("a receiver of uploads accepts a piece again after a refusal")
    func refused() async throws {
        let receiver = UploadReceiver()
        receiver.refuseNext(with: .bytes(status: 503))
        receiver.refuseNext(with: .closed)
        let served = try TransportTestClient(.inMemory, receiver.answer)
        #expect(try await put(served, "0-1/2", "01").status == 503)
        let kind = await TransportError.kind { _ = try await put(served, "0-1/2", "01") }
        #expect(kind == .connectionLost)
        #expect(try await put(served, "0-1/2", "01").status == 201)
    }
}

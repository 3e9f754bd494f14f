import HTTPTypes
import RuntimeTestSupport
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The progress of a reply")
struct ReplyProgressTests {
    @Test("the progress of a reply is complete at the end of a body without a declared length")
    func chunked() async throws {
        let transport = InMemoryTransport { _ in .chunks([Array("{".utf8), Array("}".utf8)]) }
        let manager = TestAPI.manager(TestAPI.definition, transport: transport)
        let endpoint = Endpoint(
            .post, "pictures", operation: OperationRules(kind: .upload))
        var builder = RequestBuilder(RequestTemplate(method: "add", endpoint: endpoint))
        builder.bytes([1, 2, 3] as [UInt8], type: "image/png")
        let upload = manager.operation(builder.finishEmpty())
        let progress = upload.progress
        try await upload.value
        var last: OperationProgress?
        for await step in progress { last = step }
        #expect(last?.sent == 3 && last?.received == 2)
        #expect(last?.fraction == 1)
    }

    @Test("the progress of a reply is that of a download although its JSON may be a refusal")
    func json() async throws {
        let body = [0x5B] + [UInt8](repeating: 0x20, count: 199_998) + [0x5D]
        let end = Gate()
        let client = TestClient { _ in
            .chunks(
                [Array(body.prefix(150_000)), Array(body.dropFirst(150_000))],
                length: body.count, after: end, fields: [.contentType: "application/json"])
        }
        try await withFile { path in
            let download = client.manager.operation(EngineRequests.download(id: 1, to: path))
            let progress = download.progress
            download.start()
            let isShown = await progress.contains {
                $0.received >= 150_000 && $0.expectedToReceive == body.count
            }
            #expect(isShown)
            end.open()
            let file = try await download.value
            #expect(file.bytes == body.count)
        }
    }
}

import Foundation
import TelexRuntime
import Testing

@testable import TelexURLSession

@Suite("A body that has to be on disk before it is sent")
struct SpoolTests {
    @Test("and cannot be is no matter of the network: the words say what to do, and once is enough")
    func noRoom() async {
        let body = RequestBody.stream(length: 1) { () async throws(TransportError) in [1] }
        let nowhere = URL(fileURLWithPath: "/nowhere/at/all/body")
        let error = await #expect(throws: TransportError.self) {
            _ = try await Upload(body, timeout: .seconds(60)) { () throws(TransportError) in nowhere
            }
        }
        #expect(error?.kind == .invalidRequest)
        #expect(error?.message.contains("make room") == true)
    }
}

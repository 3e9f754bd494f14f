import TelexRuntime
import Testing
import VKClient

@Suite("The rules of the VK spec")
struct VKRulesTests {
    @Test("are in the client's definition and endpoints")
    func rules() throws {
        let definition = VK.definition
        #expect(definition.traffic == TrafficLimits(rate: RequestRate(3, per: .seconds(1))))
        #expect(definition.auth.refresh == .app)
        #expect(definition.retry.attempts == 3 && definition.retry.conditions.contains(.code("6")))
        let logout = AuthRequests.logout().endpoint
        #expect(logout.operation == OperationRules(throttle: Throttle(.milliseconds(1500))))
        let upload = try VK.request(
            .photosUpload, properties: ["upload_url": "https://upload.vk.test/", "photo": "a"]
        ).endpoint
        #expect(upload.operation.kind == .upload && upload.timeouts?.total == .seconds(600))
    }
}

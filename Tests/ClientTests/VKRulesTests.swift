import TelexRuntime
import Testing
import VKClient

@Suite("The rules of the VK spec")
struct VKRulesTests {
    @Test("are in the client's definition and endpoints")
    func rules() {
        let definition = VK.definition
        #expect(definition.traffic == TrafficLimits(rate: RequestRate(3, per: .seconds(1))))
        #expect(definition.auth.refresh == .app)
        #expect(definition.retry.attempts == 3 && definition.retry.conditions.contains(.code("6")))
        let logout = VK.APIMethod.authLogout.endpoint
        #expect(logout.operation == OperationRules(throttle: Throttle(.milliseconds(1500))))
        let upload = VK.APIMethod.photosUpload.endpoint
        #expect(upload.operation.kind == .upload && upload.timeouts?.total == .seconds(600))
    }
}

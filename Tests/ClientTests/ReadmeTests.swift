import TelexRuntime
import TelexTesting
import Testing
import VKClient

/// What the README shows, as it is written there.
@Suite("The README's calls")
struct ReadmeTests {
    @Test("compile, and do what is said")
    func calls() async throws {
        let transport = InMemoryTransport { request in
            request.head.path?.contains("wall.post") == true
                ? .json(#"{"error": {"error_code": 15, "error_msg": "no"}}"#)
                : .json(#"{"response": {"count": 0, "items": []}}"#)
        }
        let vk = APIManager<VK>(
            transport: transport,
            credentials: .memory(Credential(token: "t", values: ["user_id": "1"])))

        let call = vk.wall.get(count: 50)
        #expect(transport.requests.isEmpty)
        let page = try await call.value
        #expect(page.count == 0)

        do {
            _ = try await vk.wall.post(message: "Hello").value
        } catch let error as APIError where error.code(in: VK.self) == .captchaNeeded {
            _ = error.detail(as: Captcha.self)
        } catch let error as APIError {
            #expect(error.code(in: VK.self) == .accessDenied)
        }
    }
}

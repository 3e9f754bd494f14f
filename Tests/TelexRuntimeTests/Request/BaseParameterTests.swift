import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The parameters of every request")
struct BaseParameterTests {
    private var base: RequestTemplate {
        var base = RequestBuilder(RequestTemplate(method: "", endpoint: Endpoint(.get, "")))
        base.query("v", "base")
        base.header("X-V", "base")
        base.form("v", "base")
        base.form("lang", "base")
        return base.template
    }

    private func completed(
        _ verb: Endpoint.Verb, _ build: (inout RequestBuilder) -> Void = { _ in }
    ) -> RequestTemplate {
        var own = RequestBuilder(RequestTemplate(method: "m", endpoint: Endpoint(verb, "m")))
        build(&own)
        var template = own.template
        template.add(base: base)
        return template
    }

    private func body(_ template: RequestTemplate) throws -> String? {
        guard case .bytes(let bytes)? = try template.payload(placement: nil, credential: nil)?.body
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("parameters of every request give way to a method's own of that name, wherever they are")
    func own() throws {
        let template = completed(.post) {
            $0.query("v", "own")
            $0.header("x-v", "own")
            $0.form("v", "own")
        }
        #expect(template.query.flatMap(\.pairs).map(\.value) == ["own"])
        #expect(template.headers.flatMap(\.pairs).map(\.value) == ["own"])
        #expect(try body(template) == "lang=base&v=own")
    }

    @Test("the parameters of every request give way to a file of the same name too")
    func file() {
        let template = completed(.post) { $0.part("v", UploadFile(bytes: [1], name: "a")) }
        #expect(template.form.map(\.name) == ["lang", "v"])
    }

    @Test(
        "the parameters of every request create no body for a request that has none",
        arguments: [.get, .head, .delete] as [Endpoint.Verb])
    func bodiless(_ verb: Endpoint.Verb) throws {
        let template = completed(verb)
        #expect(template.query.count == 1)
        #expect(try template.payload(placement: nil, credential: nil) == nil)
    }

    @Test("the parameters of every request are in the form of a call that sets none of its fields")
    func empty() throws {
        #expect(try body(completed(.post)) == "v=base&lang=base")
        #expect(try body(completed(.delete) { $0.form("id", "1") }) == "v=base&lang=base&id=1")
    }

    @Test("the parameters of every request go into no body of another kind")
    func other() throws {
        let template = completed(.post) { $0.bytes([0x61]) }
        #expect(try body(template) == "a")
    }
}

import HTTPTypes
import SpecIR
import SpecInterpreter
import TelexJSON
import TelexTesting
import Testing

@testable import SpecMock

@Suite("A mock of each spec")
struct AllSpecsTests {
    @Test(
        "A mock answers every method of every spec with a reply that the spec allows",
        arguments: MockTest.specs)
    func replies(spec: String) throws {
        let interpreter = try MockTest(spec).spec.interpreter
        for seed in 1...20 as ClosedRange<UInt64> {
            let test = try MockTest(spec) { $0.seed = seed }
            var maker = RequestMaker(test.api, seed: seed, now: test) { interpreter.check(of: $0) }
            for method in test.api.groups.flatMap(\.methods) where !method.isWholeAddress {
                let reply = reply(to: method, test, &maker)
                let name = "\(spec) \(method.apiName) \(seed)"
                let isGood = interpreter.isSuccess(reply.status, of: method.apiName)
                #expect(isGood, "\(name): \(reply.status) \(reply.text) \(test.lines.last ?? "")")
                let found = test.api.groups.flatMap(\.methods)
                    .first { $0.apiName == test.exchanges.last?.method }
                // Two methods may send the same request.
                #expect(found?.path == method.path && found?.verb == method.verb, "\(name)")
                if found?.apiName != method.apiName { continue }
                for part in parts(of: reply, method) {
                    let report = interpreter.check(
                        Array(part.utf8), of: method.apiName, status: reply.status)
                    #expect(report.validation.isValid, "\(name): \(report.validation) \(part)")
                }
            }
        }
    }

    /// The reply; that to a second request if the first one is told to come with another token.
    private func reply(
        to method: SpecIR.Method, _ test: MockTest, _ maker: inout RequestMaker
    ) -> MockReply {
        var reply = MockReply(test.mock.answer(maker.request(of: method)))
        // Which parameters go together is found by trying.
        for _ in 0..<30 where reply.status == 400 && method.rules != [] {
            reply = MockReply(test.mock.answer(maker.request(of: method)))
        }
        guard case .handedOut(let status, let header)? = test.api.schemes.last?.refresh,
            reply.status == status, let name = HTTPField.Name(header)
        else { return reply }
        return MockReply(
            test.mock.answer(maker.request(of: method, fields: [name: reply.fields[name] ?? ""])))
    }

    /// The documents of a reply: one, or the elements of a stream.
    private func parts(of reply: MockReply, _ method: SpecIR.Method) -> [String] {
        guard case .stream(let format) = method.operation.kind else {
            if case .nothing = method.output { return reply.text.isEmpty ? [] : [reply.text] }
            return [reply.text]
        }
        let lines = reply.text.split(separator: "\n").map(String.init)
        guard format.framing == .serverSentEvents else { return lines }
        return lines.filter { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) }
    }

    @Test("A mock gives the same reply to the same request, and another one for another seed")
    func seeds() throws {
        let texts = try [1, 1, 2].map { seed in
            try MockTest("documents") { $0.seed = seed }.send("GET", "/profiles").text
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0] != texts[2])
    }
}

import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// Records what drifted.
private final class RecordingDriftListener: DriftListener {
    private let heard = Lock<[String]>([])

    var lines: [String] { heard.withLock { $0 } }

    func replyDrifted(of method: String, violations: [Violation]) {
        heard.withLock { $0 += violations.map { "\(method) \($0.severity) \($0)" } }
    }
}

/// The tiny API with the app's own checks.
private enum CheckedAPI: APIDescription {
    typealias Parameters = TinyAPI.Parameters
    typealias ErrorCode = TinyAPI.ErrorCode
    typealias ReplyChecks = any CheckedAPIReplyChecks
    static var definition: APIDefinition { TinyAPI.definition }
}

private protocol CheckedAPIReplyChecks: Sendable {
    func usersGet(_ value: [User]) -> [Violation]
    func iban(_ value: String) -> Bool
}

private struct OddNames: CheckedAPIReplyChecks {
    var severity = Severity.error

    func iban(_ value: String) -> Bool { value != "DE1" }

    func usersGet(_ value: [User]) -> [Violation] {
        value.enumerated().filter { $1.name == "Odd" }.map { index, user in
            Violation(
                path: "response[\(index)].name", rule: "odd", expected: "another name",
                found: user.name, severity: severity)
        }
    }
}

@Suite("Validation of replies")
struct ReplyValidationTests {
    private static let long = #"{"response":[{"id":1,"name":"a very long name"}]}"#
    private static let incomplete = #"{"response":[{"id":1}]}"#

    private func manager(
        drift: (any DriftListener)? = nil, seed: UInt64 = 7, log: Log = Log(), _ reply: String
    ) -> APIManager<TinyAPI> {
        APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in .json(reply) },
            credentials: .memory(Credential(token: secret))
        ) {
            $0.drift = drift
            $0.settings.clock = .stopped
            $0.settings.seed = seed
            $0.onEvent = { log.add($0.description) }
        }
    }

    private func request(_ validation: ReplyValidation? = nil) -> APIRequest<[User]> {
        let endpoint = Endpoint(.get, "users.get", validation: validation)
        return RequestBuilder("users.get", endpoint).finish(UsersMapper.get)
    }

    private func response(
        _ reply: String, _ validation: ReplyValidation?, options: CallOptions? = nil
    ) async throws -> OperationResponse<[User]> {
        try await manager(reply).operation(request(validation), options: options).response
    }

    @Test("a rule of the app fails a call, is told with `warn`, and is not asked with `off`")
    func ownRule() async throws {
        func operation(
            _ validation: ReplyValidation, _ checks: OddNames? = OddNames()
        ) -> NetworkOperation<[String]> {
            let manager = APIManager<CheckedAPI>(
                transport: InMemoryTransport { _ in .json(#"{"response":["DE2", "DE1"]}"#) },
                credentials: .memory(Credential(token: secret))
            ) { $0.checks = checks }
            let endpoint = Endpoint(.get, "users.get", validation: validation)
            return manager.operation(
                RequestBuilder("users.get", endpoint).finish { json -> [String]? in
                    json.list { json in
                        var item: String?
                        if json.string(&item) {
                            json.own(item, "iban", by: CheckedAPI.ReplyChecks.self) { $0.iban($1) }
                        }
                        return item
                    }
                })
        }
        let error = await failure(operation(.throw))
        #expect(error?.phase == .validate && error?.violations.map(\.path) == ["response[1]"])
        #expect(try await operation(.warn).response.warnings.map(\.rule) == ["iban"])
        #expect(try await operation(.off).response.warnings.isEmpty)
        #expect(try await operation(.throw, nil).value == ["DE2", "DE1"])
    }

    @Test("validation of replies by default, a violation fails the call")
    func standard() async {
        let error = await failure(manager(Self.long).operation(request()))
        #expect(error?.phase == .validate)
        #expect(error?.violations.map(\.rule) == ["max-length"])
    }

    @Test("`warn` returns the value and tells the violation in the response")
    func warn() async throws {
        let response = try await response(Self.long, .warn)
        #expect(response.value.first?.name == "a very long name")
        #expect(response.warnings.map(\.path) == ["response[0].name"])
        #expect(response.warnings.map(\.severity) == [.warning])
    }

    @Test("`warn` fails a call whose reply has no value of its type, with every violation")
    func warnWithoutValue() async {
        let error = await failure(manager(Self.incomplete).operation(request(.warn)))
        #expect(error?.phase == .map)
        #expect(error?.violations.map(\.path) == ["response[0].name"])
    }

    @Test("`warn` keeps a success condition and the syntax of JSON strict")
    func warnStrict() async {
        let refused = #"{"response":[],"error":{"error_code":6}}"#
        #expect(await failure(manager(refused).operation(request(.warn)))?.reason == .refused)
        let cut = await failure(manager(#"{"response":["#).operation(request(.warn)))
        #expect(cut?.phase == .map)
    }

    @Test("`off` checks no rule and tells nothing")
    func off() async throws {
        #expect(try await response(Self.long, .off).warnings.isEmpty)
    }

    @Test("`off` says why a reply has no value")
    func offWithoutValue() async {
        let error = await failure(manager(Self.incomplete).operation(request(.off)))
        #expect(error?.phase == .map)
        #expect(error?.violations.map(\.rule) == ["required"])
    }

    @Test("checks that are masked pass, and the others fail the call")
    func mask() async throws {
        let rest: JSONChecks = [.keys, .nestedKeys, .types]
        let passed = try await response(Self.long, ReplyValidation(.throw, checks: rest))
        #expect(passed.warnings.isEmpty)
        let failed = await failure(
            manager(Self.long).operation(request(ReplyValidation(.throw, checks: .rules))))
        #expect(failed?.phase == .validate)
    }

    @Test("a mask of `warn` tells only its own checks")
    func maskedWarnings() async throws {
        let twice = #"{"response":[{"id":1,"id":1,"name":"a very long name"}]}"#
        let all = try await response(twice, .warn)
        #expect(all.warnings.map(\.rule) == ["duplicate", "max-length"])
        let keys = try await response(twice, ReplyValidation(.warn, checks: [.keys]))
        #expect(keys.warnings.map(\.rule) == ["duplicate"])
    }

    @Test("rules of severity `warning` reach the app without failing the call")
    func severity() async throws {
        let request = RequestBuilder(TinyAPI.APIMethod.usersGet).finish { json -> Int? in
            var value = 0
            guard json.int(&value) else { return nil }
            json.maximum(value, 5, severity: .warning)
            return value
        }
        let response = try await manager(#"{"response":7}"#).operation(request).response
        #expect(response.value == 7)
        #expect(response.warnings.map(\.rule) == ["max"])
    }

    @Test("any number of warnings passes, and 1,000 of them are kept")
    func manyWarnings() async throws {
        let request = RequestBuilder(TinyAPI.APIMethod.usersGet).finish { json -> [Int]? in
            json.list { json -> Int? in
                var value = 0
                guard json.int(&value) else { return nil }
                json.maximum(value, 5, severity: .warning)
                return value
            }
        }
        let numbers = Array(repeating: "7", count: 1_200).joined(separator: ",")
        let response = try await manager(#"{"response":[\#(numbers)]}"#).operation(request).response
        #expect(response.value.count == 1_200)
        #expect(response.warnings.count == 1_000)
    }

    @Test("the options of a call win over the method's validation")
    func perCall() async throws {
        let options = CallOptions(validation: .warn)
        #expect(try await response(Self.long, nil, options: options).warnings.count == 1)
        let strict = manager(Self.long).operation(
            request(.off), options: CallOptions(validation: .throw))
        #expect(await failure(strict)?.phase == .validate)
    }

    @Test("a request is checked even if its replies are not")
    func requests() async {
        let call = UsersRequests.get(ids: ["1", "2", "3"])
        let error = await failure(
            manager(Self.long).operation(call, options: CallOptions(validation: .off)))
        #expect(error?.reason == .invalidRequest)
    }

    // MARK: Reports

    @Test("the listener and the events learn of each violation, without secrets")
    func reports() async throws {
        let listener = RecordingDriftListener()
        let log = Log()
        let reply = #"{"response":[{"id":1,"name":"\#(secret)"}]}"#
        let manager = manager(drift: listener, log: log, reply)
        _ = try await manager.operation(request(.warn)).value
        #expect(
            listener.lines == [
                "users.get warning response[0].name: expected at most 10 characters, found "
                    + "\"‹redacted›\" [max-length]"
            ])
        let events = log.text.split(separator: "\n").filter { $0.hasPrefix("⚠") }
        #expect(events.count == 1)
        #expect(events.first?.contains("response[0].name") == true)
        #expect(!(listener.lines.joined() + log.text).contains(secret))
    }

    @Test("an event of several violations names the first and their number")
    func manyInAnEvent() async throws {
        let log = Log()
        let one = #"{"id":1,"name":"a very long name"}"#
        let manager = manager(log: log, #"{"response":[\#(one),\#(one),\#(one)]}"#)
        _ = try await manager.operation(request(.warn)).value
        let event = log.text.split(separator: "\n").first {
            $0.hasPrefix("⚠ users.get: response[0].name")
        }
        #expect(event?.hasSuffix("and 2 more violations") == true)
    }

    @Test("the listener learns nothing of a reply that fails the call")
    func failing() async {
        let listener = RecordingDriftListener()
        _ = await failure(manager(drift: listener, Self.long).operation(request()))
        #expect(listener.lines.isEmpty)
    }

    @Test("each call that shares a request has the warnings, and the listener has them once")
    func shared() async throws {
        let gate = Gate()
        let listener = RecordingDriftListener()
        let transport = InMemoryTransport { _ in
            await gate.wait()
            return .json(Self.long)
        }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: .memory(Credential(token: secret))
        ) {
            $0.drift = listener
            $0.settings.clock = .stopped
        }
        let warn = CallOptions(validation: .warn)
        let calls = (0..<2).map { _ in
            manager.operation(EngineRequests.shared(id: 1), options: warn)
        }
        let strict = manager.operation(EngineRequests.shared(id: 1))
        for call in calls + [strict] { call.start() }
        gate.open()
        for call in calls { #expect(try await call.response.warnings.count == 1) }
        #expect(await failure(strict)?.phase == .validate)
        #expect(listener.lines.count == 1)
        #expect(transport.requests.count == 2)
    }

    @Test("each element of a stream is checked by itself")
    func streams() async throws {
        let endpoint = Endpoint(
            .get, "lines", auth: .none, reply: ReplyRules(),
            operation: OperationRules(kind: .stream), validation: .warn)
        let request = RequestBuilder("lines", endpoint).finishStream(.jsonLines) { json -> Int? in
            var value = 0
            guard json.int(&value) else { return nil }
            json.maximum(value, 5)
            return value
        }
        let listener = RecordingDriftListener()
        let manager = manager(drift: listener, "4\n7\n9\n")
        var values: [Int] = []
        let operation = manager.operation(request)
        for try await value in operation.elements { values.append(value) }
        #expect(values == [4, 7, 9])
        #expect(listener.lines.count == 2)
    }

    // MARK: Samples

    @Test("a sample checks its share of the replies, chosen by the seed")
    func sample() async throws {
        func warned(_ sample: Double, seed: UInt64) async throws -> [Bool] {
            let manager = manager(seed: seed, Self.long)
            var result: [Bool] = []
            for _ in 0..<200 {
                let validation = ReplyValidation(.warn, sample: sample)
                let response = try await manager.operation(request(validation)).response
                result.append(!response.warnings.isEmpty)
            }
            return result
        }
        let quarter = try await warned(0.25, seed: 1)
        #expect((30...70).contains(quarter.count { $0 }))
        #expect(try await warned(0.25, seed: 1) == quarter)
        #expect(try await warned(0.25, seed: 2) != quarter)
        #expect(try await warned(0, seed: 1).allSatisfy { !$0 })
        #expect(try await warned(1, seed: 1).allSatisfy { $0 })
    }

    @Test("a fraction outside 0...1 is clamped")
    func clamped() {
        #expect(ReplyValidation(.warn, sample: 7).sample == 1)
        #expect(ReplyValidation(.warn, sample: -1).sample == 0)
        #expect(ReplyValidation(.warn, sample: .nan).sample == 0)
        var validation = ReplyValidation.warn
        validation.sample = 2
        #expect(validation.sample == 1)
    }

    // MARK: The app's own checks

    private func own(
        _ checks: OddNames?, _ validation: ReplyValidation? = nil
    ) -> DataOperation<[User]> {
        let manager = APIManager<CheckedAPI>(
            transport: InMemoryTransport { _ in .json(#"{"response":[{"id":1,"name":"Odd"}]}"#) },
            credentials: .memory(Credential(token: secret))
        ) {
            $0.checks = checks
            $0.settings.clock = .stopped
        }
        return manager.operation(
            request(validation).checked(in: CheckedAPI.self) { $0.usersGet($1) })
    }

    @Test("the app's own check fails the call")
    func ownCheck() async {
        let error = await failure(own(OddNames()))
        #expect(error?.phase == .validate)
        #expect(error?.violations.map(\.rule) == ["odd"])
    }

    @Test("a warning of the app's own check passes")
    func ownWarning() async throws {
        let response = try await own(OddNames(severity: .warning)).response
        #expect(response.warnings.map(\.rule) == ["odd"])
        #expect(try await own(OddNames(), .warn).response.warnings.map(\.rule) == ["odd"])
    }

    @Test("`off` makes no check of the app's own")
    func ownOff() async throws {
        #expect(try await own(OddNames(), .off).response.warnings.isEmpty)
        #expect(try await own(nil, .off).value.count == 1)
    }

    @Test("a call sends nothing without the checks of replies that the description asks for")
    func missingChecks() async {
        let error = await failure(own(nil))
        #expect(error?.reason == .invalidRequest)
        #expect(error?.violations.map(\.path) == ["checks"])
    }

    @Test("a request whose value type was erased is still checked by the app")
    func erased() async throws {
        let manager = APIManager<CheckedAPI>(
            transport: InMemoryTransport { _ in .json(#"{"response":[{"id":1,"name":"Odd"}]}"#) },
            credentials: .memory(Credential(token: secret))
        ) {
            $0.checks = OddNames()
            $0.settings.clock = .stopped
        }
        let request = request().checked(in: CheckedAPI.self) { $0.usersGet($1) }
        #expect(await failure(manager.operation(request.erased()))?.phase == .validate)
    }

    // MARK: By hand

    @Test("`validate` makes the checks of a mask")
    func manual() {
        let all = TinyAPI.validate(Array(Self.long.utf8), as: [User].self)
        #expect(all.violations.map(\.rule) == ["max-length"])
        let keys = TinyAPI.validate(Array(Self.long.utf8), checks: [.keys], as: [User].self)
        #expect(keys.isValid)
    }
}

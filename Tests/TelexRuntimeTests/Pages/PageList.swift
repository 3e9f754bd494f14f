import TelexJSON
import TelexTesting

@testable import TelexRuntime

/// The list of a scripted server, as a generated client would call it.
struct PageList {
    let transport: InMemoryTransport
    let manager: APIManager<TestAPI>

    /// - Parameters:
    ///   - placement: Where the token goes.
    ///   - script: Answers with `items` and what the rule needs.
    init(
        _ placement: AuthRules.Placement = .bearer, _ script: @escaping InMemoryTransport.Script
    ) {
        transport = InMemoryTransport(script)
        manager = TestAPI.manager(
            APIDefinition(
                name: "Lists", servers: [Server("main", "https://lists.test/v1/")],
                auth: AuthRules(token: placement), retry: .never),
            transport: transport, credentials: .memory(Credential(token: secret)))
    }

    /// The paths of all requests.
    var paths: [String] { transport.requests.compactMap(\.head.path) }

    /// The list with these rules and a query of its own.
    func pages(
        _ rule: PageRule<JSONValue>, more: @escaping @Sendable (JSONValue) -> Bool? = { _ in nil },
        size: Int? = nil, key: String? = nil,
        options: CallOptions? = nil
    ) -> Pages<JSONValue, Int> {
        Pages(rule, more: more, items: { $0["items"]?.asArray?.compactMap(\.asInt) ?? [] }) {
            position in
            var request = RequestBuilder("list.get", .get, "list")
            request.query("size", size)
            request.query("offset", position.asOffset)
            request.query("page", position.asPage)
            request.query("after", position.asToken)
            request.header("X-Key", key, sensitive: true)
            let page = request.finish { json in json.value() as JSONValue? }
            return manager.operation(page, CallOptions(options, at: position))
        }
    }
}

extension AsyncSequence {
    /// All elements.
    func all() async throws -> [Element] {
        try await reduce(into: []) { $0.append($1) }
    }
}

import TestSupport
import Testing

/// Programs of generated clients, with replies as servers send them.
@Suite("A generated client")
struct GeneratedClientTests {
    private static let spec = TestSpec(files: [
        "api.yaml": """
        telex: 1
        api: Shop
        servers: { production: https://shop.example/ }
        dates: local-date-time

        """,
        "orders.yaml": """
        methods:
          orders.list: { get: orders, query: { since: Date }, returns: [Order] }
          orders.change: { patch: "orders/{id}", path: { id: int }, returns: Order | null }
        models:
          Order: { id: int, made: Date, sent: { type: Date?, as: local-date-time } }

        """,
    ])

    private static let main = #"""
        import Foundation
        import TelexRuntime
        import TelexTesting

        let transport = InMemoryTransport { request in
            guard request.head.method == .get else { return .json("") }
            print(request.head.path ?? "")
            return .json(
                #"[{"id":1,"made":"2024-01-01T12:00:00","sent":"2024-01-01T12:00:00.123456"},"#
                    + #"{"id":2,"made":"2024-01-01T12:00:00Z","sent":"2024-01-01T13:00:00+01:00"}]"#)
        }
        let shop = APIManager<Shop>(transport: transport)
        for order in try await shop.orders.list(since: Date(timeIntervalSince1970: 1.5)).value {
            print(order.made.timeIntervalSince1970, order.sent?.timeIntervalSince1970 ?? 0)
        }
        let changed = shop.orders.change(id: 1)
        let status = try await changed.response.head?.status.code
        print(status ?? 0, try await changed.value as Any)
        """#

    @Test(
        "reads dates with and without an offset, and the empty reply of a change as nil",
        .enabled(if: SwiftToolchain.objects != nil, "needs the object files of the runtime"))
    func localDates() async throws {
        var files = try Self.spec.emitted()
        files["main.swift"] = Self.main
        let report = try await SwiftToolchain.run(files, [])
        #expect(
            report.text == """
                /orders?since=1970-01-01T00%3A00%3A01.500
                1704110400.0 1704110400.123456
                1704110400.0 1704110400.0
                200 nil

                """)
    }
}

import Shop
import TelexTesting

@main
struct Main {
    static func main() async throws {
        let transport = InMemoryTransport { _ in .json(#"[{"id": 1, "title": "Tea"}]"#) }
        let shop = APIManager<ShopAPI>(transport: transport)
        for good in try await shop.goods.list().value { print(good.id, good.title) }
    }
}

import TelexJSON

struct UserReply: JSONReadable, Sendable {
    let number: Int

    private static let keys = JSONKeys(
        required: ["n"], optional: [], nullable: [], sensitive: [])

    static func read(from json: inout JSONReader) -> UserReply? {
        var number = 0
        guard json.beginObject(keys) else { return nil }
        while json.nextField() != nil { json.int(&number) }
        return json.endObject() ? UserReply(number: number) : nil
    }
}

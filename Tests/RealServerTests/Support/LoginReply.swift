import TelexJSON

struct LoginReply: JSONReadable, Sendable {
    let token: String
    let refreshToken: String

    private static let keys = JSONKeys(
        required: ["access_token", "refresh_token"], optional: [], nullable: [], sensitive: [])

    static func read(from json: inout JSONReader) -> LoginReply? {
        var (token, refreshToken) = ("", "")
        guard json.beginObject(keys) else { return nil }
        while let field = json.nextField() {
            if field == 0 { json.string(&token) } else { json.string(&refreshToken) }
        }
        return json.endObject() ? LoginReply(token: token, refreshToken: refreshToken) : nil
    }
}

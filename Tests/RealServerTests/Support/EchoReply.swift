import TelexJSON

/// A request as nginx received it. Absent header fields are empty.
struct EchoReply: JSONReadable, Equatable, Sendable {
    var method = ""
    var length = ""
    var token = ""

    private static let keys = JSONKeys(
        required: ["method", "length", "token"], optional: [], nullable: [], sensitive: [])

    static func read(from json: inout JSONReader) -> EchoReply? {
        var echo = EchoReply()
        guard json.beginObject(keys) else { return nil }
        while let field = json.nextField() {
            switch field {
            case 0: json.string(&echo.method)
            case 1: json.string(&echo.length)
            default: json.string(&echo.token)
            }
        }
        return json.endObject() ? echo : nil
    }
}

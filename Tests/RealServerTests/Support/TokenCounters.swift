import TelexJSON

/// The counters of the token server.
struct TokenCounters: JSONReadable, Sendable {
    /// Refresh requests: all, granted, and with a used refresh token.
    var asked = 0
    var granted = 0
    var reused = 0
    /// Requests that were refused with 401.
    var refused = 0
    /// Different numbers in accepted requests, and the numbers that came more than once.
    var served = 0
    var repeated = 0

    private static let keys = JSONKeys(
        required: ["asked", "granted", "reused", "refused", "served", "repeated"], optional: [],
        nullable: [], sensitive: [])

    static func read(from json: inout JSONReader) -> TokenCounters? {
        var counts = TokenCounters()
        guard json.beginObject(keys) else { return nil }
        while let field = json.nextField() {
            switch field {
            case 0: json.int(&counts.asked)
            case 1: json.int(&counts.granted)
            case 2: json.int(&counts.reused)
            case 3: json.int(&counts.refused)
            case 4: json.int(&counts.served)
            default: json.int(&counts.repeated)
            }
        }
        return json.endObject() ? counts : nil
    }
}

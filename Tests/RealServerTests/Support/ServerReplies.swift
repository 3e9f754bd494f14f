import TelexJSON

struct Login: JSONReadable, Sendable {
    let token: String
    let refreshToken: String

    private static let keys = JSONKeys(
        required: ["access_token", "refresh_token"], optional: [], nullable: [], sensitive: [])

    static func read(from json: inout JSONReader) -> Login? {
        var (token, refreshToken) = ("", "")
        guard json.beginObject(keys) else { return nil }
        while let field = json.nextField() {
            if field == 0 { json.string(&token) } else { json.string(&refreshToken) }
        }
        return json.endObject() ? Login(token: token, refreshToken: refreshToken) : nil
    }
}

/// What the token server has counted.
struct Counts: JSONReadable, Sendable {
    /// Requests for new tokens, those that were granted, and those with a used refresh token.
    var asked = 0
    var granted = 0
    var reused = 0
    /// Requests that were refused with 401.
    var refused = 0
    /// How many numbers the others brought, and how many of those more than once.
    var served = 0
    var repeated = 0

    private static let keys = JSONKeys(
        required: ["asked", "granted", "reused", "refused", "served", "repeated"], optional: [],
        nullable: [], sensitive: [])

    static func read(from json: inout JSONReader) -> Counts? {
        var counts = Counts()
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

struct Me: JSONReadable, Sendable {
    let number: Int

    private static let keys = JSONKeys(
        required: ["n"], optional: [], nullable: [], sensitive: [])

    static func read(from json: inout JSONReader) -> Me? {
        var number = 0
        guard json.beginObject(keys) else { return nil }
        while json.nextField() != nil { json.int(&number) }
        return json.endObject() ? Me(number: number) : nil
    }
}

/// A body as it arrived at the Flask app.
struct Arrival: JSONReadable, Equatable, Sendable {
    /// `Content-Length` and `Transfer-Encoding`, if there were any.
    var declared: String?
    var coding: String?
    /// Of a form.
    var name: String?
    var title: String?

    private static let keys = JSONKeys(
        required: [], optional: ["declared", "coding", "name", "title"],
        nullable: ["declared", "coding"], sensitive: [])

    static func read(from json: inout JSONReader) -> Arrival? {
        var arrival = Arrival()
        guard json.beginObject(keys) else { return nil }
        while let field = json.nextField() {
            switch field {
            case 0: json.string(&arrival.declared)
            case 1: json.string(&arrival.coding)
            case 2: json.string(&arrival.name)
            default: json.string(&arrival.title)
            }
        }
        return json.endObject() ? arrival : nil
    }
}

/// A request as nginx saw it; its fields are empty where it had none.
struct Echo: JSONReadable, Equatable, Sendable {
    var method = ""
    var length = ""
    var token = ""

    private static let keys = JSONKeys(
        required: ["method", "length", "token"], optional: [], nullable: [], sensitive: [])

    static func read(from json: inout JSONReader) -> Echo? {
        var echo = Echo()
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

import Foundation
import TelexJSON
import TelexTemplates

/// Compares the reading and writing of the same values with `TelexJSON` and Foundation's coders.
enum JSONBenchmark {
    /// - Throws: If something could not be read or written.
    static func run() throws {
        print("reading                  MB    GB/s  JSONDecoder/Telex")
        let users = Payload.users(1_000, text: 0)
        try compare("1,000 users", bytes: users, of: Reply<[User]>.self) { userList($0) }
        try compare("text-heavy", bytes: Payload.users(300, text: 40), of: Reply<[User]>.self) {
            userList($0)
        }
        try compare("1 KB reply", bytes: Payload.users(1, text: 9), of: Reply<[User]>.self) {
            userList($0)
        }
        let numbers = Payload.numbers(100_000)
        try compare("number pairs", bytes: numbers, of: [[Double]].self) { bytes in
            let result: JSONResult<[[Double]]> = JSONReader.read(bytes) { $0.list() }
            return result.value?.count ?? 0
        }
        try report("skip 1,000 users", bytes: users) {
            let result: JSONResult<Void> = JSONReader.read(users) { $0.nothing() }
            return result.value == nil ? 0 : 1
        }
        try validation(users)
        try template(users)
        try writing(users)
    }

    private static func userList(_ bytes: [UInt8], checks: JSONChecks = .all) -> Int {
        let result: JSONResult<[User]> = JSONReader.read(bytes, at: ["response"], checks: checks) {
            $0.list()
        }
        precondition(result.report.isValid, result.report.description)
        return result.value?.count ?? 0
    }

    private static func compare<T: Decodable>(
        _ name: String, bytes: [UInt8], of type: T.Type, _ read: ([UInt8]) -> Int
    ) throws {
        let data = Data(bytes)
        let decoder = JSONDecoder()
        let (ours, theirs) = try Clock.sideBySide({ read(bytes) }) {
            (try? decoder.decode(T.self, from: data)) == nil ? 0 : 1
        }
        line(name, size: bytes.count, time: ours, ratio: String(format: "%.1f", theirs / ours))
    }

    private static func report(_ name: String, bytes: [UInt8], _ body: () -> Int) throws {
        let (time, _) = try Clock.sideBySide(body) { 1 }
        line(name, size: bytes.count, time: time, ratio: "–")
    }

    private static func line(_ name: String, size: Int, time: Double, ratio: String) {
        let label = name.padding(toLength: 20, withPad: " ", startingAt: 0)
        let size = Double(size)
        print(label, String(format: "%7.3f %7.2f  ", size / 1e6, size / time / 1e9) + ratio)
    }

    private static func validation(_ bytes: [UInt8]) throws {
        let (on, off) = try Clock.sideBySide({ userList(bytes) }) { userList(bytes, checks: []) }
        let plain = try Clock.sideBySide({ userList(bytes) }) {
            let result: JSONResult<[UncheckedUser]> = JSONReader.read(bytes, at: ["response"]) {
                $0.list()
            }
            return result.value?.count ?? 0
        }
        print(String(format: "checks on / off: %.3f", on / off), terminator: "; ")
        print(String(format: "with rules / without any: %.3f", plain.0 / plain.1))
    }

    /// Compares a template with the generated check that asks for the same.
    private static func template(_ bytes: [UInt8]) throws {
        let template = try Template(parsing: Array(Payload.template.utf8))
        let (interpreted, generated) = try Clock.sideBySide({
            template.validate(bytes).isValid ? 1 : 0
        }) { userList(bytes) }
        print(String(format: "template / generated check: %.3f", interpreted / generated))
    }

    private static func writing(_ bytes: [UInt8]) throws {
        let result: JSONResult<[User]> = JSONReader.read(bytes, at: ["response"]) { $0.list() }
        guard let users = result.value else { throw BenchmarkFailure(result.report.description) }
        let encoder = JSONEncoder()
        let (ours, theirs) = try Clock.sideBySide({
            var json = JSONWriter()
            json.value(users)
            return json.bytes.count
        }) {
            (try? encoder.encode(users))?.count ?? 0
        }
        print(String(format: "writing: JSONEncoder/Telex %.1f", theirs / ours))
    }
}

/// Measures CPU seconds of this process, because wall-clock time would include other processes.
private enum Clock {
    /// The best time of each of two bodies, run alternately.
    ///
    /// - Throws: If a body returns 0, because it has done nothing measurable.
    static func sideBySide(
        _ one: () -> Int, _ other: () -> Int
    ) throws -> (Double, Double) {
        var best = (Double.infinity, Double.infinity)
        for _ in 0..<5 {
            best.0 = min(best.0, try time(one))
            best.1 = min(best.1, try time(other))
        }
        return best
    }

    /// The seconds for one run, as an average of at least 60 ms of runs.
    private static func time(_ body: () -> Int) throws -> Double {
        var runs = 0
        let start = now()
        repeat {
            blackHole = body()
            runs += 1
        } while now() - start < 0.06
        if blackHole == 0 { throw BenchmarkFailure("the measured work returned nothing") }
        return (now() - start) / Double(runs)
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Prevents the optimizer from removing the measured work. Safe, because a benchmark has one
    /// thread.
    nonisolated(unsafe) private static var blackHole = 0  // one thread uses it
}

/// Generated documents, the same on every machine.
private enum Payload {
    static func users(_ count: Int, text: Int) -> [UInt8] {
        let users = (0..<count).map { user($0, text: text) }
        return Array((#"{"response":["# + users.joined(separator: ",") + "]}").utf8)
    }

    private static func user(_ index: Int, text: Int) -> String {
        let phrase =
            index % 3 == 0 ? "Живу и работаю в Москве. " : "Nothing much to say here, really. "
        let about = String(repeating: phrase, count: text)
        let status = index % 7 == 0 ? "a \\\"quoted\\\" status\\n" : "Всё будет хорошо"
        return """
            {"id":\(100_000 + index * 7919),"first_name":"Иван\(index % 10)","last_name":"Петров",\
            "sex":\(index % 3),"screen_name":"user\(index)","is_closed":\(index % 2 == 0),\
            "can_access_closed":true,"city":{"id":\(index % 100),"title":"Санкт-Петербург"},\
            "photo_50":"https://sun\(index % 80).userapi.example/v1/a\(index)bcdef.jpg?size=50x50",\
            "photo_200":"https://sun\(index % 80).userapi.example/v1/a\(index)bcdef.jpg?size=200",\
            "followers_count":\(index * 3),"last_seen":{"platform":\(index % 8),"time":17\(index)},\
            "status":"\(status)","about":"\(about)","rating":\(index % 50).25,\
            "tags":["one","two","three"],"extra":{"a":[1,2,3],"b":null}}
            """
    }

    /// The template of a list of users, with the rules that `User` has.
    static var template: String {
        var user = user(1, text: 1).replacing(#","extra":{"a":[1,2,3],"b":null}"#, with: "")
        let rules = [
            "id": #""minimum":0"#, "first_name": #""lengthMustBeEqualOrLessThan":64"#,
            "last_name": #""lengthMustBeEqualOrLessThan":64"#, "platform": #""maximum":8"#,
            "screen_name": #""lengthMustBeEqualOrGreaterThan":2"#, "time": #""minimum":0"#,
            "status": #""lengthMustBeEqualOrLessThan":140"#, "rating": #""minimum":0"#,
            "followers_count": #""isOptional":true,"minimum":0"#,
        ]
        for (key, rule) in rules {
            user = user.replacing(#""\#(key)":"#, with: #""\#(key)-Rules":{\#(rule)},"\#(key)":"#)
        }
        return #"{"response":[\#(user)]}"#
    }

    static func numbers(_ count: Int) -> [UInt8] {
        var state: UInt64 = 1
        let pairs = (0..<count).map { _ -> String in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let unit = Double(state >> 11) / Double(1 << 53)
            return "[\(-180 + 360 * unit),\(-90 + 180 * unit * unit)]"
        }
        return Array(("[" + pairs.joined(separator: ",") + "]").utf8)
    }
}

private struct Reply<Value: Decodable>: Decodable {
    let response: Value
}

private struct City: Codable {
    let id: Int
    let title: String
}

extension City: JSONReadable, JSONWritable {
    static func read(from json: inout JSONReader) -> City? {
        json.enterObject(required: "id title", optional: "")
        var id = 0
        var title = ""
        while let field = json.nextField() {
            switch field {
            case 0: json.int(&id)
            default: json.string(&title)
            }
        }
        return json.endObject(City(id: id, title: consume title))
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("title", title)
        json.endObject()
    }
}

private struct LastSeen: Codable {
    let platform: Int
    let time: Int
}

extension LastSeen: JSONReadable, JSONWritable {
    static func read(from json: inout JSONReader) -> LastSeen? {
        json.enterObject(required: "platform time", optional: "")
        var platform = 0
        var time = 0
        while let field = json.nextField() {
            switch field {
            case 0: if json.int(&platform) { json.maximum(platform, 8) }
            default: if json.int(&time) { json.minimum(time, 0) }
            }
        }
        return json.endObject(LastSeen(platform: platform, time: time))
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("platform", platform)
        json.field("time", time)
        json.endObject()
    }
}

private struct User: Codable {
    let id: Int
    let first_name: String
    let last_name: String
    let sex: Int
    let screen_name: String
    let is_closed: Bool
    let can_access_closed: Bool
    let city: City?
    let photo_50: String
    let photo_200: String
    let followers_count: Int?
    let last_seen: LastSeen
    let status: String
    let about: String
    let rating: Double
    let tags: [String]
}

extension User: JSONReadable, JSONWritable {
    static func read(from json: inout JSONReader) -> User? {
        json.enterObject(
            required: """
                id first_name last_name sex screen_name is_closed can_access_closed photo_50 \
                photo_200 last_seen status about rating tags
                """,
            optional: "city followers_count")
        var id = 0
        var firstName = ""
        var lastName = ""
        var sex = 0
        var screenName = ""
        var isClosed = false
        var canAccess = false
        var photo50 = ""
        var photo200 = ""
        var lastSeen: LastSeen?
        var status = ""
        var about = ""
        var rating = 0.0
        var tags: [String] = []
        var city: City?
        var followers: Int?
        while let field = json.nextField() {
            switch field {
            case 0: if json.int(&id) { json.minimum(id, 1) }
            case 1: json.string(&firstName, maxLength: 64)
            case 2: json.string(&lastName, maxLength: 64)
            case 3: if json.int(&sex) { json.oneOf(sex, [0, 1, 2]) }
            case 4: if json.string(&screenName) { json.minLength(screenName, 2) }
            case 5: json.bool(&isClosed)
            case 6: json.bool(&canAccess)
            case 7: if json.string(&photo50) { json.prefix(photo50, "https://") }
            case 8: if json.string(&photo200) { json.prefix(photo200, "https://") }
            case 9: json.read(&lastSeen)
            case 10: json.string(&status, maxLength: 140)
            case 11: json.string(&about)
            case 12: if json.double(&rating) { json.minimum(rating, 0) }
            case 13: if json.list(&tags) { json.maxItems(tags, 10) }
            case 14: json.read(&city)
            default: if json.int(&followers) { json.minimum(followers, 0) }
            }
        }
        guard json.endObject(), let lastSeen else { return nil }
        return User(
            id: id, first_name: consume firstName, last_name: consume lastName, sex: sex,
            screen_name: consume screenName, is_closed: isClosed, can_access_closed: canAccess,
            city: consume city, photo_50: consume photo50, photo_200: consume photo200,
            followers_count: followers, last_seen: lastSeen, status: consume status,
            about: consume about, rating: rating, tags: consume tags)
    }

    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.field("id", id)
        json.field("first_name", first_name)
        json.field("last_name", last_name)
        json.field("sex", sex)
        json.field("screen_name", screen_name)
        json.field("is_closed", is_closed)
        json.field("can_access_closed", can_access_closed)
        json.field("city", city)
        json.field("photo_50", photo_50)
        json.field("photo_200", photo_200)
        json.field("followers_count", followers_count)
        json.field("last_seen", last_seen)
        json.field("status", status)
        json.field("about", about)
        json.field("rating", rating)
        json.field("tags", tags)
        json.endObject()
    }
}

/// The same model without rules.
private struct UncheckedUser: JSONReadable {
    let user: User

    static func read(from json: inout JSONReader) -> UncheckedUser? {
        json.enterObject(
            required: """
                id first_name last_name sex screen_name is_closed can_access_closed photo_50 \
                photo_200 last_seen status about rating tags
                """,
            optional: "city followers_count")
        var id = 0
        var firstName = ""
        var lastName = ""
        var sex = 0
        var screenName = ""
        var isClosed = false
        var canAccess = false
        var photo50 = ""
        var photo200 = ""
        var lastSeen: LastSeen?
        var status = ""
        var about = ""
        var rating = 0.0
        var tags: [String] = []
        var city: City?
        var followers: Int?
        while let field = json.nextField() {
            switch field {
            case 0: json.int(&id)
            case 1: json.string(&firstName)
            case 2: json.string(&lastName)
            case 3: json.int(&sex)
            case 4: json.string(&screenName)
            case 5: json.bool(&isClosed)
            case 6: json.bool(&canAccess)
            case 7: json.string(&photo50)
            case 8: json.string(&photo200)
            case 9: json.read(&lastSeen)
            case 10: json.string(&status)
            case 11: json.string(&about)
            case 12: json.double(&rating)
            case 13: json.list(&tags)
            case 14: json.read(&city)
            default: json.int(&followers)
            }
        }
        guard json.endObject(), let lastSeen else { return nil }
        return UncheckedUser(
            user: User(
                id: id, first_name: firstName, last_name: lastName, sex: sex,
                screen_name: screenName, is_closed: isClosed, can_access_closed: canAccess,
                city: city, photo_50: photo50, photo_200: photo200, followers_count: followers,
                last_seen: lastSeen, status: status, about: about, rating: rating, tags: tags))
    }
}

import TelexJSON

/// A model as the emitter writes it, with every kind of field.
struct Person: Equatable {
    var id = ""
    var name = ""
    var place: Place?
    var tags: [String] = []
    var age: Int?
    var rates: [Double]?
    var marks: [Level: Int]?
    var level: Level?
    var secret: String?
    var note: String?
    var friends: [Person] = []
}

extension Person: JSONReadable {
    private static let keys = JSONKeys(
        required: ["id", "name", "place", "tags"],
        optional: ["age", "rates", "marks", "level", "secret", "note", "friends"],
        nullable: ["note"], sensitive: ["secret"])

    static func read(from json: inout JSONReader) -> Person? {
        var person = Person()
        guard json.beginObject(keys) else { return nil }
        while let field = json.nextField() {
            switch field {
            case 0: json.string(&person.id, from: .int)
            case 1: if json.string(&person.name) { json.maxLength(person.name, 8) }
            case 2: json.read(&person.place)
            case 3:
                json.list(&person.tags) { json -> String? in
                    var tag = ""
                    guard json.string(&tag) else { return nil }
                    json.maxLength(tag, 3)
                    return tag
                }
                json.maxItems(person.tags, 2)
            case 4:
                if json.int(&person.age) {
                    json.minimum(person.age, 18)
                    json.maximum(person.age, 27)
                }
            case 5: json.list(&person.rates)
            case 6: json.map(&person.marks)
            case 7: if json.read(&person.level) { json.known(person.level) }
            case 8: if json.string(&person.secret) { json.minLength(person.secret, 8) }
            case 9: json.string(&person.note)
            default: json.list(&person.friends)
            }
        }
        guard json.endObject(), person.place != nil else { return nil }
        return person
    }
}

struct Place: Equatable {
    var city: String
    var isHome: Bool
}

extension Place: JSONReadable {
    static func read(from json: inout JSONReader) -> Place? {
        json.enterObject(required: "city", optional: "is_home")
        var city = ""
        var isHome = false
        while let field = json.nextField() {
            switch field {
            case 0: json.string(&city)
            default: json.bool(&isHome, from: .int)
            }
        }
        return json.endObject(Place(city: consume city, isHome: isHome))
    }
}

struct Level: OpenEnum {
    let rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }
    static var low: Level { Level(rawValue: "low") }
    static var high: Level { Level(rawValue: "high") }
    static var allKnown: [Level] { [.low, .high] }
}

/// A document with every kind of field of `Person`.
let personText = """
    {"response": {"items": [
      {"id": 1, "name": "Ann\\u00e9 😀", "place": {"city": "Киев", "is_home": 1}, "tags": ["a", "b"],
       "age": 20, "rates": [1, 2.5, -3e-2], "marks": {"low": 1, "new": 2}, "level": "high",
       "secret": "long enough", "note": null, "friends": [
         {"id": "2", "name": "Bo", "place": {"city": ""}, "tags": [], "extra": [{"x": [1, {}]}]}]},
      {"id": 3, "name": "Cy", "place": {"city": "x"}, "tags": []}
    ]}}
    """

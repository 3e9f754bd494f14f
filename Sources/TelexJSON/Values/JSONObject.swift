/// The members of a JSON object, in order; keys are unique.
///
/// Looking a key up takes time in proportion to the number of members.
public struct JSONObject: Sendable {
    /// A key and its value.
    public struct Member: Sendable, Hashable {
        /// The key.
        public let key: String
        /// The value.
        public var value: JSONValue

        /// Creates a member.
        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The members, in order.
    public private(set) var members: [Member]

    /// An empty object.
    public init() {
        members = []
    }

    /// An object of members; of several with one key, the last value counts, at the first place.
    public init(_ members: [Member]) {
        guard members.count > 1 else {
            self.members = members
            return
        }
        var places: [String: Int] = [:]
        var unique: [Member] = []
        unique.reserveCapacity(members.count)
        for member in members {
            if let place = places.updateValue(unique.count, forKey: member.key) {
                unique[place] = member
                places[member.key] = place
            } else {
                unique.append(member)
            }
        }
        self.members = unique
    }

    /// The keys, in order.
    public var keys: [String] { members.map(\.key) }

    /// The value of a key. Setting nil removes the member; a new key goes to the end.
    public subscript(key: String) -> JSONValue? {
        get { members.first { $0.key == key }?.value }
        set {
            let place = members.firstIndex { $0.key == key }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    private var dictionary: [String: JSONValue] {
        Dictionary(members.map { ($0.key, $0.value) }) { _, last in last }
    }
}

extension JSONObject: Hashable {
    /// Whether both have the same members, in whatever order.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        guard one.members.count == other.members.count else { return false }
        return one.members == other.members || one.dictionary == other.dictionary
    }

    /// Equal objects have equal hashes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(dictionary)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object of the members of a literal.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.map { Member(key: $0.0, value: $0.1) })
    }
}

extension JSONObject: JSONReadable, JSONWritable {
    /// Reads an object.
    public static func read(from json: inout JSONReader) -> JSONObject? {
        guard json.beginMap() else { return nil }
        var members: [Member] = []
        while let key = json.nextKey() {
            if let value = JSONValue.read(from: &json) {
                members.append(Member(key: key, value: value))
            }
        }
        return json.endMap() ? JSONObject(members) : nil
    }

    /// Writes the members in order.
    public func write(to json: inout JSONWriter) {
        json.beginObject()
        for member in members {
            json.key(member.key)
            member.value.write(to: &json)
        }
        json.endObject()
    }
}

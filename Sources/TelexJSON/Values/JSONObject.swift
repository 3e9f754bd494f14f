/// The members of a JSON object, in order; keys are unique.
///
/// Keys are equal if their code units are (RFC 8259, section 8.3): `é` as one scalar and as two are
/// different keys. The look-up of a key takes time proportional to the number of members.
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

        /// Whether both have the same key, compared by code units, and equal values.
        public static func == (one: Member, other: Member) -> Bool {
            one.key.isExactly(other.key) && one.value == other.value
        }

        /// Equal members have equal hashes.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(key))
            hasher.combine(value)
        }
    }

    /// The members, in order.
    public private(set) var members: [Member]

    /// Creates an empty object.
    public init() {
        members = []
    }

    /// Creates an object of members. For a duplicate key, the last value is kept at the first
    /// position.
    public init(_ members: [Member]) {
        var unique = UniqueMembers()
        for member in members { unique.add(member) }
        self.members = unique.members
    }

    /// The keys, in order.
    public var keys: [String] { members.map(\.key) }

    /// The value of a key. Setting nil removes the member; a new key is appended.
    public subscript(key: String) -> JSONValue? {
        get { members.first { $0.key.isExactly(key) }?.value }
        set {
            let place = members.firstIndex { $0.key.isExactly(key) }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    private var dictionary: [ExactText: JSONValue] {
        Dictionary(members.map { (ExactText($0.key), $0.value) }) { _, last in last }
    }
}

extension JSONObject: Hashable {
    /// Whether both have the same members, in any order.
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
    /// Creates an object of the members of a literal.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.map { Member(key: $0.0, value: $0.1) })
    }
}

extension JSONObject: JSONReadable, JSONWritable {
    /// Reads an object. A duplicate key violates the rule `duplicate`, and its last value is kept.
    public static func read(from json: inout JSONReader) -> JSONObject? {
        guard json.beginMap() else { return nil }
        var object = JSONObject()
        var unique = UniqueMembers()
        while let key = json.nextKey() {
            guard let value = JSONValue.read(from: &json) else { continue }
            if !unique.add(Member(key: key, value: value)) { json.reportDuplicate(key) }
        }
        object.members = unique.members
        return json.endMap() ? object : nil
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

/// Collects members and finds duplicate keys.
private struct UniqueMembers {
    /// Up to this number of members, comparing is faster than hashing.
    private static let linearSearchLimit = 12

    private(set) var members: [JSONObject.Member] = []
    /// The positions of the keys, once there are more than a few.
    private var places: [ExactText: Int] = [:]

    /// Adds a member, or replaces the member with the same key.
    ///
    /// - Returns: whether the key is new.
    @discardableResult
    mutating func add(_ member: JSONObject.Member) -> Bool {
        if let place = place(of: member.key) {
            members[place] = member
            return false
        }
        if members.count >= Self.linearSearchLimit { places[ExactText(member.key)] = members.count }
        members.append(member)
        return true
    }

    private mutating func place(of key: String) -> Int? {
        guard members.count >= Self.linearSearchLimit else {
            return members.firstIndex { $0.key.isExactly(key) }
        }
        if places.isEmpty {
            for (place, member) in members.enumerated() { places[ExactText(member.key)] = place }
        }
        return places[ExactText(key)]
    }
}

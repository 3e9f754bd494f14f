/// A type that can be read from JSON.
public protocol JSONReadable {
    /// Reads the value at the reader's position; nil if it cannot be read, with a violation
    /// recorded.
    static func read(from json: inout JSONReader) -> Self?

    /// Returns the value that a JSON value holds as it is, which needs no reader; nil, the default,
    /// for other values.
    static func held(by json: JSONValue) -> Self?
}

extension JSONReadable {
    /// Returns nil.
    public static func held(by json: JSONValue) -> Self? { nil }
}

/// A type that can be written as JSON.
public protocol JSONWritable {
    /// Writes exactly one value.
    func write(to json: inout JSONWriter)

    /// Returns a value as the text of a parameter, outside JSON; nil, the default, if its text
    /// depends on more than the value: the style of lists, of Booleans, or of members.
    static func parameterText(of value: Self) -> String?

    /// Returns the texts of the items of a list; nil, the default, if it is no list, or if the text
    /// of an item depends on more than the item.
    static func parameterTexts(of value: Self) -> [String]?
}

extension JSONWritable {
    /// Returns nil.
    public static func parameterText(of value: Self) -> String? { nil }

    /// Returns nil.
    public static func parameterTexts(of value: Self) -> [String]? { nil }
}

/// A type whose values can be the keys of a JSON object.
public protocol JSONMapKey: Hashable {
    /// Creates the value of a key; nil if the key is not valid.
    init?(jsonKey: String)
    /// The text of the key.
    var jsonKey: String { get }
    /// The required form of a key, in words, for violations.
    static var jsonKeyForm: String { get }
}

extension String: JSONReadable, JSONWritable, JSONMapKey {
    /// Reads text.
    public static func read(from json: inout JSONReader) -> String? {
        json.text()
    }

    /// Returns text.
    public static func held(by json: JSONValue) -> String? { json.asString }

    /// Writes text.
    public func write(to json: inout JSONWriter) {
        json.value(self)
    }

    /// Returns the text itself.
    public static func parameterText(of value: String) -> String? { value }

    /// Creates the text of a key, which is always valid.
    public init?(jsonKey: String) {
        self = jsonKey
    }

    /// The text itself.
    public var jsonKey: String { self }

    /// Any text.
    public static var jsonKeyForm: String { "text" }
}

extension Int: JSONReadable, JSONWritable, JSONMapKey {
    /// Reads an integer.
    public static func read(from json: inout JSONReader) -> Int? {
        var value = 0
        return json.int(&value) ? value : nil
    }

    /// Returns an integer that fits.
    public static func held(by json: JSONValue) -> Int? {
        if case .int(let value) = json { Int(exactly: value) } else { nil }
    }

    /// Writes an integer.
    public func write(to json: inout JSONWriter) {
        json.value(self)
    }

    /// Returns the digits.
    public static func parameterText(of value: Int) -> String? { value.description }

    /// Creates the integer that a key contains.
    public init?(jsonKey: String) {
        self.init(jsonKey)
    }

    /// The digits.
    public var jsonKey: String { description }

    /// An integer.
    public static var jsonKeyForm: String { "an integer" }
}

extension Int32: JSONReadable, JSONWritable {
    /// Reads an integer of 32 bits.
    public static func read(from json: inout JSONReader) -> Int32? {
        var value: Int32 = 0
        return json.int32(&value) ? value : nil
    }

    /// Writes an integer.
    public func write(to json: inout JSONWriter) {
        json.value(Int64(self))
    }

    /// Returns the digits.
    public static func parameterText(of value: Int32) -> String? { value.description }
}

extension Int64: JSONReadable, JSONWritable {
    /// Reads an integer of 64 bits.
    public static func read(from json: inout JSONReader) -> Int64? {
        json.int64()
    }

    /// Writes an integer.
    public func write(to json: inout JSONWriter) {
        json.value(self)
    }

    /// Returns the digits.
    public static func parameterText(of value: Int64) -> String? { value.description }
}

extension UInt: JSONReadable, JSONWritable {
    /// Reads an integer that is not negative.
    public static func read(from json: inout JSONReader) -> UInt? {
        var value: UInt = 0
        return json.uint(&value) ? value : nil
    }

    /// Writes an integer.
    public func write(to json: inout JSONWriter) {
        json.value(self)
    }

    /// Returns the digits.
    public static func parameterText(of value: UInt) -> String? { value.description }
}

extension Double: JSONReadable, JSONWritable {
    /// Reads a number, correctly rounded.
    public static func read(from json: inout JSONReader) -> Double? {
        var value = 0.0
        return json.double(&value) ? value : nil
    }

    /// Writes a number.
    public func write(to json: inout JSONWriter) {
        json.value(self)
    }
}

extension Bool: JSONReadable, JSONWritable {
    /// Reads `true` or `false`.
    public static func read(from json: inout JSONReader) -> Bool? {
        var value = false
        return json.bool(&value) ? value : nil
    }

    /// Returns true or false.
    public static func held(by json: JSONValue) -> Bool? { json.asBool }

    /// Writes `true` or `false`.
    public func write(to json: inout JSONWriter) {
        json.value(self)
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    /// Reads an array of `JSONReadable` values.
    public static func read(from json: inout JSONReader) -> [Element]? {
        json.list()
    }

    /// Returns the elements if each is held as it is.
    public static func held(by json: JSONValue) -> [Element]? {
        guard case .array(let items) = json else { return nil }
        let values = items.compactMap(Element.held)
        return values.count == items.count ? values : nil
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    /// Writes an array.
    @inlinable
    public func write(to json: inout JSONWriter) {
        json.beginArray()
        for element in self { json.element(element) }
        json.endArray()
    }

    /// Returns the texts of the items.
    public static func parameterTexts(of value: [Element]) -> [String]? {
        var texts: [String] = []
        texts.reserveCapacity(value.count)
        for item in value {
            guard let text = Element.parameterText(of: item) else { return nil }
            texts.append(text)
        }
        return texts
    }
}

extension Dictionary: JSONReadable where Key: JSONMapKey, Value: JSONReadable {
    /// Reads an object as a dictionary.
    public static func read(from json: inout JSONReader) -> [Key: Value]? {
        json.dictionary()
    }
}

extension Dictionary: JSONWritable where Key: JSONMapKey, Value: JSONWritable {
    /// Writes an object with keys sorted by their bytes, so that equal values give equal text.
    @inlinable
    public func write(to json: inout JSONWriter) {
        json.map(self) { $1.write(to: &$0) }
    }
}

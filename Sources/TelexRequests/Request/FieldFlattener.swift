import TelexJSON

/// Converts a value from JSON to pairs of name and text.
struct FieldFlattener {
    package var list: ListStyle
    package var booleans: BooleanStyle
    /// Whether nested JSON is written in ASCII only, as RFC 9110, section 5.5, asks of new header
    /// fields.
    let isASCII: Bool
    package private(set) var pairs: [RequestField.Pair] = []

    package init(list: ListStyle, booleans: BooleanStyle, isASCII: Bool = false) {
        self.list = list
        self.booleans = booleans
        self.isASCII = isASCII
    }

    /// The maximum nesting depth of a value.
    package static let depth = JSONLimits(depth: .max).depth

    /// Adds a value, unless it is nested too deeply to be parsed.
    ///
    /// - Returns: Whether it was added.
    package mutating func add(_ name: String, json bytes: [UInt8]) -> Bool {
        let limits = JSONLimits(bytes: bytes.count, depth: Self.depth)
        guard let value = JSONReader.value(at: [], in: bytes, limits: limits) else { return false }
        add(name, value)
        return true
    }

    /// Adds a list of these items, unless it is sent as JSON.
    ///
    /// - Returns: Whether it was added.
    mutating func add(_ name: String, items: [String]) -> Bool {
        switch list {
        case .json: return false
        case .joined(let separator):
            pairs.append(.init(name: name, texts: items, separator: separator))
        case .indexed, .deep, .dots:
            for (index, item) in items.enumerated() { append("\(name)[\(index)]", item) }
        case .brackets: for item in items { append("\(name)[]", item) }
        case .repeated, .entries: for item in items { append(name, item) }
        }
        return true
    }

    /// Returns the text of a number or of a string without escapes, which need no parser; nil for
    /// other values.
    package static func plainText(_ bytes: [UInt8]) -> String? {
        guard let first = bytes.first else { return nil }
        if first == UInt8(ascii: "\"") {
            let inner = bytes.dropFirst().dropLast()
            return inner.contains(UInt8(ascii: "\\")) ? nil : String(decoding: inner, as: UTF8.self)
        }
        let isNumber = first == UInt8(ascii: "-") || (0x30...0x39).contains(first)
        return isNumber ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Returns the name of the only item of a list. Of a single value, the style is none of these.
    func nameOfItem(_ name: String) -> String {
        switch list {
        case .brackets: "\(name)[]"
        case .indexed, .deep, .dots: "\(name)[0]"
        default: name
        }
    }

    private mutating func append(_ name: String, _ text: String) {
        pairs.append(RequestField.Pair(name: name, texts: [text]))
    }

    private mutating func add(_ name: String, _ value: JSONValue) {
        switch value {
        case .array where list == .json, .object where list == .json:
            append(name, json(value))
        case .array(let items): add(name, items)
        case .object(let object):
            for (key, member) in object.members.map({ ($0.key, $0.value) }) {
                switch list {
                case .dots: add("\(name).\(key)", member)
                case .entries: add(key, member)
                default: add("\(name)[\(key)]", member)
                }
            }
        case .bool(let truth):
            guard let text = booleans.text(truth) else { return }
            pairs.append(.init(name: name, texts: [text], isBare: booleans == .presence))
        default: append(name, text(value) ?? "")
        }
    }

    private mutating func add(_ name: String, _ items: [JSONValue]) {
        switch list {
        case .joined(let separator):
            let texts = items.compactMap(text)
            pairs.append(.init(name: name, texts: texts, separator: separator))
        case .indexed, .deep, .dots:
            for (index, item) in items.enumerated() { add("\(name)[\(index)]", item) }
        case .brackets:
            for item in items { add("\(name)[]", item) }
        case .repeated, .json, .entries:
            for item in items { add(name, item) }
        }
    }

    /// Returns the text of a value inside a list; nil for a false value that is expressed by
    /// absence.
    private func text(_ value: JSONValue) -> String? {
        switch value {
        case .null: ""
        case .string(let text): text
        case .bool(let truth): booleans.text(truth)
        case .int, .number: value.numberText
        case .array, .object: json(value)
        }
    }

    private func json(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(value)
        let text = String(decoding: writer.takeBytes(), as: UTF8.self)
        return isASCII ? Self.ascii(json: text) : text
    }

    /// Returns the JSON with escapes for all non-ASCII characters and DEL, which only strings
    /// contain.
    private static func ascii(json text: String) -> String {
        guard text.utf8.contains(where: { $0 > 0x7E }) else { return text }
        var bytes: [UInt8] = []
        for unit in text.utf16 {
            if let byte = UInt8(exactly: unit), byte <= 0x7E {
                bytes.append(byte)
            } else {
                let digits = String(unit, radix: 16)
                bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

import TelexJSON

/// Converts a value to pairs of name and text.
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

    /// Adds a value, unless it is nested too deeply.
    ///
    /// - Returns: Whether it was added.
    package mutating func add(_ name: String, _ value: JSONTokens) -> Bool {
        var value = value
        return add(name, from: &value, depth: 0)
    }

    /// Adds a list of these items, unless it is sent as JSON.
    ///
    /// - Returns: Whether it was added.
    mutating func add(_ name: String, items: [String]) -> Bool {
        switch list {
        case .json: return false
        case .joined(let separator):
            pairs.append(.init(name: name, texts: items, separator: separator))
        default:
            for (index, item) in items.enumerated() { append(nameOfItem(name, at: index), item) }
        }
        return true
    }

    /// Returns the name of an item of a list.
    func nameOfItem(_ name: String, at index: Int) -> String {
        switch list {
        case .brackets: "\(name)[]"
        case .indexed, .deep, .dots: "\(name)[\(index)]"
        case .repeated, .entries, .joined, .json: name
        }
    }

    private mutating func append(_ name: String, _ text: String) {
        pairs.append(RequestField.Pair(name: name, texts: [text]))
    }

    private mutating func add(
        _ name: String, from tokens: inout JSONTokens, depth: Int
    ) -> Bool {
        switch tokens.first {
        case .beginObject where list != .json, .beginArray where list != .json:
            guard depth < Self.depth else { return false }
            return tokens.next() == .beginObject
                ? addMembers(name, from: &tokens, depth: depth + 1)
                : addItems(name, from: &tokens, depth: depth + 1)
        case .bool(let truth):
            _ = tokens.next()
            guard let text = booleans.text(truth) else { break }
            pairs.append(.init(name: name, texts: [text], isBare: booleans == .presence))
        default: append(name, text(from: &tokens) ?? "")
        }
        return true
    }

    private mutating func addMembers(
        _ name: String, from tokens: inout JSONTokens, depth: Int
    ) -> Bool {
        while case .text(let key) = tokens.next() {
            let member =
                switch list {
                case .dots: "\(name).\(key)"
                case .entries: key
                default: "\(name)[\(key)]"
                }
            guard add(member, from: &tokens, depth: depth) else { return false }
        }
        return true
    }

    private mutating func addItems(
        _ name: String, from tokens: inout JSONTokens, depth: Int
    ) -> Bool {
        var texts: [String] = []
        var index = 0
        while let token = tokens.first, token != .end {
            if case .joined = list {
                if let text = text(from: &tokens) { texts.append(text) }
            } else {
                guard add(nameOfItem(name, at: index), from: &tokens, depth: depth) else {
                    return false
                }
            }
            index += 1
        }
        _ = tokens.next()
        if case .joined(let separator) = list {
            pairs.append(.init(name: name, texts: texts, separator: separator))
        }
        return true
    }

    /// Returns the text of a value inside a list; nil for a false value that is expressed by
    /// absence.
    private func text(from tokens: inout JSONTokens) -> String? {
        switch tokens.first {
        case .beginObject, .beginArray:
            let json = tokens.json()
            return isASCII ? Self.ascii(json: json) : json
        case .text(let text), .number(let text):
            _ = tokens.next()
            return text
        case .bool(let truth):
            _ = tokens.next()
            return booleans.text(truth)
        case .null, .end, nil:
            _ = tokens.next()
            return ""
        }
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

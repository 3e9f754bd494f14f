import SpecIR

extension ValueType {
    /// The initial value of a variable before it is read, if the type has one.
    var initialValue: String? {
        switch self {
        case .string: "String()"
        case .integer(.int, _): "0"
        case .integer(.int32, _): "Int32(0)"
        case .integer(.uint, _): "UInt(0)"
        case .double: "0.0"
        case .bool: "false"
        case .list: "\(swift)()"
        case .map: "\(swift)()"
        case .date: "Date(timeIntervalSince1970: 0)"
        case .enumeration(let name, let isInteger):
            "\(name)(rawValue: \(isInteger ? "0" : "String()"))"
        case .decimal, .duration, .url, .uuid, .bytes, .file, .json, .object, .union: nil
        }
    }

    /// Whether the type is read and written by its own `JSONReadable` and `JSONWritable`
    /// conformances.
    var isPlain: Bool {
        switch self {
        case .string(.native), .integer(_, .native), .double(.native), .bool(.trueFalse), .json,
            .object, .union, .enumeration, .decimal(.native), .duration(.seconds), .url, .uuid,
            .bytes(.base64):
            true
        case .list(let element): element.isPlain
        case .map(_, let element): element.isPlain
        default: false
        }
    }

    /// Whether the type needs an import of `TelexJSON`.
    var needsJSON: Bool {
        switch self {
        case .json: true
        case .list(let element), .map(_, let element): element.type.needsJSON
        default: false
        }
    }

    /// Whether the type needs an import of Foundation.
    var needsFoundation: Bool {
        switch self {
        case .decimal, .date, .url, .uuid, .bytes: true
        case .list(let element), .map(_, let element): element.type.needsFoundation
        default: false
        }
    }
}

extension Value {
    /// Whether elements of this type are read and written without a closure.
    var isPlain: Bool {
        type.isPlain && from == .native && !isNullable && rules.isEmpty && keyRules.isEmpty
            && tolerances.isEmpty
    }

    /// The rules of one direction.
    func rules(sent: Bool) -> [Rule] {
        rules.filter { $0.isChecked(sent: sent) }
    }

    /// Whether sent values obey rules, their own or those of their keys.
    var hasSentRules: Bool { (rules + keyRules).contains { $0.isChecked(sent: true) } }

    /// Whether sent values are checked.
    var isCheckedWhenSent: Bool { hasSentRules || knownCheck }
}

extension Field {
    /// Moves a variable into the field. In a debug build, copying and destroying it would be most
    /// of the code.
    func consumed(_ variable: String) -> String {
        value.type.isTrivial ? variable : "consume \(variable)"
    }

    /// The Swift type of the property.
    var swift: String {
        if hasDefault { return value.type.swift }
        switch (isOptional, value.isNullable) {
        case (true, true): return "Nullable<\(value.type.swift)>?"
        case (true, false), (false, true): return value.type.swift + "?"
        case (false, false): return value.type.swift
        }
    }

    /// The constant value of a field that is always present.
    var constant: Literal? {
        guard !isSwiftOptional else { return nil }
        for case .literal(let literal) in value.rules.map(\.argument) { return literal }
        return nil
    }
}

extension Parameter {
    /// The Swift type of the argument; `nil` if there is none.
    var swift: String? {
        switch presence {
        case .constant, .callID: nil
        case .required: value.swift
        case .defaulted: value.swift
        case .optional, .credential:
            isWrapped ? "Nullable<\(value.type.swift)>?" : value.type.swift + "?"
        }
    }

    /// Whether null differs from an absent value: `.null` is not `nil`.
    var isWrapped: Bool {
        switch presence {
        case .optional, .credential: value.isNullable
        case .required, .defaulted, .constant, .callID: false
        }
    }

    /// The default argument; `nil` if the argument is required.
    var defaultExpression: String? {
        switch presence {
        case .required, .constant, .callID: nil
        case .optional, .credential: "nil"
        case .defaulted(let literal): literal.swift(value.type)
        }
    }
}

extension Literal {
    /// The literal as an expression of a type.
    func swift(_ type: ValueType) -> String {
        switch self {
        case .null: return "nil"
        case .bool(let flag): return flag ? "true" : "false"
        case .enumerationCase(let name): return "." + SwiftLiteral.member(name)
        case .string(let text): return Self.text(text, type)
        case .integer(let digits): return Self.integer(digits, type)
        case .number(let digits): return Self.number(digits, type)
        case .list(let items):
            guard case .list(let element) = type else { return json }
            return "[" + items.map { $0.swift(element.type) }.joined(separator: ", ") + "]"
        case .map(let entries):
            guard case .map(let key, let element) = type else { return json }
            if entries.isEmpty { return "[:]" }
            let parts = entries.map { "\($0.key.key(key)): \($0.value.swift(element.type))" }
            return "[" + parts.joined(separator: ", ") + "]"
        }
    }

    private func key(_ key: MapKey) -> String {
        switch (self, key) {
        case (.integer(let digits), .int): digits
        case (.string(let text), _): SwiftLiteral.string(text)
        case (.enumerationCase(let name), _): "." + SwiftLiteral.member(name)
        default: "nil"
        }
    }

    private static func text(_ text: String, _ type: ValueType) -> String {
        switch type {
        case .json: ".string(\(SwiftLiteral.string(text)))"
        case .url: "URL(literal: \(SwiftLiteral.string(text)))"
        case .uuid: "UUID(literal: \(SwiftLiteral.string(text)))"
        case .date: "Date(literal: \(SwiftLiteral.string(text)))"
        default: SwiftLiteral.string(text)
        }
    }

    private static func integer(_ digits: String, _ type: ValueType) -> String {
        switch type {
        case .date(.unixMilliseconds), .date(.unixMillisecondsText):
            "Date(timeIntervalSince1970: \(SwiftLiteral.integer(digits)) / 1000)"
        case .date: "Date(timeIntervalSince1970: \(SwiftLiteral.integer(digits)))"
        case .json: ".int(\(SwiftLiteral.integer(digits)))"
        default: SwiftLiteral.integer(digits)
        }
    }

    private static func number(_ digits: String, _ type: ValueType) -> String {
        switch type {
        case .decimal: "Decimal(literal: \(SwiftLiteral.string(digits)))"
        case .duration: duration(digits)
        case .json: ".number(\(SwiftLiteral.string(digits)))"
        default: SwiftLiteral.double(digits)
        }
    }

    /// A duration from decimal digits. A `Double` cannot represent most fractions.
    private static func duration(_ digits: String) -> String {
        let parts = digits.split(separator: ".", maxSplits: 1)
        let fraction = parts.count > 1 ? parts[1] : "0"
        guard let seconds = Int64(parts[0]), seconds.magnitude < 1_000_000_000_000,
            fraction.count <= 3, fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let part = Int64(fraction + String(repeating: "0", count: 3 - fraction.count))
        else { return ".init(literal: \(SwiftLiteral.string(digits)))" }
        if part == 0 { return ".seconds(\(SwiftLiteral.int64(String(seconds))))" }
        let all = seconds.magnitude * 1000 + part.magnitude
        let sign = digits.hasPrefix("-") ? "-" : ""
        return ".milliseconds(\(SwiftLiteral.int64(sign + String(all))))"
    }

    /// The literal as a `JSONValue`.
    private var json: String {
        switch self {
        case .null: ".null"
        case .bool(let flag): ".bool(\(flag))"
        case .list(let items): ".array([" + items.map(\.json).joined(separator: ", ") + "])"
        case .map(let entries):
            entries.isEmpty
                ? "[:]"
                : "["
                    + entries.map { "\($0.key.key(.string)): \($0.value.json)" }
                    .joined(separator: ", ") + "]"
        default: swift(.json)
        }
    }
}

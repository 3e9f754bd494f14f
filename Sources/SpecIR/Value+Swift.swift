extension ValueType {
    /// The Swift type.
    public var swift: String {
        switch self {
        case .string: "String"
        case .integer(.int, _): "Int"
        case .integer(.int32, _): "Int32"
        case .integer(.uint, _): "UInt"
        case .double: "Double"
        case .decimal: "Decimal"
        case .bool: "Bool"
        case .date: "Date"
        case .duration: "Duration"
        case .url: "URL"
        case .uuid: "UUID"
        case .bytes: "Data"
        case .file: "UploadFile"
        case .json: "JSONValue"
        case .list(let element): "[\(element.swift)]"
        case .map(let key, let element): "[\(key.swift): \(element.swift)]"
        case .object(let name), .union(let name), .enumeration(let name, _): name
        }
    }
}

extension MapKey {
    /// The type of a single key.
    public var type: ValueType {
        switch self {
        case .string: .string(from: .native)
        case .int: .integer(.int, from: .native)
        case .enumeration(let name): .enumeration(name, isInteger: false)
        }
    }

    /// The Swift type.
    public var swift: String {
        switch self {
        case .string: "String"
        case .int: "Int"
        case .enumeration(let name): name
        }
    }
}

extension Value {
    /// The Swift type, optional if null is a value.
    public var swift: String { isNullable ? type.swift + "?" : type.swift }

    /// The rules that the app checks: of the value, of its elements and of its keys.
    public var ownRules: [(rule: Rule, type: ValueType)] {
        let own = rules.filter { $0.name == .own }.map { (rule: $0, type: type) }
        switch type {
        case .list(let element): return own + element.ownRules
        case .map(let key, let element):
            return own + Value(key.type, rules: keyRules).ownRules + element.ownRules
        default: return own
        }
    }
}

/// A value or null, where null has another meaning than a missing key.
public enum Nullable<Wrapped> {
    /// `null`
    case null
    /// A value.
    case value(Wrapped)

    /// The value, or null for nil.
    public init(_ optional: Wrapped?) {
        if let optional { self = .value(optional) } else { self = .null }
    }

    /// The value, or nil for null.
    public var optional: Wrapped? {
        switch self {
        case .null: nil
        case .value(let value): value
        }
    }
}

extension Nullable: Sendable where Wrapped: Sendable {}
extension Nullable: Equatable where Wrapped: Equatable {}
extension Nullable: Hashable where Wrapped: Hashable {}

extension Nullable: JSONReadable where Wrapped: JSONReadable {
    /// Reads null or a value.
    public static func read(from json: inout JSONReader) -> Nullable? {
        if json.isNull() { return .null }
        guard let value: Wrapped = json.value() else { return nil }
        return .value(value)
    }
}

extension Nullable: JSONWritable where Wrapped: JSONWritable {
    /// Writes null or the value.
    public func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .value(let value): value.write(to: &json)
        }
    }
}

/// A box for recursive models, and for large ones inside others. It is described as its value is.
public struct Indirect<Wrapped> {
    fileprivate indirect enum Box {
        case value(Wrapped)
    }

    private var box: Box

    /// Puts a value into a box.
    public init(_ value: Wrapped) {
        box = .value(value)
    }

    /// The value in the box.
    public var value: Wrapped {
        get {
            switch box {
            case .value(let value): value
            }
        }
        set { box = .value(newValue) }
    }
}

extension Indirect: CustomReflectable, CustomDebugStringConvertible {
    /// The mirror of the value.
    public var customMirror: Mirror { Mirror(reflecting: value) }

    /// The description of the value.
    public var debugDescription: String { String(reflecting: value) }
}

extension Indirect.Box: Sendable where Wrapped: Sendable {}
extension Indirect: Sendable where Wrapped: Sendable {}

extension Indirect: Equatable where Wrapped: Equatable {
    /// Whether both boxes hold equal values.
    public static func == (one: Indirect, other: Indirect) -> Bool {
        one.value == other.value
    }
}

extension Indirect: Hashable where Wrapped: Hashable {
    /// Hashes the value in the box.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

extension Indirect: JSONReadable where Wrapped: JSONReadable {
    /// Reads the value.
    public static func read(from json: inout JSONReader) -> Indirect? {
        guard let value = Wrapped.read(from: &json) else { return nil }
        return Indirect(value)
    }
}

extension Indirect: JSONWritable where Wrapped: JSONWritable {
    /// Writes the value.
    public func write(to json: inout JSONWriter) {
        value.write(to: &json)
    }
}

/// An enumeration that keeps unknown values, because an API may add cases at any time.
///
/// ```swift
/// public struct NameCase: OpenEnum {
///     public let rawValue: String
///     public init(rawValue: String) { self.rawValue = rawValue }
///     public static var nom: NameCase { NameCase(rawValue: "nom") }
///     public static var allKnown: [NameCase] { [.nom] }
/// }
/// ```
public protocol OpenEnum: RawRepresentable, Hashable, Sendable, JSONReadable, JSONWritable,
    JSONMapKey
where RawValue: JSONReadable & JSONWritable & JSONMapKey & Sendable {
    /// Creates a case of any raw value, known or not.
    init(rawValue: RawValue)
    /// The cases in the spec at the time of code generation.
    static var allKnown: [Self] { get }
}

extension OpenEnum {
    /// Whether this is one of ``allKnown``.
    public var isKnown: Bool {
        Self.allKnown.contains { isExactly($0.rawValue, rawValue) }
    }

    /// Reads a raw value, known or not.
    public static func read(from json: inout JSONReader) -> Self? {
        guard let raw = RawValue.read(from: &json) else { return nil }
        return Self(rawValue: raw)
    }

    /// Returns the case of a raw value, known or not.
    public static func held(by json: JSONValue) -> Self? {
        RawValue.held(by: json).map(Self.init(rawValue:))
    }

    /// Writes the raw value.
    public func write(to json: inout JSONWriter) {
        rawValue.write(to: &json)
    }

    /// Returns the raw value as text.
    public static func parameterText(of value: Self) -> String? {
        RawValue.parameterText(of: value.rawValue)
    }

    /// Creates the case of a key; nil only if raw values are integers and the key is not one.
    public init?(jsonKey: String) {
        guard let raw = RawValue(jsonKey: jsonKey) else { return nil }
        self.init(rawValue: raw)
    }

    /// The raw value's text.
    public var jsonKey: String { rawValue.jsonKey }

    /// The required form of a raw value's key.
    public static var jsonKeyForm: String { RawValue.jsonKeyForm }
}

/// A model that works inside any `Encoder` and `Decoder`, for instance in a property list. It is
/// read and written as in replies and requests, with the same keys, forms and rules, whatever
/// strategies the encoder and the decoder have for keys and dates.
public protocol JSONCodable: Codable, JSONReadable, JSONWritable {}

extension JSONCodable {
    /// Reads the value.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with the report of all violations.
    public init(from decoder: any Decoder) throws {
        let json = try JSONValue(from: decoder)
        do throws(ValidationReport) { try self.init(json: json) } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: error.description,
                    underlyingError: error))
        }
    }

    /// Writes the value.
    ///
    /// - Throws: `EncodingError.invalidValue` with the report of all violations.
    public func encode(to encoder: any Encoder) throws {
        let json: JSONValue
        do throws(ValidationReport) { json = try jsonValue() } catch {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: error.description,
                    underlyingError: error))
        }
        try json.encode(to: encoder)
    }
}

extension JSONValue: Codable {
    /// Reads any value. Integers of up to 64 bits are exact, and of up to 128 bits if the decoder and the
    /// system have them; other numbers have the precision of `Double`. The order of members is not
    /// kept.
    ///
    /// - Throws: `DecodingError.typeMismatch` if the decoder has a value that JSON does not have.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let truth = try? container.decode(Bool.self) {
            self = .bool(truth)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let number = Self.number(in: container) {
            self = number
        } else if let elements = try? container.decode([JSONValue].self) {
            self = .array(elements)
        } else {
            // The keys of a dictionary are data: no strategy of the decoder changes them.
            let members = try container.decode([String: JSONValue].self)
            self = .object(JSONObject(members.map { JSONObject.Member(key: $0, value: $1) }))
        }
    }

    private static func number(in container: any SingleValueDecodingContainer) -> JSONValue? {
        if let value = try? container.decode(Int64.self) { return .int(value) }
        if let value = try? container.decode(UInt64.self) { return .number(value.description) }
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *),
            let value = try? container.decode(Int128.self)
        {
            return .number(value.description)
        }
        guard let value = try? container.decode(Double.self), value.isFinite else { return nil }
        return JSONValue(value)
    }

    /// Writes the value. Integers of up to 64 bits are exact, and of up to 128 bits if the encoder and
    /// the system have them; other numbers have the precision of `Double`.
    ///
    /// - Throws: `EncodingError.invalidValue` for a number outside the range of `Double`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let truth): try container.encode(truth)
        case .int(let value): try container.encode(value)
        case .number(let text): try encode(number: text, into: &container)
        case .string(let text): try container.encode(text)
        case .array(let elements): try container.encode(elements)
        case .object(let object):
            let members = object.members.map { ($0.key, $0.value) }
            try container.encode(Dictionary(members) { _, last in last })
        }
    }

    private func encode(
        number text: String, into container: inout any SingleValueEncodingContainer
    ) throws {
        if let value = UInt64(text) { return try container.encode(value) }
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *),
            let value = Int128(text)
        {
            return try container.encode(value)
        }
        guard let value = asDouble else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: container.codingPath,
                    debugDescription: "a number outside the range of `Double`"))
        }
        try container.encode(value)
    }
}

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Values of literals in a spec. The compiler has checked that they can be parsed. For a literal
// that cannot, a fixed value is used instead of a trap.

extension URL {
    /// The URL of a checked literal.
    public init(literal: String) {
        self = URL(string: literal) ?? URL(filePath: "/")
    }
}

extension UUID {
    /// The UUID of a checked literal.
    public init(literal: String) {
        self =
            UUID(uuidString: literal)
            ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
}

extension Date {
    /// The date of a checked literal: a day, or an RFC 3339 date and time.
    public init(literal: String) {
        self =
            DateForm.dateTime.date(from: literal) ?? DateForm.date.date(from: literal)
            ?? Date(timeIntervalSince1970: 0)
    }
}

extension Decimal {
    /// The number of a checked literal.
    public init(literal: String) {
        self = DecimalForm.decimal(from: literal) ?? 0
    }
}

extension Duration {
    /// The duration of a checked literal: seconds, exactly.
    public init(literal: String) {
        self = DurationForm.number(literal, .seconds) ?? .zero
    }
}

extension Data {
    /// The bytes of a checked literal in base 64.
    public init(literal: String) {
        self = Data(base64Encoded: literal) ?? Data()
    }
}

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Values that a spec gives as text. The compiler has checked them, so each of these texts can be
// read; for one that cannot, there is a fixed value instead of a trap.

extension URL {
    /// The address of a checked literal.
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
    /// The moment of a checked literal: a day, or a date and time as of RFC 3339.
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
    /// The time of a checked literal, in seconds, exactly.
    public init(literal: String) {
        self = DurationForm.seconds(literal) ?? .zero
    }
}

extension Data {
    /// The bytes of a checked literal in base 64.
    public init(literal: String) {
        self = Data(base64Encoded: literal) ?? Data()
    }
}

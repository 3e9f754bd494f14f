#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Values that a spec writes as text, for generated code. The compiler has checked the texts; a text
/// that is none of its kind gives a neutral value instead of a trap.
public enum SpecLiteral {
    /// An address; `about:blank` for text that is none.
    public static func url(_ text: String) -> URL {
        URL(string: text) ?? URL(string: "about:blank") ?? URL(filePath: "/")
    }

    /// A UUID; all zeros for text that is none.
    public static func uuid(_ text: String) -> UUID {
        UUID(uuidString: text) ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    /// A date of RFC 3339, with or without a time; 1970 for text that is none.
    public static func date(_ text: String) -> Date {
        DateForm.dateTime.date(from: text) ?? DateForm.date.date(from: text) ?? date(seconds: 0)
    }

    /// A date in seconds since 1970.
    public static func date(seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }

    /// A date in milliseconds since 1970.
    public static func date(milliseconds: Int) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// An exact number; 0 for text that is none.
    public static func decimal(_ digits: String) -> Decimal { Decimal(string: digits) ?? 0 }
}

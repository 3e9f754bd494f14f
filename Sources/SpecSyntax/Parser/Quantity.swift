import SpecDiagnostics
import SpecIR

/// Parses quantities with units.
public enum Quantity {
    private static let times = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]
    private static let sizes = [
        ("KiB", 1024), ("MiB", 1_048_576), ("GiB", 1_073_741_824),
        ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("B", 1), ("", 1),
    ]
    /// About 31,700 years, or one petabyte.
    private static let largest = 1_000_000_000_000_000

    /// The highest count of calls and connections, so that it fits a 32-bit `Int`.
    static let maximumCount = 2_147_483_647

    /// Milliseconds of `500ms`, `1.5s`, `10m`, `1h` or `365d`; at least 1.
    public static func milliseconds(_ text: String) -> Int? { value(text, times) }

    /// Bytes of `512`, `64KiB`, `16MiB` or `5MB`; at least 1.
    public static func bytes(_ text: String) -> Int? { value(text, sizes) }

    /// Requests and milliseconds of `3/s`, `100/min`, `5000/h` or `20/10s`; each at least 1.
    public static func rate(_ text: String) -> (count: Int, milliseconds: Int)? {
        guard let slash = text.firstIndex(of: "/") else { return nil }
        let digits = text[..<slash]
        let unit = text[text.index(after: slash)...]
        let interval = unit == "min" ? "1m" : unit.first?.isLetter == true ? "1" + unit : unit
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let count = Int(digits),
            count >= 1, let milliseconds = milliseconds(String(interval))
        else { return nil }
        return (count, milliseconds)
    }

    /// A duration in the largest unit that makes it whole.
    public static func text(milliseconds: Int) -> String {
        let unit = times.last { milliseconds % $0.1 == 0 } ?? ("ms", 1)
        return "\(milliseconds / unit.1)\(unit.0)"
    }

    /// A size in the largest unit that makes it whole.
    public static func text(bytes: Int) -> String {
        let units = sizes.filter { !$0.0.isEmpty && bytes % $0.1 == 0 }
        let unit = units.max { $0.1 < $1.1 } ?? ("B", 1)
        return "\(bytes / unit.1)\(unit.0)"
    }

    /// Whether a text begins with a number that is at most zero.
    static func isZeroOrLess(_ text: String) -> Bool {
        let isNegative = text.first == "-" || text.first == "−"
        let digits = text.dropFirst(isNegative ? 1 : 0).prefix {
            $0.isASCII && ($0.isNumber || $0 == ".")
        }
        return Double(digits).map { $0 == 0 || isNegative } ?? false
    }

    /// Whether a text is a duration with a number that is too large.
    static func isTooLong(_ text: String) -> Bool { isTooLarge(text, times) }

    /// Whether a text is a size that is too large.
    static func isTooManyBytes(_ text: String) -> Bool { isTooLarge(text, sizes) }

    private static func isTooLarge(_ text: String, _ units: [(String, Int)]) -> Bool {
        guard let (whole, digits, unit) = split(text, units), digits.allSatisfy(\.isNumber) else {
            return false
        }
        return (Double(whole) ?? 0) > Double(largest / unit)
    }

    /// Whether a text is a duration that is not a whole number of milliseconds.
    static func isFractionalMillisecond(_ text: String) -> Bool {
        guard let (_, digits, unit) = split(text, times), digits.allSatisfy(\.isNumber)
        else { return false }
        return part(of: unit, digits) == nil
    }

    private static func value(_ text: String, _ units: [(String, Int)]) -> Int? {
        guard let (whole, digits, unit) = split(text, units),
            let count = whole.isEmpty ? 0 : Int(whole), count <= largest / unit,
            let rest = part(of: unit, digits)
        else { return nil }
        let total = count * unit + rest
        return (1...largest).contains(total) ? total : nil
    }

    /// The digits before and after the decimal point, and the factor of the unit.
    private static func split(
        _ text: String, _ units: [(String, Int)]
    ) -> (whole: Substring, digits: Substring, unit: Int)? {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let suffix = text.dropFirst(number.count)
        guard let unit = units.first(where: { $0.0 == suffix })?.1,
            number.contains(where: \.isNumber)
        else { return nil }
        let whole = number.prefix { $0 != "." }
        return (whole, number.dropFirst(whole.count + 1), unit)
    }

    /// The fraction of a unit, if it is whole. The arithmetic is decimal, because binary fractions
    /// cannot represent 0.1. Digits are processed from the last one, with a carry.
    private static func part(of unit: Int, _ digits: Substring) -> Int? {
        var carried = 0
        for digit in digits.reversed() {
            guard let value = digit.wholeNumberValue else { return nil }
            let tenths = value * unit + carried
            guard tenths.isMultiple(of: 10) else { return nil }
            carried = tenths / 10
        }
        return carried
    }
}

extension Parser {
    /// A duration, `500ms`, `1.5s`, `10m`, `1h`, in milliseconds.
    ///
    /// - Parameter none: The help text for "no limit", if the setting allows it.
    mutating func duration(
        _ node: YAMLNode, for what: String, none: String? = nil
    ) -> Located<Int>? {
        Quantity.milliseconds(node.text).map { Located($0, at: node.span) }
            ?? report(
                node, code: .badDuration, expected: "a length of time for \(what)",
                help: Self.help(withDuration: node.text, none))
    }

    private static func help(withDuration text: String, _ none: String?) -> String {
        if let none, text == "none" { return none }
        if Quantity.isZeroOrLess(text) {
            return (none.map { "\($0); " } ?? "") + "the shortest is `1ms`"
        }
        if Quantity.isTooLong(text) {
            return (none.map { "\($0); " } ?? "") + "the time is too long: write a shorter one"
        }
        return Quantity.isFractionalMillisecond(text)
            ? "it is a whole number of milliseconds; the shortest is `1ms`"
            : "write a number and its unit: `500ms`, `15s`, `10m`, `1h`"
    }

    /// A number of bytes, `512`, `64KiB`, `16MiB`, `5MB`.
    mutating func size(_ node: YAMLNode, for what: String) -> Located<Int>? {
        Quantity.bytes(node.text).map { Located($0, at: node.span) }
            ?? report(
                node, code: .badSize, expected: "a number of bytes for \(what)",
                help: Self.help(withSize: node.text))
    }

    private static func help(withSize text: String) -> String {
        if Quantity.isZeroOrLess(text) { return "the smallest is `1`" }
        return Quantity.isTooManyBytes(text)
            ? "the size is too large: write fewer bytes"
            : "write a number, or one with a unit: `512`, `64KiB`, `16MiB`, `5MB`"
    }

    /// A rate limit, `3/s`, `100/min`, `20/10s`, `1/s burst 20` or `{ rate: 1/s, burst: 20 }`.
    mutating func rate(_ node: YAMLNode) -> Located<RequestRate>? {
        guard node.kind != .mapping else { return longRate(node) }
        let parts = node.text.split(separator: " ", omittingEmptySubsequences: false)
        let burst = parts.count == 3 && parts[1] == "burst" ? Self.burst(parts[2]) : nil
        let text = burst == nil ? node.text : String(parts[0])
        if let rate = Quantity.rate(text) {
            return Located(
                RequestRate(requests: rate.count, interval: rate.milliseconds, burst: burst),
                at: node.span)
        }
        bag.report(
            .badRate, "expected a rate, found \(node.kindName)", at: node.span,
            help: Self.help(withRate: node.text))
        return nil
    }

    private static func burst(_ digits: Substring) -> Int? {
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let burst = Int(digits) else {
            return nil
        }
        return (1...Quantity.maximumCount).contains(burst) ? burst : nil
    }

    private mutating func longRate(_ node: YAMLNode) -> Located<RequestRate>? {
        var (rate, burst) = (Located<RequestRate>?.none, Located<Int>?.none)
        visit(node, as: .rate) { parser, key, entry in
            switch key {
            case "rate" where entry.value.kind != .mapping: rate = parser.rate(entry.value)
            case "burst": burst = parser.count(entry.value, of: "requests at once")
            default: return key == "rate"
            }
            return true
        }
        guard let burst, var value = rate?.value, value.burst == nil else {
            if node.value(of: "rate").map({ $0.kind == .mapping }) ?? true {
                bag.report(
                    .missingKey, "the rate has no `rate`", at: node.span,
                    help: "write `{ rate: 1/s, burst: 20 }`")
            }
            return rate
        }
        value.burst = burst.value
        return Located(value, at: node.span)
    }

    private static func help(withRate text: String) -> String {
        let usual = "write requests and a length of time: `3/s`, `100/min`, `5000/h`, `20/10s`"
        if text.contains("burst") {
            return "write the burst after the rate, from 1 to \(Quantity.maximumCount): "
                + "`1/s burst 20`"
        }
        guard let slash = text.firstIndex(of: "/") else { return usual }
        let count = text[..<slash]
        let time = String(text[text.index(after: slash)...])
        if Quantity.isZeroOrLess(String(count)) {
            return "otherwise nothing would ever be sent; leave `requests` out for no limit"
        }
        if Quantity.isZeroOrLess(time) { return "the shortest time is `1ms`" }
        if Quantity.isTooLong(time) { return "the time is too long: write a shorter one" }
        let isNumber = count.allSatisfy { $0.isASCII && $0.isNumber } && !count.isEmpty
        return isNumber && Int(count) == nil
            ? "the number is too large: leave `requests` out for no limit" : usual
    }

    private mutating func report(
        _ node: YAMLNode, code: DiagnosticCode, expected: String, help: String
    ) -> Located<Int>? {
        bag.report(code, "expected \(expected), found \(node.kindName)", at: node.span, help: help)
        return nil
    }

    /// Statuses: `200`, `200..299`, or a list of both.
    mutating func statuses(_ node: YAMLNode) -> Located<[ClosedRange<Int>]>? {
        var ranges: [ClosedRange<Int>] = []
        for item in items(node) {
            guard let range = statusRange(item) else {
                reportStatus(item.kindName, at: item.span, swapped: swapped(item))
                return nil
            }
            ranges.append(range)
        }
        if ranges.isEmpty {
            reportStatus("an empty list", at: node.span)
            return nil
        }
        return Located(ranges, at: node.span)
    }

    private mutating func reportStatus(_ found: String, at span: Span, swapped: String? = nil) {
        bag.report(
            .badStatus, "expected a status or a range of statuses, found \(found)", at: span,
            help: swapped.map { "the smaller one comes first: `\($0)`" }
                ?? "statuses lie between 100 and 599: `200`, `200..299`")
    }

    /// The range with its bounds swapped, if that makes it valid.
    private func swapped(_ node: YAMLNode) -> String? {
        guard node.kind == .scalar, let dots = node.text.firstRange(of: "..") else { return nil }
        let swapped = node.text[dots.upperBound...] + ".." + node.text[..<dots.lowerBound]
        return Self.statusRange(String(swapped)).map { _ in String(swapped) }
    }

    /// One status.
    mutating func status(_ node: YAMLNode, expecting what: String) -> Located<Int>? {
        guard let number = node.integer, !(100...599 ~= number) else {
            return integer(node, expecting: what, atLeast: 100)
        }
        bag.report(
            .badStatus, "expected a status, found \(number)", at: node.span,
            help: "statuses lie between 100 and 599: `401`")
        return nil
    }

    func statusRange(_ node: YAMLNode) -> ClosedRange<Int>? {
        node.kind == .scalar ? Self.statusRange(node.text) : nil
    }

    private static func statusRange(_ text: String) -> ClosedRange<Int>? {
        let parts: [Substring]
        if let dots = text.firstRange(of: "..") {
            parts = [text[..<dots.lowerBound], text[dots.upperBound...]]
        } else {
            parts = [text[...], text[...]]
        }
        guard let low = Int(parts[0]), let high = Int(parts[1]), low <= high, low >= 100,
            high <= 599
        else { return nil }
        return low...high
    }
}

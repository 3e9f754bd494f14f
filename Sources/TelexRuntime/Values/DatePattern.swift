/// Reads and writes dates in a pattern of letters (Unicode TR 35, the part that APIs use), in UTC:
/// `yyyy MM dd HH mm ss SSS`, `MMM` and `EEE` in English, `Z` (+0000), `XXX` (of UTS 35: `Z` or
/// +00:00), text in single quotes. Everything else stands for itself.
struct DatePattern: Sendable {
    private enum Token {
        case field(Character, Int)
        case literal(Character)
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private let tokens: [Token]

    init(_ pattern: String) {
        var tokens: [Token] = []
        var rest = pattern[...]
        while let letter = rest.first {
            if letter == "'" {
                let quoted = rest.dropFirst().prefix { $0 != "'" }
                tokens += quoted.isEmpty ? [.literal("'")] : quoted.map { .literal($0) }
                rest = rest.dropFirst(quoted.count + 2)
            } else if "yMdHmsSEZX".contains(letter) {
                let run = rest.prefix { $0 == letter }
                tokens.append(.field(letter, run.count))
                rest = rest.dropFirst(run.count)
            } else {
                tokens.append(.literal(letter))
                rest = rest.dropFirst()
            }
        }
        self.tokens = tokens
    }

    /// The moment that a text names; nil if the text does not follow the pattern exactly.
    func read(_ text: String) -> CivilDate? {
        var date = CivilDate()
        var rest = text[...]
        for token in tokens {
            switch token {
            case .literal(let letter):
                guard rest.popFirst() == letter else { return nil }
            case .field(let letter, let width):
                guard Self.read(letter, width, &rest, &date) else { return nil }
            }
        }
        return rest.isEmpty && date.isValid ? date : nil
    }

    /// The text for a moment.
    func write(_ date: CivilDate) -> String {
        tokens.map { token in
            switch token {
            case .literal(let letter): String(letter)
            case .field(let letter, let width): Self.write(letter, width, date)
            }
        }.joined()
    }

    private static func read(
        _ letter: Character, _ width: Int, _ rest: inout Substring, _ date: inout CivilDate
    ) -> Bool {
        switch (letter, width) {
        case ("M", 3): return name(months, &rest) { date.month = $0 + 1 }
        case ("E", _): return name(weekdays, &rest) { _ in }
        case ("X", _), ("Z", _): return offset(&rest, &date)
        case ("S", _):
            guard let value = number(width, &rest) else { return false }
            date.nanosecond = (width..<max(width, 9)).reduce(value) { value, _ in value * 10 }
            return width <= 9
        default:
            guard let value = number(width, &rest) else { return false }
            set(letter, value, &date)
            return true
        }
    }

    private static func set(_ letter: Character, _ value: Int, _ date: inout CivilDate) {
        switch letter {
        case "y": date.year = value
        case "M": date.month = value
        case "d": date.day = value
        case "H": date.hour = value
        case "m": date.minute = value
        default: date.second = value
        }
    }

    private static func write(_ letter: Character, _ width: Int, _ date: CivilDate) -> String {
        switch (letter, width) {
        case ("M", 3): months[date.month - 1]
        case ("E", _): weekdays[date.weekday]
        case ("Z", _): "+0000"
        case ("X", _): "Z"
        case ("y", _): padded(date.year, width)
        case ("M", _): padded(date.month, width)
        case ("d", _): padded(date.day, width)
        case ("H", _): padded(date.hour, width)
        case ("m", _): padded(date.minute, width)
        case ("s", _): padded(date.second, width)
        default: String(padded(date.nanosecond, 9).prefix(width))
        }
    }

    /// So many digits; a single letter takes one or two.
    private static func number(_ width: Int, _ rest: inout Substring) -> Int? {
        let digits = rest.prefix(max(width, 2)).prefix { $0.isASCII && $0.isNumber }
        guard width > 1 ? digits.count == width : !digits.isEmpty else { return nil }
        rest = rest.dropFirst(digits.count)
        return Int(digits)
    }

    private static func name(
        _ names: [String], _ rest: inout Substring, _ found: (Int) -> Void
    ) -> Bool {
        guard let index = names.firstIndex(where: { rest.hasPrefix($0) }) else { return false }
        rest = rest.dropFirst(3)
        found(index)
        return true
    }

    /// `Z`, `+hhmm` or `+hh:mm` (RFC 3339, section 5.6).
    static func offset(_ rest: inout Substring, _ date: inout CivilDate) -> Bool {
        guard let sign = rest.popFirst() else { return false }
        if sign == "Z" || sign == "z" { return true }
        guard sign == "+" || sign == "-", let hours = number(2, &rest), hours < 24 else {
            return false
        }
        if rest.first == ":" { rest = rest.dropFirst() }
        guard let minutes = number(2, &rest), minutes < 60 else { return false }
        date.offsetSeconds = (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
        return true
    }

    static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

import Foundation
import SpecIR
import SpecInterpreter
import TelexJSON
import TelexValues

extension ValueMaker {
    // MARK: Numbers

    mutating func integer(
        _ rules: [Rule], _ width: IntegerWidth, as form: JSONForm, named name: String
    ) -> JSONValue {
        let bounds = bounds(rules)
        let step = max(1, rules.number(of: .multipleOf)?.roundedUp ?? 1)
        let least = width == .uint ? 0 : width == .int32 ? Int(Int32.min) : Int.min
        let most = width == .int32 ? Int(Int32.max) : Int.max
        let span = name.lowercased().hasSuffix("id") ? 9999 : 999
        let top = min(bounds.high?.roundedDown ?? most, most)
        let usual = top >= 1 ? 1 : top.subtractingReportingOverflow(span).partialValue
        let low = min(max(bounds.low?.roundedUp ?? max(usual, least), least), most)
        let reach = low.addingReportingOverflow(span)
        let high = reach.overflow ? top : min(top, reach.partialValue)
        let number = number(in: low...max(low, high))
        let multiple = number - number % step
        let fitting = multiple < low && low <= Int.max - step ? multiple + step : multiple
        return scalar(fitting.description, form)
    }

    mutating func fraction(_ rules: [Rule], as form: JSONForm) -> JSONValue {
        let bounds = bounds(rules)
        let digits = min(rules.count(of: .digits) ?? 2, 9)
        let unit = Decimal(
            literal: digits == 0 ? "1" : "0." + String(repeating: "0", count: digits - 1) + "1")
        let step = rules.number(of: .multipleOf) ?? unit
        let low = bounds.low ?? min(0, (bounds.high ?? 1000) - 1000)
        let high = max(low, min(bounds.high ?? low + 1000, low + 100_000))
        let steps = Int(((high - low) / step).roundedDown)
        let first = Decimal((low / step).roundedUp)
        let made = (first + Decimal(number(in: 0...max(0, steps)))) * step
        return scalar(made.description, form)
    }

    /// The number as JSON has it.
    private func scalar(_ digits: String, _ form: JSONForm) -> JSONValue {
        form == .string ? .string(digits) : WrittenLiteral.number(digits)
    }

    private func bounds(_ rules: [Rule]) -> (low: Decimal?, high: Decimal?) {
        let small = Decimal(literal: "0.01")
        let low = [rules.number(of: .min), rules.number(of: .above).map { $0 + small }]
        let high = [rules.number(of: .max), rules.number(of: .below).map { $0 - small }]
        return (low.compactMap { $0 }.max(), high.compactMap { $0 }.min())
    }

    // MARK: Other scalars

    /// A date of the last month, unless the rules ask for another.
    mutating func date(_ rules: [Rule], _ form: SpecIR.DateForm) -> JSONValue {
        // All requests of a day get the same dates.
        let today = Date(
            timeIntervalSince1970: (now.timeIntervalSince1970 / 86400).rounded(.down) * 86400)
        var (low, high) = (today.addingTimeInterval(-30 * 86400), today.addingTimeInterval(-3600))
        for rule in rules {
            switch (rule.name, rule.argument) {
            case (.future, _):
                low = today.addingTimeInterval(2 * 86400)
                high = today.addingTimeInterval(30 * 86400)
            case (.within, .seconds(let seconds)):
                let half = Double(seconds) / 2
                (low, high) = (now.addingTimeInterval(-half), now.addingTimeInterval(half))
            case (.after, .date(let text)):
                low = Date(literal: text).addingTimeInterval(86400)
                if high < low { high = low.addingTimeInterval(86400) }
            case (.before, .date(let text)):
                high = Date(literal: text).addingTimeInterval(-86400)
                if high < low { low = high.addingTimeInterval(-86400) }
            default: continue
            }
        }
        let length = Int(min(max(0, high.timeIntervalSince(low)), 1e9))
        let date = Date(
            timeIntervalSince1970: (low.timeIntervalSince1970 + Double(number(in: 0...length)))
                .rounded())
        let text = form.runtime.text(for: date) ?? ""
        return form == .unix || form == .unixMilliseconds
            ? WrittenLiteral.number(text) : .string(text)
    }

    mutating func duration(_ unit: SpecIR.DurationUnit) -> JSONValue {
        let seconds = number(in: 1...3600)
        return switch unit {
        case .seconds: .int(Int64(seconds))
        case .milliseconds: .int(Int64(seconds) * 1000)
        case .clock: .string(DurationForm.text(.seconds(seconds), .clock))
        case .iso8601: .string(DurationForm.text(.seconds(seconds), .iso8601))
        }
    }

    mutating func bytes(_ form: SpecIR.BytesForm) -> JSONValue {
        .string(form.runtime.text(for: Data(word().utf8)))
    }

    mutating func uuid() -> String {
        let digits = (0..<32).map { index in
            index == 12 ? "4" : String(number(in: index == 16 ? 8...11 : 0...15), radix: 16)
        }
        let ends = [8, 12, 16, 20, 32]
        return zip([0] + ends, ends).map { digits[$0..<$1].joined() }.joined(separator: "-")
    }

    // MARK: Literals

    /// A literal of a spec as JSON has it.
    func json(of literal: Literal, _ type: ValueType) -> JSONValue {
        WrittenLiteral(models).json(literal, type)
    }
}

extension [Rule] {
    /// The number that a rule of this name has.
    fileprivate func number(of name: RuleName) -> Decimal? {
        lazy.compactMap { rule -> Decimal? in
            guard rule.name == name else { return nil }
            switch rule.argument {
            case .number(let digits), .divisor(let digits): return Decimal(literal: digits)
            default: return nil
            }
        }.first
    }
}

extension Decimal {
    /// The nearest whole number that is not less, or the last one that `Int` has.
    fileprivate var roundedUp: Int {
        whole == .max ? whole : whole + (hasFraction && self > 0 ? 1 : 0)
    }
    /// The nearest whole number that is not greater, or the last one that `Int` has.
    fileprivate var roundedDown: Int {
        whole == .min ? whole : whole - (hasFraction && self < 0 ? 1 : 0)
    }

    private var hasFraction: Bool { description.contains(".") }
    private var whole: Int {
        Int(description.prefix { $0 != "." }) ?? (self < 0 ? .min : .max)
    }
}

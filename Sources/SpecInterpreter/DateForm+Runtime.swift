import SpecIR
import TelexJSON
import TelexValues

// The forms of values in specs as the runtime has them.

extension JSONForm {
    /// The form as the reader takes it.
    var source: JSONSource {
        switch self {
        case .native: .native
        case .int: .int
        case .string: .string
        case .either: .either
        }
    }
}

extension SpecIR.DateForm {
    package var runtime: TelexValues.DateForm {
        switch self {
        case .unix: .unix
        case .unixMilliseconds: .unixMilliseconds
        case .unixText: .unixText
        case .unixMillisecondsText: .unixMillisecondsText
        case .dateTime: .dateTime
        case .localDateTime(let offset): .localDateTime(offset: offset)
        case .date: .date
        case .pattern(let text): .pattern(text)
        }
    }
}

extension SpecIR.DurationUnit {
    var runtime: TelexValues.DurationUnit {
        switch self {
        case .seconds: .seconds
        case .milliseconds: .milliseconds
        case .clock: .clock
        case .iso8601: .iso8601
        }
    }
}

extension SpecIR.BytesForm {
    package var runtime: TelexValues.BytesForm {
        switch self {
        case .base64: .base64
        case .base64url: .base64url
        case .hex: .hex
        }
    }
}

import Foundation
import SpecIR
import TelexJSON
import TelexValues

/// The type of a value with its rules, made ready for checks of many documents. It calls the reader
/// as generated code does, so that both find the same violations.
final class ValueCheck: Sendable {
    private enum Kind: Sendable {
        case text(JSONSource)
        case integer(IntegerWidth, JSONSource)
        case double(JSONSource)
        case decimal(JSONSource)
        case bool(JSONSource)
        case words(yes: String, no: String)
        case date(TelexValues.DateForm)
        case duration(TelexValues.DurationUnit)
        case url, uuid, json
        case bytes(TelexValues.BytesForm)
        case word(isInteger: Bool)
        case list(ValueCheck)
        case map(ValueCheck, hasIntegerKeys: Bool)
        case model(Int)
        /// JSON inside a text.
        case inside(ValueCheck, JSONSource)
    }

    let isNullable: Bool
    private let kind: Kind
    private let tolerance: JSONTolerance
    private let rules: [RuleCheck]
    private let keyRules: [RuleCheck]
    /// The known values of an enumeration, or of one that keys are of.
    private let words: [String]
    /// Whether a value that is not known is a violation.
    private let isKnownOnly: Bool

    init(_ value: Value, _ table: ModelTable) {
        isNullable = value.isNullable
        guard value.from == .native else {
            var content = value
            content.from = .native
            content.isNullable = false
            kind = .inside(ValueCheck(content, table), value.from == .either ? .either : .string)
            (tolerance, rules, keyRules, words, isKnownOnly) = ([], [], [], [], false)
            return
        }
        tolerance = value.tolerances.reduce(into: []) { result, word in
            if word == .skip { result.insert(.skip) }
            if word == .empty { result.insert(.empty) }
        }
        rules = value.rules.filter { $0.isChecked(sent: table.isSent) }
            .map { RuleCheck($0, value.type, table) }
        isKnownOnly = table.isSent && value.knownCheck
        var keyRules: [RuleCheck] = []
        var words: [String] = []
        switch value.type {
        case .string(let form): kind = .text(form == .native ? .string : form.source)
        case .integer(let width, let form): kind = .integer(width, form.source)
        case .double(let form): kind = .double(form.source)
        case .decimal(let form): kind = .decimal(form == .native ? .either : form.source)
        case .bool(.oneZero): kind = .bool(.int)
        case .bool(.text): kind = .bool(.string)
        case .bool(.words(let words)):
            let parts = BoolForm.parts(of: words)
            kind = .words(yes: parts.first ?? "", no: parts.last ?? "")
        case .bool: kind = .bool(.native)
        case .date(let form): kind = .date(form.runtime)
        case .duration(let unit): kind = .duration(unit.runtime)
        case .url: kind = .url
        case .uuid: kind = .uuid
        case .bytes(let form): kind = .bytes(form.runtime)
        case .json, .file: kind = .json
        case .enumeration(let name, let isInteger):
            kind = .word(isInteger: isInteger)
            words = table.cases(of: name).map(\.value)
        case .object(let name), .union(let name):
            kind = table.numbers[name].map(Kind.model) ?? .json
        case .list(let element): kind = .list(ValueCheck(element, table))
        case .map(let key, let element):
            var hasIntegerKeys = key == .int
            if case .enumeration(let name) = key {
                if case .enumeration(let values)? = table.models[name]?.kind {
                    hasIntegerKeys = values.isInteger
                }
                words = table.cases(of: name).map(\.value)
            }
            kind = .map(ValueCheck(element, table), hasIntegerKeys: hasIntegerKeys)
            keyRules = value.keyRules.filter { $0.isChecked(sent: table.isSent) }
                .map { RuleCheck($0, key.type, table) }
        }
        self.keyRules = keyRules
        self.words = words
    }

    /// Reads and checks a value that stands alone, such as an element of a list.
    func element(_ json: inout JSONReader, _ run: CheckRun) -> CheckedValue? {
        guard isNullable else { return value(&json, run) }
        // As in Swift, where the optional of a bad value is nil.
        return json.isNull() ? .null : value(&json, run) ?? .null
    }

    /// Reads and checks a value other than null; nil if it cannot be read.
    func value(_ json: inout JSONReader, _ run: CheckRun) -> CheckedValue? {
        guard let value = read(&json, run) else { return nil }
        if case .inside = kind { return value }
        if isKnownOnly { checkKnown(value, &json) } else { note(value, &json, run) }
        for rule in rules { rule.check(value, with: &json) }
        return value
    }

    private func read(_ json: inout JSONReader, _ run: CheckRun) -> CheckedValue? {
        switch kind {
        case .text(let source):
            var text: String?
            json.string(&text, from: source)
            return text.map { .text(ExactText($0)) }
        case .integer(let width, let source): return integer(width, source, &json)
        case .double(let source):
            var number: Double?
            json.double(&number, from: source)
            return number.map(CheckedValue.double)
        case .bool(let source): return json.bool(from: source).map(CheckedValue.bool)
        case .words(let yes, let no):
            var truth: Bool?
            json.bool(&truth, true: yes, false: no)
            return truth.map(CheckedValue.bool)
        case .word(isInteger: false): return json.text().map(CheckedValue.word)
        case .word(isInteger: true):
            var number: Int?
            json.int(&number)
            return number.map { .word($0.description) }
        case .json: return model(&json) { json in json.value().map(CheckedValue.json) }
        case .list(let element): return list(element, &json, run)
        case .map(let element, true): return map(element, &json, run) { .integer($0 as Int) }
        case .map(let element, false):
            return map(element, &json, run) { .text(ExactText($0 as String)) }
        case .model(let number): return model(&json) { run.read(number, &$0) }
        case .inside(let content, let source):
            var value: CheckedValue?
            json.jsonText(&value, from: source) { content.element(&$0, run) }
            return value
        case .decimal, .date, .duration, .url, .uuid, .bytes: return special(&json)
        }
    }

    private func integer(
        _ width: IntegerWidth, _ source: JSONSource, _ json: inout JSONReader
    ) -> CheckedValue? {
        switch width {
        case .int:
            var number: Int?
            json.int(&number, from: source)
            return number.map(CheckedValue.integer)
        case .int32:
            var number: Int32?
            json.int32(&number, from: source)
            return number.map { .integer(Int($0)) }
        case .uint:
            var number: UInt?
            json.uint(&number, from: source)
            return number.map(CheckedValue.unsigned)
        }
    }

    /// Reads a value of one of Foundation's types.
    private func special(_ json: inout JSONReader) -> CheckedValue? {
        switch kind {
        case .decimal(let source):
            var value: Decimal?
            json.decimal(&value, from: source)
            return value.map(CheckedValue.decimal)
        case .date(let form): return json.date(form).map(CheckedValue.date)
        case .duration(let unit):
            var value: Duration?
            json.duration(&value, in: unit)
            return value.map(CheckedValue.duration)
        case .url:
            var value: URL?
            json.url(&value)
            return value.map(CheckedValue.url)
        case .uuid:
            var value: UUID?
            json.uuid(&value)
            return value.map(CheckedValue.uuid)
        case .bytes(let form):
            var value: Data?
            json.bytes(&value, as: form)
            return value.map(CheckedValue.bytes)
        default: return nil
        }
    }

    /// Reads a value as its own type does: without one, the object around it has failed.
    private func model(
        _ json: inout JSONReader, _ body: (inout JSONReader) -> CheckedValue?
    ) -> CheckedValue? {
        let value = json.readValue(body)
        if value == nil { json.markFailed() }
        return value
    }

    private func list(
        _ element: ValueCheck, _ json: inout JSONReader, _ run: CheckRun
    ) -> CheckedValue? {
        var items: [CheckedValue]?
        if tolerance.isEmpty {
            json.list(&items) { element.element(&$0, run) }
        } else {
            json.list(&items, invalid: tolerance) { element.element(&$0, run) }
        }
        return items.map(CheckedValue.list)
    }

    private func map<Key: JSONMapKey>(
        _ element: ValueCheck, _ json: inout JSONReader, _ run: CheckRun,
        _ key: (Key) -> CheckedValue
    ) -> CheckedValue? {
        var entries: [Key: CheckedValue]?
        if tolerance.isEmpty {
            json.map(&entries) { element.element(&$0, run) }
        } else {
            json.map(&entries, invalid: tolerance) { element.element(&$0, run) }
        }
        guard let entries else { return nil }
        if !keyRules.isEmpty {
            json.keys(entries) { checker, text in
                for rule in keyRules { rule.check(key(text), with: &checker) }
            }
        }
        return .map(Dictionary(uniqueKeysWithValues: entries.map { ($0.key.jsonKey, $0.value) }))
    }
}

/// The values of enumerations.
extension ValueCheck {
    /// The values that are words: itself, the elements of a list or the keys of a map.
    private func unknownWords(in value: CheckedValue) -> [String] {
        let all: [String] =
            switch value {
            case .word(let word): [word]
            case .list(let items): items.compactMap { if case .word(let word) = $0 { word } else { nil } }
            case .map(let entries): words.isEmpty ? [] : entries.keys.sorted()
            default: []
            }
        return all.filter { word in !words.contains { $0.utf8.elementsEqual(word.utf8) } }
    }

    private func checkKnown(_ value: CheckedValue, _ json: inout JSONReader) {
        var known = words
        if case .list(let element) = kind { known = element.words }
        for word in unknownWords(in: value) where !known.contains(word) {
            json.broken(
                "enum", expected: "one of \(JSONReader.listed(known.map(CheckedValue.word)))",
                found: Violation.bounded(word), message: nil, severity: .error)
        }
    }

    /// Notes a value that an open enumeration does not have.
    private func note(_ value: CheckedValue, _ json: inout JSONReader, _ run: CheckRun) {
        guard run.notes != nil, !words.isEmpty else { return }
        for word in unknownWords(in: value) {
            let found = json.isSensitive ? JSONValue.string(Violation.redacted) : .string(word)
            run.notes?.append(SpecNote(.unknownCase, at: json.path, found: found))
        }
    }
}

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
    var runtime: TelexValues.DateForm {
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
    var runtime: TelexValues.BytesForm {
        switch self {
        case .base64: .base64
        case .base64url: .base64url
        case .hex: .hex
        }
    }
}

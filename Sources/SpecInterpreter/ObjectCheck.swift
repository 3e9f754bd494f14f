import SpecIR
import TelexJSON

/// An object model, made ready for checks.
final class ObjectCheck: Sendable {
    /// One object of JSON: that of the model, or one that its fields lead through.
    fileprivate struct Level: Sendable {
        let keys: JSONKeys
        /// The keys, if undeclared ones are noted.
        let notedKeys: JSONKeys
        let members: [Member]
        let requiredPaths: [[String]]
    }

    fileprivate indirect enum Member: Sendable {
        case field(Int, FieldCheck)
        /// A nested object. The number is that of the flag that tells whether it was there.
        case step(String, Level, flag: Int?)
    }

    fileprivate struct FieldCheck: Sendable {
        let value: ValueCheck
        /// Whether null is read here, and not with the key.
        let readsNull: Bool
        /// What null is.
        let null: CheckedValue?
        let isAdditional: Bool
    }

    private let root: Level
    private let isArray: Bool
    private let notesKeys: Bool
    private let initial: [CheckedValue?]
    private let flags: Int
    private let rules: [CrossRuleCheck]

    /// - Parameter keys: The keys of the fields in violations of rules between them; nil for their own.
    init(_ model: Model, _ fields: [Field], _ table: ModelTable, keys: [[String]]? = nil) {
        isArray = model.isArray
        notesKeys = !model.isClosed && !model.isArray && !fields.contains(where: \.isAdditional)
        initial = fields.map { field in
            if let literal = field.missingValue { return table.value(literal, field.value.type) }
            if field.isAdditional { return .map([:]) }
            // A required list with a bad element is empty in Swift.
            guard !field.isSwiftOptional else { return nil }
            return switch field.value.type {
            case .list: .list([])
            case .map: .map([:])
            default: nil
            }
        }
        let members = ReaderMembers(fields)
        flags = members.flags.count
        let unknown: JSONUnknownKeys? =
            fields.first(where: \.isAdditional).map { $0.isSensitive ? .keptSensitive : .kept }
            ?? (model.isClosed ? .refused : nil)
        let numbers = Dictionary(
            fields.enumerated().map { ($1.path, $0) },
            uniquingKeysWith: { first, _ in first })
        root = Self.level(members, [], numbers, fields, unknown, table)
        let operands = Dictionary(
            fields.enumerated().map { number, field in
                (
                    field.name,
                    CrossRuleCheck.Operand(
                        number: number, keys: keys?[number] ?? field.path,
                        isSensitive: field.isSensitive)
                )
            }, uniquingKeysWith: { first, _ in first })
        rules = model.rules.filter { $0.isChecked(sent: table.isSent) }
            .map { CrossRuleCheck($0, operands, table) }
    }

    private static func level(
        _ members: ReaderMembers, _ path: [String], _ numbers: [[String]: Int], _ fields: [Field],
        _ unknown: JSONUnknownKeys?, _ table: ModelTable
    ) -> Level {
        let keys = { (unknown: JSONUnknownKeys) in
            JSONKeys(
                required: members.required, optional: members.optional, nullable: members.nullable,
                sensitive: members.sensitive, unknown: unknown)
        }
        return Level(
            keys: keys(unknown ?? .skipped), notedKeys: keys(.kept),
            members: members.all.map { member in
                switch member {
                case .field(let field):
                    return .field(
                        numbers[path + [field.key]] ?? 0,
                        FieldCheck(field, table))
                case .step(let key, let inner, let flag):
                    let number = flag.flatMap { Int($0.dropFirst(ReaderMembers.flag.count)) }
                    return .step(
                        key, level(inner, path + [key], numbers, fields, nil, table), flag: number)
                }
            }, requiredPaths: members.requiredPaths)
    }

    /// Reads and checks an object; nil if a required key is missing or the value of one could not be
    /// read.
    func read(_ json: inout JSONReader, _ run: CheckRun) -> CheckedValue? {
        var state = State(values: initial, flags: Array(repeating: false, count: flags))
        let keys = run.notes != nil && notesKeys ? root.notedKeys : root.keys
        if isArray { json.enterArray(keys) } else { json.enterObject(keys) }
        read(root, &json, &state, run)
        guard json.endObject() else { return nil }
        for rule in rules { rule.check(state.values, with: &json) }
        return .object(state.values)
    }

    private struct State {
        var values: [CheckedValue?]
        var flags: [Bool]
    }

    /// Reads the members of an object, and reports missing nested objects.
    private func read(
        _ level: Level, _ json: inout JSONReader, _ state: inout State, _ run: CheckRun
    ) {
        while let index = json.nextField() {
            guard index < level.members.count else {
                run.noteKey(&json)
                continue
            }
            switch level.members[index] {
            case .field(let number, let field): field.read(&json, &state.values[number], run)
            case .step(_, let inner, let flag):
                if let flag { state.flags[flag] = true }
                json.enterObject(run.notes != nil && notesKeys ? inner.notedKeys : inner.keys)
                read(inner, &json, &state, run)
                json.endStep(isRequired: flag != nil)
            }
        }
        for case .step(let key, let inner, let flag?) in level.members where !state.flags[flag] {
            for path in inner.requiredPaths { json.missing([key] + path) }
        }
    }
}

extension ObjectCheck.FieldCheck {
    fileprivate init(_ field: Field, _ table: ModelTable) {
        isAdditional = field.isAdditional
        readsNull =
            field.value.isNullable && !isAdditional
            && (field.missingValue != nil || field.keepsNull)
        null = field.missingValue == nil ? .null : nil
        if isAdditional, case .map(_, let element) = field.value.type {
            value = ValueCheck(element, table)
        } else {
            value = ValueCheck(field.value, table)
        }
    }

    fileprivate func read(
        _ json: inout JSONReader, _ stored: inout CheckedValue?, _ run: CheckRun
    ) {
        if isAdditional {
            guard case .map(var entries)? = stored else { return }
            stored = nil
            json.additional(&entries) { value.element(&$0, run) }
            stored = .map(entries)
        } else if readsNull, json.isNull() {
            stored = null
        } else if let read = value.value(&json, run) {
            stored = read
        }
    }
}

extension CheckRun {
    /// Reads a value of a model.
    func read(_ number: Int, _ json: inout JSONReader) -> CheckedValue? {
        switch models[number] {
        case .object(let check): check.read(&json, self)
        case .union(let check): check.read(&json, self)
        case .enumeration: nil
        }
    }

    /// Notes a key that a model does not declare, and its value.
    func noteKey(_ json: inout JSONReader) {
        guard let value: JSONValue = json.value() else { return }
        notes?.append(
            SpecNote(
                .undeclaredKey, at: json.path,
                found: json.isSensitive ? .string(Violation.redacted) : value))
    }
}

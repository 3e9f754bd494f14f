import TelexJSON

/// Codes by which the engine knows what to do say so in every reply, whatever its status and its keys.
extension Call {
    /// The code of a reply that counts as success by everything else, if the description says what
    /// it means for a call: that its token has expired, or that it is to be sent again.
    @inline(never)
    func declaredCode(in answer: Reply) -> String? {
        guard asksForCodes, answer.body.mayBeObject,
            let code = definition.errors.code(in: answer.body, limits: definition.limits.json)
        else { return nil }
        return isDeclared(code) ? code : nil
    }

    /// Whether there are such codes which the rules about keys do not find already: where the error
    /// object is a key that a success does not have, they do.
    var asksForCodes: Bool {
        let (errors, absent) = (definition.errors, rules.absent)
        guard !errors.code.isEmpty else { return false }
        if !absent.isEmpty, (errors.at + errors.code).starts(with: absent) { return false }
        if !rules.conditions.isEmpty, conditionsRefuseCodes { return false }
        return !errors.retryable.isEmpty || signsOfExpiry.contains(where: \.isCode)
            || retryConditions.contains(where: \.isCode)
    }

    /// Whether a success has a code, too, and none that means anything else.
    private var conditionsRefuseCodes: Bool {
        let path = definition.errors.at + definition.errors.code
        return rules.conditions.contains { condition in
            condition.path == path
                && !condition.values.contains { $0.code.map(isDeclared) ?? false }
        }
    }

    /// Whether such a code can stand beside a value that was found to be all that its reply has.
    var mayHaveCodeBesideValue: Bool {
        guard let first = rules.unwrap.first else { return true }
        return (definition.errors.at.first ?? definition.errors.code.first) == first
    }

    /// Whether the description says what a code means for a call.
    func knows(_ code: String) -> Bool {
        definition.errors.retryable.contains(code) || signsOfExpiry.contains(.code(code))
    }

    private func isDeclared(_ code: String) -> Bool {
        knows(code) || retryConditions.contains(.code(code))
    }

    private var retryConditions: [RetryPolicy.Condition] {
        pipeline.retryPolicy(of: template, overrides).conditions
    }
}

extension AuthRules.Expiry {
    fileprivate var isCode: Bool { if case .code = self { true } else { false } }
}

extension RetryPolicy.Condition {
    fileprivate var isCode: Bool { if case .code = self { true } else { false } }
}

extension ReplyRules.Constant {
    fileprivate var code: String? { if case .code(let code) = self { code } else { nil } }
}

extension [UInt8] {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether these bytes may be, or begin, an object of JSON.
    var mayBeObject: Bool {
        let start = startOfJSON()
        return start < count && self[start] == UInt8(ascii: "{")
    }

    /// Where the JSON begins that these bytes may be, or begin: behind a byte order mark, which readers
    /// ignore (RFC 8259, section 8.1), and white space. Their number if that has yet to come.
    ///
    /// - Parameter known: What it was before there were so many of them; what is before that is not
    ///   looked at again.
    func startOfJSON(from known: Int = 0) -> Int {
        let mark = Self.byteOrderMark
        guard known < mark.count, first == mark[0] else { return firstIndex(behindSpace: known) }
        if count < mark.count, mark.starts(with: self) { return count }
        return starts(with: mark) ? firstIndex(behindSpace: mark.count) : 0
    }

    private func firstIndex(behindSpace start: Int) -> Int {
        self[start...].firstIndex { !$0.isJSONSpace } ?? count
    }
}

extension UInt8 {
    /// Whether it is white space of JSON (RFC 8259, section 2).
    fileprivate var isJSONSpace: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D
    }
}

extension JSONValue {
    /// The number in its plainest form, if it is a whole one: `5` for `5.0` and `5e0`.
    var wholeNumberText: String? {
        guard let number = asDouble, let whole = Int(exactly: number),
            // Beyond, a `Double` stands for several numbers.
            whole.magnitude < 1 << 53
        else { return nil }
        return "\(whole)"
    }
}

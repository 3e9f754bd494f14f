import TelexJSON
import TelexRequests
import TelexScheduling

/// Error codes in replies that control what the engine does, whatever the status and the keys.
extension Call {
    /// The declared error code in a reply that otherwise counts as success; nil if there is none.
    /// Such a code means an expired token or a repeat of the request.
    @inline(never)
    func declaredCode(in answer: Reply) -> String? {
        guard checksCodes, answer.body.mayBeObject,
            let code = rules.errors.code(in: answer.body, limits: rules.json)
        else { return nil }
        return isDeclared(code) ? code : nil
    }

    /// Whether such codes exist and the key rules do not already find them. The key rules find them
    /// if the error object is a key that successful replies must not have.
    var checksCodes: Bool {
        let (errors, absent) = (rules.errors, replyRules.absent)
        guard !errors.code.isEmpty else { return false }
        if !absent.isEmpty, errors.codePath.starts(with: absent) { return false }
        if !replyRules.conditions.isEmpty, conditionsRefuseCodes { return false }
        return !errors.retryable.isEmpty || allSigns.contains(where: \.isCode)
            || retryConditions.contains(where: \.isCode)
    }

    /// Whether the conditions of success allow only codes without such a meaning.
    private var conditionsRefuseCodes: Bool {
        let path = rules.errors.codePath
        return replyRules.conditions.contains { condition in
            condition.path == path
                && !condition.values.contains { $0.code.map(isDeclared) ?? false }
        }
    }

    /// Whether such a code can appear in a reply of which the unwrapped value is the only member.
    var mayHaveCodeNextToValue: Bool {
        guard let first = replyRules.unwrap.first else { return true }
        return rules.errors.firstKey.map(JSONStep.key) == first
    }

    /// Whether the API description gives a code a meaning: retryable, or expired token.
    func hasMeaning(_ code: String) -> Bool {
        rules.errors.retryable.contains(code) || allSigns.contains(.code(code))
    }

    /// The signs by which a reply reveals an expired token of any scheme of the call.
    private var allSigns: [AuthRules.Expiry] {
        auth.tokens.isEmpty
            ? rules.expirySigns : rules.expirySigns + auth.tokens.flatMap(\.scheme.rules.expired)
    }

    private func isDeclared(_ code: String) -> Bool {
        hasMeaning(code) || retryConditions.contains(.code(code))
    }

    private var retryConditions: [RetryPolicy.Condition] {
        rules.retry.conditions
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

    /// Whether these bytes may be a JSON object or its beginning.
    var mayBeObject: Bool {
        let start = startOfJSON()
        return start < count && self[start] == UInt8(ascii: "{")
    }

    /// The index at which the JSON begins in these bytes. It skips a byte order mark, which readers
    /// ignore (RFC 8259, section 8.1), and white space. Returns `count` if no JSON has arrived yet.
    ///
    /// - Parameter known: The result for a shorter prefix of these bytes. Bytes before it are not
    ///   read again.
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
    /// Whether the byte is JSON white space (RFC 8259, section 2).
    fileprivate var isJSONSpace: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D
    }
}

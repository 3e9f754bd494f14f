import SpecDiagnostics

/// Parses `retry`.
extension Parser {
    /// `retry: none`, or `{ attempts, on, backoff }`
    mutating func retry(_ node: YAMLNode) -> RetrySyntax? {
        var retry = RetrySyntax(span: node.span)
        if node.kind == .scalar {
            let help = "write the settings in braces: `retry: { attempts: 3 }`"
            guard node.text == "none" else {
                reportKind(node, expected: "`none`, or a mapping for `retry`", help: help)
                return nil
            }
            retry.never = node.span
            return retry
        }
        visit(node, as: .retry) { parser, key, entry in
            switch key {
            case "attempts":
                retry.attempts = parser.integer(
                    entry.value, expecting: "a number of attempts, the first included", atLeast: 1,
                    help: "write `retry: none` for calls that are sent once")
            case "on":
                let items = parser.items(entry.value)
                let conditions = items.compactMap { parser.condition($0) }
                // A list with only invalid items is not reported as empty.
                if conditions.isEmpty, !items.isEmpty { break }
                retry.conditions = Located(conditions, at: entry.value.span)
            case "backoff": retry.backoff = parser.backoff(entry.value)
            default: return false
            }
            return true
        }
        return retry
    }

    /// `transport`, `429`, `500..504`, or the name of an error case.
    private mutating func condition(_ node: YAMLNode) -> Located<RetrySyntax.Condition>? {
        guard let text = text(node, expecting: "`transport`, a status or an error case") else {
            return nil
        }
        if text.value == "transport" { return Located(.transport, at: text.span) }
        if text.value.first?.isNumber == true {
            return statuses(node).flatMap(\.value.first).map {
                Located(.statuses($0), at: text.span)
            }
        }
        return Located(.errorCase(text.value), at: text.span)
    }

    // MARK: Backoff

    /// `0.5s x2 ±20% max 20s`, or `{ initial, factor, jitter, max }`
    mutating func backoff(_ node: YAMLNode) -> BackoffSyntax? {
        if node.kind == .scalar { return shortBackoff(node) }
        var backoff = BackoffSyntax()
        visit(node, as: .backoff) { parser, key, entry in
            let value = entry.value
            switch key {
            case "initial": backoff.initial = parser.duration(value, for: "`initial`")
            case "max": backoff.maximum = parser.duration(value, for: "`max`")
            case "factor":
                backoff.factor = parser.part(
                    value, value: Quantity.factor(value.text), expecting: "a factor from 1 to 100",
                    help: "write `2`")
            case "jitter":
                backoff.jitter = parser.part(
                    value, value: Quantity.percent(value.text),
                    expecting: "whole percent from 0% to 100%",
                    help: "write `20%`")
            default: return false
            }
            return true
        }
        return backoff
    }

    private mutating func part<T>(
        _ node: YAMLNode, value: T?, expecting what: String, help: String
    ) -> Located<T>? {
        guard let value else {
            bag.report(
                .badBackoff, "expected \(what), found \(node.kindName)", at: node.span, help: help)
            return nil
        }
        return Located(value, at: node.span)
    }

    private mutating func shortBackoff(_ node: YAMLNode) -> BackoffSyntax? {
        let text = node.text
        var words = text.split(separator: " ")[...]
        var backoff = BackoffSyntax()
        while let word = words.popFirst() {
            guard read(word, rest: &words, at: node, into: &backoff) else {
                reportBackoff(
                    "`\(word.prefix(40))`",
                    at: node.place(ofText: text.utf8Range(word.startIndex..<word.endIndex)))
                return nil
            }
        }
        if backoff.initial == nil {
            reportBackoff(node.kindName, at: node.span)
            return nil
        }
        return backoff
    }

    /// Reads one part of a back-off. Returns false for an unknown or repeated part.
    private func read(
        _ word: Substring, rest words: inout ArraySlice<Substring>, at node: YAMLNode,
        into backoff: inout BackoffSyntax
    ) -> Bool {
        if backoff.initial == nil {
            backoff.initial = located(Quantity.milliseconds(String(word)), node)
            return backoff.initial != nil
        }
        if word == "max", backoff.maximum == nil, let time = words.popFirst() {
            backoff.maximum = located(Quantity.milliseconds(String(time)), node)
            return backoff.maximum != nil
        }
        if word.hasPrefix("x"), backoff.factor == nil {
            backoff.factor = located(Quantity.factor(String(word.dropFirst())), node)
            return backoff.factor != nil
        }
        guard word.hasPrefix("±"), backoff.jitter == nil else { return false }
        backoff.jitter = located(Quantity.percent(String(word.dropFirst())), node)
        return backoff.jitter != nil
    }

    private func located<T>(_ value: T?, _ node: YAMLNode) -> Located<T>? {
        value.map { Located($0, at: node.span) }
    }

    private mutating func reportBackoff(_ found: String, at span: Span) {
        bag.report(
            .badBackoff, "expected a backoff, found \(found)", at: span,
            help: "write the first wait, then the other parts: "
                + "`0.5s x2 ±20% max 20s`; a factor is 1 to 100, jitter at most 100%")
    }
}

extension Quantity {
    /// A factor, from 1 to 100, with a point or none.
    static func factor(_ text: String) -> Double? {
        guard text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let factor = Double(text), (1...100).contains(factor)
        else { return nil }
        return factor
    }

    /// Whole percent, `0%` to `100%`.
    static func percent(_ text: String) -> Int? {
        let digits = text.dropLast()
        guard text.last == "%", digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let percent = Int(digits), percent <= 100
        else { return nil }
        return percent
    }
}

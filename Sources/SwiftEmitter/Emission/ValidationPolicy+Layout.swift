import SpecIR

extension ValidationPolicy {
    /// `validation: …`; the app's own checks are part of the request.
    var layout: Layout {
        let mode = mode == .custom ? ".throw" : ".\(mode.rawValue)"
        var arguments: [Layout] = [.text(mode)]
        if self.mode != .off, checks.count < Check.allCases.count {
            arguments.append(.array("checks: ", checks.sorted.map { .text(".\($0)") }))
        }
        if self.mode != .off, sample < 100 {
            arguments.append(.text("sample: \(Double(sample) / 100)"))
        }
        return arguments.count == 1
            ? .text("validation: \(mode)") : .call("validation: ReplyValidation", arguments)
    }

    /// One sentence per rule that differs from the default.
    var policyText: [String] {
        var sentences: [String] = []
        switch mode {
        case .off: return ["Replies are checked only as far as their values need it."]
        case .warn:
            sentences.append("A violation in a reply is reported, and the value is returned.")
        case .throw, .custom: sentences.append("A violation in a reply fails the call.")
        }
        if checks.count < Check.allCases.count {
            let names = checks.sorted.map { Markup.code($0.rawValue) }.joined(separator: ", ")
            sentences.append(names.isEmpty ? "Makes no checks." : "Checks only \(names).")
        }
        if sample < 100 { sentences.append("Checks \(sample)% of the replies.") }
        return sentences
    }
}

extension Set<ValidationPolicy.Check> {
    fileprivate var sorted: [ValidationPolicy.Check] {
        ValidationPolicy.Check.allCases.filter(contains)
    }
}

import SpecDiagnostics
import SpecIR

/// Parses `validate`.
extension Parser {
    /// `validate: warn`, or `{ mode, checks, sample }`
    mutating func validation(_ node: YAMLNode) -> ValidationSyntax {
        var validation = ValidationSyntax()
        if node.kind == .scalar {
            validation.mode = validationMode(node, or: "{ mode: …, checks: …, sample: … }")
            return validation
        }
        visit(node, as: .validation) { parser, key, entry in
            switch key {
            case "mode": validation.mode = parser.validationMode(entry.value)
            case "checks": validation.checks = parser.checks(entry.value)
            case "sample": validation.sample = parser.percent(entry.value)
            default: return false
            }
            return true
        }
        return validation
    }

    private mutating func validationMode(
        _ node: YAMLNode, or form: String? = nil
    ) -> Located<ValidationPolicy.Mode>? {
        word(
            node, expecting: "a mode of validation", or: form, advice: NearMisses.validationModes)
    }

    private mutating func checks(
        _ node: YAMLNode
    ) -> Located<[Located<ValidationPolicy.Check>]>? {
        let items = items(node)
        let checks: [Located<ValidationPolicy.Check>] = items.compactMap {
            word($0, expecting: "a kind of check")
        }
        // A list with only invalid items is not reported as empty.
        return checks.isEmpty && !items.isEmpty ? nil : Located(checks, at: node.span)
    }

    private mutating func percent(_ node: YAMLNode) -> Located<Int>? {
        guard node.kind == .scalar, let percent = Quantity.percent(node.text) else {
            reportKind(
                node, expected: "whole percent from 0% to 100%", help: "write `sample: 5%`")
            return nil
        }
        return Located(percent, at: node.span)
    }
}

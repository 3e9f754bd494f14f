import TelexInspection
import TelexJSON

extension RequestTemplate {
    /// The violations of names that are invalid in the head of a part (RFC 7578, section 4.2). A
    /// control character would end the head or be lost in transit, and browsers send an empty file
    /// name for no file.
    ///
    /// The whole form is checked, because map keys are names too and base parameters may be parts.
    var nameViolations: [Violation] {
        form.flatMap { field -> [Violation] in
            switch field {
            case .file(let name, let file):
                Self.fileNameViolation(of: name, name: file.name, isSensitive: isBodySensitive)
            case .field(let field):
                field.pairs.map(\.name).filter(Self.hasControl).map {
                    Self.violation(
                        at: field.name, rule: "field-name",
                        expected:
                            "a name without control characters; remove them from the map's keys",
                        found: $0, isHidden: field.isHidden)
                }
            }
        }
    }

    private static func fileNameViolation(
        of parameter: String, name: String, isSensitive: Bool
    ) -> [Violation] {
        guard name.isEmpty || hasControl(name) else { return [] }
        return [
            violation(
                at: parameter, rule: "file-name",
                expected: "a non-empty file name without control characters; rename the file",
                found: name, isHidden: isSensitive || Redactor.isSuspicious(parameter))
        ]
    }

    private static func violation(
        at path: String, rule: String, expected: String, found: String, isHidden: Bool
    ) -> Violation {
        Violation(
            path: path, rule: rule, expected: expected,
            found: isHidden ? Redactor.mark : Violation.quoted(found))
    }

    /// Whether the name contains a C0 control character (including line ends and NUL) or DEL.
    private static func hasControl(_ name: String) -> Bool {
        name.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}

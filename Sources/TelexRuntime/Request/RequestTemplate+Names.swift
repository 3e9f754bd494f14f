import TelexJSON

extension RequestTemplate {
    /// The names that the head of a part cannot carry (RFC 7578, section 4.2): each control character
    /// would end the head or be lost on the way, and an empty file name is what browsers send for no
    /// file at all.
    ///
    /// Looked for in all of the form, for the keys of a map are names too, and the API's base
    /// parameters are among the parts.
    var nameViolations: [Violation] {
        form.flatMap { field -> [Violation] in
            switch field {
            case .file(let name, let file): Self.fileNameViolation(name, file.name, isBodySensitive)
            case .field(let field):
                field.pairs.map(\.name).filter(Self.hasControl).map {
                    Self.violation(
                        field.name, "field-name",
                        "a name without control characters; take them out of the map's keys",
                        $0, field.isHidden)
                }
            }
        }
    }

    private static func fileNameViolation(
        _ parameter: String, _ name: String, _ isSensitive: Bool
    ) -> [Violation] {
        guard name.isEmpty || hasControl(name) else { return [] }
        return [
            violation(
                parameter, "file-name",
                "a file name that is not empty and has no control characters; give the file another",
                name, isSensitive || Redactor.isSuspicious(parameter))
        ]
    }

    private static func violation(
        _ path: String, _ rule: String, _ expected: String, _ found: String, _ isHidden: Bool
    ) -> Violation {
        Violation(
            path: path, rule: rule, expected: expected,
            found: isHidden ? Redactor.mark : Violation.quoted(found))
    }

    /// Whether there is a C0 control (with the line ends and NUL) or DEL in it.
    private static func hasControl(_ name: String) -> Bool {
        name.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }
}

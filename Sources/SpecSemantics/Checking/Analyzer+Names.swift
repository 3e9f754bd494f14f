import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and derives Swift names.
extension Analyzer {
    /// Returns the Swift name of a value: the given one, or one derived from its key.
    mutating func valueName(
        _ key: Located<String>, given: Located<String>?, reserved: Set<String>
    ) -> String? {
        namer.valueName(key, given: given, reserved: reserved, into: &bag)
    }

    /// Reports a type name that generated code could not use.
    mutating func checkTypeName(_ name: String, at span: Span) {
        if !SwiftNamer.isIdentifier(name) {
            bag.report(
                .badSwiftName, "`\(name)` is not a Swift identifier", at: span,
                help: "use letters, digits and `_`, no digit first")
        } else if name.first?.isLowercase == true {
            bag.report(
                .badSwiftName, "`\(name)` begins with a small letter, like a value", at: span,
                help: "begin the name of a type with a capital letter")
        } else if ReservedNames.types.contains(name) {
            bag.report(
                .reservedName, "`\(name)` is a type that generated code uses", at: span,
                help: "give the model another name: `swift: { name: … }`")
        }
    }

    /// Lowers the documentation of a declaration.
    mutating func documentation(_ syntax: DocumentationSyntax) -> Documentation {
        Documentation(syntax, into: &bag)
    }
}

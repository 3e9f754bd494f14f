import SpecDiagnostics
import SpecSyntax

/// Checks and derives the Swift names of values.
extension SwiftNamer {
    /// Returns the Swift name of a value: the given one, or one derived from its key.
    func valueName(
        _ key: Located<String>, given: Located<String>?, reserved: Set<String>,
        help: String = "give it a name: `swift: { name: … }`", into bag: inout DiagnosticBag
    ) -> String? {
        if let given {
            return Self.checkedValueName(given, reserved, into: &bag)
        }
        guard let name = lowerCamel(key.value) else {
            bag.report(
                .noSwiftName, "`\(key.value)` cannot become a Swift name", at: key.span, help: help)
            return nil
        }
        // A reserved name gets the suffix `Value`.
        return reserved.contains(name) ? name + "Value" : name
    }

    /// Checks an explicit name of a value. A capital first letter is rejected, because the name
    /// could shadow a type.
    private static func checkedValueName(
        _ given: Located<String>, _ reserved: Set<String>, into bag: inout DiagnosticBag
    ) -> String? {
        if !isIdentifier(given.value) || reserved.contains(given.value) {
            bag.report(
                .badSwiftName, "`\(given.value)` is not a Swift identifier that is allowed here",
                at: given.span,
                help: reserved.contains(given.value)
                    ? "use another name: Swift or Telex gives this one a meaning"
                    : "use letters, digits and `_`, no digit first")
            return nil
        }
        if given.value.first?.isUppercase == true {
            bag.report(
                .badSwiftName, "`\(given.value)` begins with a capital letter, like a type",
                at: given.span, help: "begin the name with a small letter")
            return nil
        }
        return given.value
    }
}

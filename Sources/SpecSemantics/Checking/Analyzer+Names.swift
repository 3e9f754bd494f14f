import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and derives Swift names.
extension Analyzer {
    /// Returns the Swift name of a value: the given one, or one derived from its key.
    mutating func valueName(
        _ key: Located<String>, given: Located<String>?, reserved: Set<String> = [],
        help: String = "give it a name: `swift: { name: … }`"
    ) -> String? {
        if let given {
            return checkedValueName(given, reserved)
        }
        guard let name = namer.lowerCamel(key.value) else {
            bag.report(
                .noSwiftName, "`\(key.value)` cannot become a Swift name", at: key.span, help: help)
            return nil
        }
        // A reserved name gets the suffix `Value`.
        return reserved.contains(name) ? name + "Value" : name
    }

    /// Checks an explicit name of a value. A capital first letter is rejected, because the name
    /// could shadow a type.
    private mutating func checkedValueName(
        _ given: Located<String>, _ reserved: Set<String>
    ) -> String? {
        if !SwiftNamer.isIdentifier(given.value) || reserved.contains(given.value) {
            bag.report(
                .badSwiftName, "`\(given.value)` is not a Swift identifier that is allowed here",
                at: given.span, help: "use letters, digits and `_`, no digit first")
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
        if let link = syntax.link, !isWebAddress(link.value) {
            bag.report(
                .badLink, "`\(link.value)` is not an absolute URL", at: link.span,
                help: "links begin with `https://` and hold no spaces")
        }
        let deprecation = syntax.deprecation.map {
            Deprecation(since: $0.since, use: $0.use?.value, message: $0.message)
        }
        return Documentation(
            text: syntax.text?.value, link: syntax.link?.value, deprecation: deprecation)
    }

    private func isWebAddress(_ text: String) -> Bool {
        let isHTTP = text.hasPrefix("https://") || text.hasPrefix("http://")
        return isHTTP
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "<" && $0 != ">" }
    }
}

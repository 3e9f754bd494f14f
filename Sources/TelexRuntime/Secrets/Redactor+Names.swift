import SecretNames

extension Redactor {
    /// Whether values of this name are never shown.
    package static func isSuspicious(_ name: String) -> Bool { SecretName.isSuspicious(name) }

    /// `login[password]`: whether the values of a field of something that was taken apart are never
    /// shown.
    static func isSuspicious(formName name: String) -> Bool {
        name.split { "[]".contains($0) }.contains { isSuspicious(String($0)) }
    }

    /// Whether the value of a header field of this name is never shown.
    package static func isSecretHeader(_ name: String) -> Bool { SecretName.isSecretHeader(name) }
}

extension Redactor {
    /// What somebody gave for an address, without what nobody may see: who logs in there, and what
    /// stands behind the path. For texts that may be no address at all.
    package static func mask(address text: String) -> String {
        var shown = ""
        var rest = text[...]
        if let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) {
            shown = "\(scheme(of: text[..<at]))\(mark)"
            rest = text[at...]
        }
        let path = rest.utf8.prefix { !"?#".utf8.contains($0) }
        guard path.endIndex < rest.endIndex else { return shown + rest }
        return "\(shown)\(Substring(path))\(rest[path.endIndex])\(mark)"
    }

    /// `https://`, if that is what the text begins with.
    private static func scheme(of text: Substring) -> Substring {
        guard let end = text.firstRange(of: "://") else { return "" }
        let isScheme = text[..<end.lowerBound].utf8.allSatisfy {
            (0x61...0x7A).contains($0 | 0x20)
        }
        return isScheme ? text[..<end.upperBound] : ""
    }
}

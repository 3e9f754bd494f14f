import SpecSyntax

extension String {
    /// Whether it is a UUID (RFC 9562, section 4), in upper or lower case.
    package var isUUID: Bool {
        let parts = split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.utf8.allSatisfy(\.isHexDigit) }
    }
}

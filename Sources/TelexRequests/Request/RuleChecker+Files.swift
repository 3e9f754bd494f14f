import TelexJSON

/// Validation rules for files.
extension RuleChecker where Self: ~Copyable {
    /// Checks that a file has at most `limit` bytes. An unreadable file violates the rule
    /// `readable`.
    public mutating func maxSize(
        _ file: UploadFile?, _ limit: Int, message: String? = nil, severity: Severity = .error
    ) {
        guard let file else { return }
        guard let size = file.size else { return unreadable(file, severity) }
        guard size > limit else { return }
        broken(
            "max-size", expected: "at most \(limit) bytes", found: "\(size) bytes",
            message: message, severity: severity)
    }

    /// Checks that a file's MIME type is one of `types`; `image/*` stands for every image.
    public mutating func mime(
        _ file: UploadFile?, _ types: [String], message: String? = nil, severity: Severity = .error
    ) {
        guard let file else { return }
        let type = file.type.prefix { $0 != ";" }.lowercased()
        let isAllowed = types.contains { allowed in
            let allowed = allowed.lowercased()
            return allowed == type || allowed == "*/*"
                || allowed.hasSuffix("/*") && type.hasPrefix(allowed.dropLast())
        }
        guard !isAllowed else { return }
        broken(
            "mime", expected: types.joined(separator: " or "), found: file.type,
            message: message, severity: severity)
    }

    /// Reports an unreadable file. The rule's own message is not used, because it concerns the size.
    private mutating func unreadable(_ file: UploadFile, _ severity: Severity) {
        broken(
            "readable", expected: "a file that can be read", found: file.problem ?? "none",
            message: nil, severity: severity)
    }
}

import TelexJSON

/// Rules about files.
extension RuleChecker where Self: ~Copyable {
    /// A file may have at most this many bytes. One that cannot be read breaks the rule `readable`.
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

    /// A file's MIME type has to be one of these; `image/*` stands for every image. One of another type
    /// that cannot be read breaks the rule `readable` instead: its type was never seen.
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
        guard file.problem == nil else { return unreadable(file, severity) }
        broken(
            "mime", expected: types.joined(separator: " or "), found: file.type,
            message: message, severity: severity)
    }

    /// The author's message is about the size, or the type.
    private mutating func unreadable(_ file: UploadFile, _ severity: Severity) {
        broken(
            "readable", expected: "a file that can be read", found: file.problem ?? "none",
            message: nil, severity: severity)
    }
}

import TelexJSON

/// Rules about files.
extension RuleChecker where Self: ~Copyable {
    /// A file may have at most this many bytes. A file that cannot be read breaks the rule too.
    public mutating func maxSize(
        _ file: UploadFile?, _ limit: Int, message: String? = nil, severity: Severity = .error
    ) {
        guard let file else { return }
        let size = file.size
        guard size.map({ $0 > limit }) ?? true else { return }
        broken(
            "max-size", expected: "at most \(limit) bytes",
            found: file.obstacle ?? size.map { "\($0) bytes" } ?? "nothing", message: message,
            severity: severity)
    }

    /// A file's MIME type has to be one of these; `image/*` stands for every image.
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
            "mime", expected: types.joined(separator: " or "),
            found: file.obstacle ?? file.type, message: message, severity: severity)
    }
}

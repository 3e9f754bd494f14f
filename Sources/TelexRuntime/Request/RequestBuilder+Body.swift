import TelexJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension RequestBuilder {
    // MARK: Whole bodies

    /// Makes a JSON document the body. What is wrong with its values is kept.
    public mutating func json(_ body: JSONWriter) {
        keep(body.violations, below: nil)
        template.body = .json(body.bytes, isSensitive: body.holdsSensitive)
    }

    /// Makes bytes the body; nil sends none.
    public mutating func bytes(_ bytes: [UInt8]?, type: String = "application/octet-stream") {
        checkType(type)
        if let bytes { template.body = .bytes(bytes, type: type) }
    }

    /// Makes bytes the body; nil sends none.
    public mutating func bytes(_ data: Data?, type: String = "application/octet-stream") {
        bytes(data.map { [UInt8]($0) }, type: type)
    }

    /// Makes a file the body; it is streamed. Nil sends none.
    public mutating func bytes(_ file: UploadFile?) {
        guard let file else { return }
        checkType(file.type)
        template.body = .file(file)
    }

    // MARK: The end

    /// Ends the request of a method whose reply is JSON.
    ///
    /// - Parameter mapper: Reads and checks the value in one pass.
    public consuming func finish<Output: Sendable>(
        _ mapper: @escaping @Sendable (inout JSONReader) -> Output?
    ) -> APIRequest<Output> {
        APIRequest(template, .json) { bytes, path, limits in
            JSONReader.read(bytes, at: path, limits: limits, mapper)
        }
    }

    /// Ends the request of a method whose reply is taken as it is.
    public consuming func finishRaw() -> APIRequest<Data> {
        APIRequest(template, .bytes) { bytes, _, _ in
            JSONResult(value: Data(bytes), report: ValidationReport())
        }
    }

    /// Ends the request of a method that returns nothing.
    public consuming func finishEmpty() -> APIRequest<Void> {
        APIRequest(template, .nothing) { _, _, _ in
            JSONResult(value: (), report: ValidationReport())
        }
    }
}

extension RequestBuilder {
    // MARK: File rules

    /// A file may have at most this many bytes. A file that cannot be read breaks the rule too.
    public mutating func maxSize(
        _ file: UploadFile?, _ limit: Int, message: String? = nil, severity: Severity = .error
    ) {
        guard let file else { return }
        let size = file.size
        guard size.map({ $0 > limit }) ?? true else { return }
        broken(
            "max-size", expected: "at most \(limit) bytes",
            found: size.map { "\($0) bytes" } ?? "a file that cannot be read", message: message,
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
            "mime", expected: types.joined(separator: " or "), found: file.type, message: message,
            severity: severity)
    }
}

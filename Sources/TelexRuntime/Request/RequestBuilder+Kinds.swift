import TelexJSON

extension RequestBuilder {
    /// Ends the request of a method whose reply becomes a file.
    ///
    /// - Parameter destination: The path of the file. An empty one is a violation.
    public consuming func finishDownload(
        to destination: String
    ) -> APIRequest<DownloadedFile> {
        var builder = self
        builder.mark("to", false)
        if destination.isEmpty {
            builder.broken("destination", "the path of a file", "an empty text")
        }
        return APIRequest(
            RequestContent(
                builder.template, .file(destination: destination),
                decode: { _, _, _ in Decoded(product: nil) },
                finish: { if case .file(let file) = $0 { Product(file) } else { nil } }))
    }

    /// Ends the request of a method whose reply is a row of elements.
    ///
    /// - Parameters:
    ///   - format: How they follow one another.
    ///   - mapper: Reads and checks one element in one pass.
    public func finishStream<Element: Sendable>(
        _ format: StreamFormat, _ mapper: @escaping @Sendable (inout JSONReader) -> Element?
    ) -> APIRequest<StreamEnd<Element>> {
        APIRequest(
            RequestContent(
                template, .stream(format),
                decode: { bytes, path, limits in
                    let result = JSONReader.read(bytes, at: path, limits: limits, mapper)
                    let element = result.value.map { Product(StreamEnd(stored: [$0])) }
                    return Decoded(product: element, report: result.report)
                },
                finish: {
                    guard case .stream(let count) = $0 else { return nil }
                    return Product(StreamEnd<Element>(count: count))
                }))
    }
}

extension [String: JSONValue] {
    /// The property that says where a download goes: `$to`, a path.
    private static var destination: String { "$to" }

    /// The path that the properties of a download name, as the property `$to`.
    ///
    /// - Parameter method: The method, for the failure.
    /// - Throws: An `APIError` of the phase `build` if the property is missing or no text.
    public func destination(for method: some APIMethodName) throws(APIError) -> String {
        if case .string(let path)? = self[Self.destination] { return path }
        let isMissing = self[Self.destination] == nil
        let violation = Violation(
            path: Self.destination, check: isMissing ? .keys : .types, rule: "required",
            expected: "the path of the file", found: isMissing ? "nothing" : "another value")
        throw APIError(
            method: method.rawValue, .build, .invalidRequest, violations: [violation])
    }

    /// The properties that are sent: all but `$to`.
    public var withoutDestination: Properties {
        filter { $0.key != Self.destination }
    }
}

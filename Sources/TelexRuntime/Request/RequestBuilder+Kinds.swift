import TelexDownloads
import TelexJSON
import TelexTransport

extension RequestBuilder {
    /// Completes the request of a method whose reply becomes a file.
    ///
    /// - Parameter destination: The path of the file. An empty path is a violation.
    public consuming func finishDownload(
        to destination: String
    ) -> APIRequest<DownloadedFile> {
        var builder = self
        builder.mark("to", false)
        if destination.isEmpty {
            builder.broken("destination", expected: "the path of a file", found: "an empty text")
        }
        return APIRequest(
            RequestContent(
                builder.template, expecting: .file(destination: destination),
                decode: { _, _ in Decoded(product: nil) },
                finish: { if case .file(let file) = $0 { Product(file) } else { nil } }))
    }

    /// Completes the request of a method whose reply is a stream of elements.
    ///
    /// - Parameters:
    ///   - format: The format of the stream.
    ///   - mapper: Reads and validates one element in one pass.
    public func finishStream<Element: Sendable>(
        _ format: StreamFormat, _ mapper: @escaping @Sendable (inout JSONReader) -> Element?
    ) -> APIRequest<StreamEnd<Element>> {
        APIRequest(
            RequestContent(
                template, expecting: .stream(format),
                decode: { reply, reading in
                    let result = reading.read(reply.body, mapper)
                    let element = result.value.map { Product(StreamEnd(stored: [$0])) }
                    return Decoded(product: element, report: result.report)
                },
                finish: {
                    guard case .stream(let count) = $0 else { return nil }
                    return Product(StreamEnd<Element>(count: count))
                }))
    }

    /// Completes the request of a method whose reply is a stream of `JSONReadable` elements.
    public func finishStream<Element: JSONReadable & Sendable>(
        _ format: StreamFormat
    ) -> APIRequest<StreamEnd<Element>> {
        finishStream(format) { json in json.value() }
    }
}

extension [String: JSONValue] {
    /// The name of the property with a download's destination path: `$to`.
    private static var destination: String { "$to" }

    /// Returns the destination path of a download from the property `$to`.
    ///
    /// - Parameter method: The API's name of the method, for the error.
    /// - Throws: An `APIError` of the phase `build` if the property is missing or not a string.
    public func destination(for method: String) throws(APIError) -> String {
        if case .string(let path)? = self[Self.destination] { return path }
        let isMissing = self[Self.destination] == nil
        let violation = Violation(
            path: Self.destination, check: isMissing ? .keys : .types, rule: "required",
            expected: "the path of the file", found: isMissing ? "nothing" : "another value")
        throw APIError(
            method: method, phase: .build, reason: .invalidRequest, violations: [violation]
        )
    }

    /// The properties without `$to`, which is not sent.
    public var withoutDestination: Properties {
        filter { $0.key != Self.destination }
    }
}

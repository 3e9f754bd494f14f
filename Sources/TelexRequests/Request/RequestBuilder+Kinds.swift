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

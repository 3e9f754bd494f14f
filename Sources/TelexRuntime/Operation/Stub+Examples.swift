public import TelexJSON
import TelexRequests
public import TelexTemplates

/// Answers that are examples, as JSON, or templates. They are read and checked as a reply is.
extension Stub {
    /// Sets an example as the answer for calls from now on.
    ///
    /// - Parameters:
    ///   - json: The value, without an envelope. If it has violations, calls throw its
    ///     `ValidationReport`.
    ///   - read: Reads the value.
    public func answer(
        json: String, by read: @escaping @Sendable (inout JSONReader) -> Output?
    ) {
        answer(json: json, at: [], by: read)
    }

    /// Sets the reply that a template is as the answer for calls from now on.
    ///
    /// - Parameters:
    ///   - template: The template of the method; without one, calls fail.
    ///   - path: The steps to the value, through the envelope. If the value has violations, calls
    ///     throw its `ValidationReport`.
    ///   - read: Reads the value.
    public func answer(
        template: Template?, at path: [JSONStep] = [],
        by read: @escaping @Sendable (inout JSONReader) -> Output?
    ) {
        guard let template else { return }
        answer(json: template.sample.description, at: path, by: read)
    }

    /// Sets an example with header fields as the answer for calls from now on.
    ///
    /// - Parameters:
    ///   - json: The value, or a whole reply.
    ///   - path: The steps to the value, through the envelope.
    ///   - headers: The header fields by their names, as a JSON object of texts and of lists of
    ///     texts. If they or the value have violations, calls throw the `ValidationReport`.
    ///   - read: Reads the value.
    public func answer<Value, Headers: JSONReadable>(
        json: String, at path: [JSONStep] = [], headers: String,
        by read: @escaping @Sendable (inout JSONReader) -> Value?
    ) where Output == WithHeaders<Value, Headers> {
        self { _ in
            let fields = "{\"headers\":\(headers)}"
            return WithHeaders(
                try Self.value(in: json, at: path, by: read),
                headers: try Self.value(in: fields, at: ["headers"]) { $0.value() })
        }
    }

    /// Sets the reply that a template is, with header fields, as the answer for calls from now on;
    /// otherwise like ``answer(template:at:by:)`` and ``answer(json:at:headers:by:)``.
    public func answer<Value, Headers: JSONReadable>(
        template: Template?, at path: [JSONStep] = [], headers: String,
        by read: @escaping @Sendable (inout JSONReader) -> Value?
    ) where Output == WithHeaders<Value, Headers> {
        guard let template else { return }
        answer(json: template.sample.description, at: path, headers: headers, by: read)
    }

    private func answer(
        json: String, at path: [JSONStep],
        by read: @escaping @Sendable (inout JSONReader) -> Output?
    ) {
        self { _ in try Self.value(in: json, at: path, by: read) }
    }

    private static func value<Value>(
        in json: String, at path: [JSONStep], by read: (inout JSONReader) -> Value?
    ) throws -> Value {
        let result = JSONReader.read(Array(json.utf8), at: path) { read(&$0) }
        guard let value = result.value, result.report.isValid else { throw result.report }
        return value
    }
}

extension Stub where Output: JSONReadable {
    /// Sets an example as the answer for calls from now on; otherwise like ``answer(json:by:)``.
    public func answer(json: String) {
        answer(json: json) { json in json.value() }
    }

    /// Sets the reply that a template is as the answer for calls from now on; otherwise like
    /// ``answer(template:at:by:)``.
    public func answer(template: Template?, at path: [JSONStep] = []) {
        answer(template: template, at: path) { json in json.value() }
    }
}

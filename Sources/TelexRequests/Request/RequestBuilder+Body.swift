import HTTPTypes
import TelexJSON
import TelexTransport
import TelexValues

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension RequestBuilder {
    // MARK: Whole bodies

    /// Uses a JSON document as the body and collects the violations of its values.
    public mutating func json(_ body: borrowing JSONWriter) {
        keep(body.violations, below: nil)
        self.body = .json(body.bytes, sensitive: body.sensitiveRanges)
    }

    /// Uses the JSON value that a closure writes as the body.
    public mutating func json(_ write: (inout JSONWriter) -> Void) {
        json(sensitive: false, write)
    }

    /// Uses the JSON value that a closure writes as the body.
    ///
    /// - Parameters:
    ///   - sensitive: Whether the body is redacted and must not be sent to another origin.
    ///   - write: Writes the value.
    public mutating func json(sensitive: Bool, _ write: (inout JSONWriter) -> Void) {
        var body = JSONWriter()
        write(&body)
        markBody(sensitive)
        json(body)
        guard sensitive else { return }
        let whole = 0..<body.bytes.count
        self.body = .json(body.bytes, sensitive: [whole] + body.sensitiveRanges)
    }

    /// Uses as the body a JSON object whose members a closure writes.
    public mutating func jsonObject(_ writeMembers: (inout JSONWriter) -> Void) {
        json { body in
            body.beginObject()
            writeMembers(&body)
            body.endObject()
        }
    }

    /// Adds a member with a value of the credential, if it has one, to the JSON object in the body.
    ///
    /// - Parameters:
    ///   - name: The name of the member, which no other member has.
    ///   - key: The name of the credential's value.
    ///   - isNumber: Whether the value is sent as an integer. If it is not an integer, the call
    ///     fails.
    ///   - isList: Whether the member is a list with the value as its only element.
    ///   - sensitive: Whether the value is redacted.
    public mutating func member(
        _ name: String, orCredential key: String, isNumber: Bool = false,
        isList: Bool = false, sensitive: Bool = false
    ) {
        mark(name, sensitive)
        state.template.noteCredentialField()
        var field = RequestField(
            name: name, content: .credential(key), isSensitive: sensitive,
            isNumber: isNumber)
        field.isList = isList
        state.template.form.append(.field(field))
    }

    /// Uses bytes as the body; nil sends none.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - type: Its MIME type.
    ///   - sensitive: Whether the body is redacted and must not be sent to another origin.
    public mutating func bytes(
        _ bytes: [UInt8]?, type: String = "application/octet-stream", sensitive: Bool = false
    ) {
        markBody(sensitive)
        checkType(type)
        if let bytes { body = .bytes(bytes, type: type) }
    }

    /// Uses bytes as the body; nil sends none. For the parameters see ``bytes(_:type:sensitive:)``.
    public mutating func bytes(
        _ data: Data?, type: String = "application/octet-stream", sensitive: Bool = false
    ) {
        bytes(data.map { [UInt8]($0) }, type: type, sensitive: sensitive)
    }

    /// Uses a text as the body, in the charset of its media type; nil sends none. A character that
    /// the charset does not have is a violation.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - type: Its MIME type; UTF-8 without a `charset`.
    ///   - sensitive: Whether the body is redacted and must not be sent to another origin.
    public mutating func text(
        _ text: String?, type: String = "text/plain; charset=utf-8", sensitive: Bool = false
    ) {
        mark("body", sensitive)
        let label = HTTPFields([HTTPField(name: .contentType, value: type)]).charset ?? "utf-8"
        let encoded = text.flatMap { Charset.bytes(of: $0, label: label) }
        if text != nil, encoded == nil {
            broken(
                "charset", expected: "a text in the charset `\(label)`",
                found: "a character or a charset that cannot be written")
        }
        bytes(encoded, type: type, sensitive: sensitive)
    }

    /// Uses a file as the body, which is streamed; nil sends none.
    ///
    /// - Parameters:
    ///   - file: The body.
    ///   - sensitive: Whether the body must not be sent to another origin.
    public mutating func file(_ file: UploadFile?, sensitive: Bool = false) {
        markBody(sensitive)
        guard let file else { return }
        checkType(file.type)
        body = .file(file)
    }

    // MARK: Completion

    /// Completes the request of a method whose reply is JSON.
    ///
    /// - Parameter mapper: Reads and validates the value in one pass.
    public consuming func finish<Output: Sendable>(
        _ mapper: @escaping @Sendable (inout JSONReader) -> Output?
    ) -> APIRequest<Output> {
        APIRequest(
            RequestContent(template, expecting: .json) { reply, reading in
                Decoded(
                    reading.read(reply.body) { json -> AnyProduct? in
                        mapper(&json).map { Product($0) }
                    })
            })
    }

    /// Completes the request of a method whose value is `JSONReadable`.
    public consuming func finish<Output: JSONReadable & Sendable>() -> APIRequest<Output> {
        finish { json in json.value() }
    }

    /// Completes the request of a method whose value is the raw bytes of the reply.
    public consuming func finishRaw() -> APIRequest<Data> {
        APIRequest(
            RequestContent(template, expecting: .bytes) { reply, _ in
                Decoded(product: Product(Data(reply.body)))
            })
    }

    /// Completes the request of a method that returns nothing.
    public consuming func finishEmpty() -> APIRequest<Void> {
        APIRequest(
            RequestContent(template, expecting: .nothing) { _, _ in
                Decoded(product: Product(()))
            })
    }
}

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
        self.body = .json(body.bytes, sensitive: body.sensitiveRanges)
    }

    /// Makes the body of what a function writes: one JSON value.
    public mutating func json(_ write: (inout JSONWriter) -> Void) {
        json(sensitive: false, write)
    }

    /// Makes the body of what a function writes: one JSON value.
    ///
    /// - Parameters:
    ///   - sensitive: Whether nobody may see any of it, and no other origin may get it.
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

    /// Makes the body a JSON object of the members that a function writes.
    public mutating func jsonObject(_ writeMembers: (inout JSONWriter) -> Void) {
        json { body in
            body.beginObject()
            writeMembers(&body)
            body.endObject()
        }
    }

    /// Adds a member to the JSON object that is the body: a value of the credential, if it has one of
    /// that name.
    ///
    /// - Parameters:
    ///   - name: Its name, which no other member has.
    ///   - key: The name of the value of the credential.
    ///   - isNumber: Whether it is sent as an integer. A value that is none makes the call fail.
    ///   - sensitive: Whether nobody may see the value.
    public mutating func member(
        _ name: StaticString, orCredential key: String, isNumber: Bool = false,
        sensitive: Bool = false
    ) {
        mark(name.description, sensitive)
        state.draft.form.append(
            .field(
                RequestField(
                    name: name.description, .credential(key), isSensitive: sensitive,
                    isNumber: isNumber)))
    }

    /// Makes bytes the body; nil sends none.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - type: Its MIME type.
    ///   - sensitive: Whether nobody may see it, and no other origin may get it.
    public mutating func bytes(
        _ bytes: [UInt8]?, type: String = "application/octet-stream", sensitive: Bool = false
    ) {
        markBody(sensitive)
        checkType(type)
        if let bytes { body = .bytes(bytes, type: type) }
    }

    /// Makes bytes the body; nil sends none. For the parameters see ``bytes(_:type:sensitive:)``.
    public mutating func bytes(
        _ data: Data?, type: String = "application/octet-stream", sensitive: Bool = false
    ) {
        bytes(data.map { [UInt8]($0) }, type: type, sensitive: sensitive)
    }

    /// Makes a file the body; it is streamed. Nil sends none.
    ///
    /// - Parameters:
    ///   - file: The body.
    ///   - sensitive: Whether no other origin may get it.
    public mutating func file(_ file: UploadFile?, sensitive: Bool = false) {
        markBody(sensitive)
        guard let file else { return }
        checkType(file.type)
        body = .file(file)
    }

    // MARK: The end

    /// Ends the request of a method whose reply is JSON.
    ///
    /// - Parameter mapper: Reads and checks the value in one pass.
    public consuming func finish<Output: Sendable>(
        _ mapper: @escaping @Sendable (inout JSONReader) -> Output?
    ) -> APIRequest<Output> {
        APIRequest(
            RequestContent(template, .json) { bytes, path, limits in
                Decoded(
                    JSONReader.read(bytes, at: path, limits: limits) { json -> AnyProduct? in
                        mapper(&json).map { Product($0) }
                    })
            })
    }

    /// Ends the request of a method whose reply is a value that reads itself.
    public consuming func finish<Output: JSONReadable & Sendable>() -> APIRequest<Output> {
        finish { json in json.value() }
    }

    /// Ends the request of a method whose reply is taken as it is.
    public consuming func finishRaw() -> APIRequest<Data> {
        APIRequest(
            RequestContent(template, .bytes) { bytes, _, _ in
                Decoded(product: Product(Data(bytes)))
            })
    }

    /// Ends the request of a method that returns nothing.
    public consuming func finishEmpty() -> APIRequest<Void> {
        APIRequest(
            RequestContent(template, .nothing) { _, _, _ in Decoded(product: Product(())) })
    }
}

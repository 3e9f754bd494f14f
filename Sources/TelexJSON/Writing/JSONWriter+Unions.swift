/// Alternatives of unions.
extension JSONWriter {
    /// Writes an alternative that is an object, with a tag as its first member.
    ///
    /// - Parameters:
    ///   - value: The alternative, whose type does not have the tag.
    ///   - tag: The tag.
    ///   - key: The key of the tag.
    public mutating func value<T: JSONWritable>(_ value: T, tag: String, at key: String) {
        self.tag(key, tag)
        self.value(value)
    }

    /// Writes an alternative that is an object, with an integer tag as its first member.
    public mutating func value<T: JSONWritable>(_ value: T, tag: Int, at key: String) {
        self.tag(key, tag)
        self.value(value)
    }

    /// Writes an object whose only member is the alternative.
    ///
    /// - Parameters:
    ///   - value: The alternative.
    ///   - content: The key of the alternative, which is its tag.
    public mutating func content<T: JSONWritable>(_ value: T, in content: StaticString) {
        beginObject()
        field(content, value)
        endObject()
    }

    /// Writes an object of two members: a tag, and the alternative.
    ///
    /// - Parameters:
    ///   - value: The alternative.
    ///   - content: The key of the alternative.
    ///   - tag: The tag.
    ///   - key: The key of the tag.
    public mutating func content<T: JSONWritable>(
        _ value: T, in content: StaticString, tag: String, at key: StaticString
    ) {
        beginObject()
        field(key, tag)
        field(content, value)
        endObject()
    }

    /// Writes an object of two members: an integer tag, and the alternative.
    public mutating func content<T: JSONWritable>(
        _ value: T, in content: StaticString, tag: Int, at key: StaticString
    ) {
        beginObject()
        field(key, tag)
        field(content, value)
        endObject()
    }

    /// Writes an unknown alternative of a union, and records that it cannot be sent.
    public mutating func unknownAlternative(_ value: JSONValue) {
        broken(
            "one-of", expected: "an alternative of the API's description", found: "an unknown one",
            message: nil, severity: .error)
        value.write(to: &self)
    }
}

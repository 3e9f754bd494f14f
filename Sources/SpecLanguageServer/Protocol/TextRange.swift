/// A place in a document: line and character, from 0. The unit of characters is agreed upon with the
/// client.
struct TextPosition: Codable, Hashable, Sendable {
    var line: Int
    var character: Int
}

/// A range in a document.
struct TextRange: Codable, Hashable, Sendable {
    var start: TextPosition
    var end: TextPosition
}

/// A range in one of several documents.
struct Location: Codable, Hashable, Sendable {
    var uri: String
    var range: TextRange
}

/// A change of a part of a document.
struct TextEdit: Codable, Hashable, Sendable {
    var range: TextRange
    var newText: String
}

/// A document by its address.
struct DocumentID: Decodable {
    let uri: String
}

/// A place that a request is about.
struct DocumentPosition: Decodable {
    let textDocument: DocumentID
    let position: TextPosition
}

/// A document that a request is about.
struct WholeDocument: Decodable {
    let textDocument: DocumentID
}

/// Text with Markdown.
struct MarkupContent: Encodable {
    var kind = "markdown"
    let value: String
}

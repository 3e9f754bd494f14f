extension SchemaReader {
    /// Whether a schema stands for bytes: `format: binary`, or a media type that is no text without
    /// an encoding (OpenAPI 3.1, section 4.8.14.3).
    func isBinary(_ schema: SchemaDescription) -> Bool {
        guard let target = target(schema) else { return false }
        if target.parts.format == "binary" { return true }
        guard let type = target.parts.contentMediaType, target.parts.format == nil,
            [nil, "binary"].contains(target.parts.contentEncoding)
        else { return false }
        return !MediaRange(type).isText && target.kinds.allSatisfy { $0 == .string }
    }

    /// Whether a schema is a list of files.
    func isListOfFiles(_ schema: SchemaDescription) -> Bool {
        target(schema)?.parts.items.contains(where: isBinary) == true
    }

    /// Whether a part is a file, several, or one or several of them.
    func isFile(_ schema: SchemaDescription) -> Bool {
        isBinary(schema) || isListOfFiles(schema)
            || target(schema)?.parts.alternatives?.contains { isBinary($0) || isListOfFiles($0) }
                == true
    }
}

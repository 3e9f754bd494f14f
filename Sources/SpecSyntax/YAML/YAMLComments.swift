import SpecDiagnostics

/// The comments of a YAML file, which a parsed document does not have.
package enum YAMLComments {
    /// The spans of all comments, from `#` to the end of the line, in order.
    ///
    /// - Parameters:
    ///   - root: The document of the file. A `#` inside of one of its scalars begins no comment.
    package static func spans(in source: SourceFile, _ root: YAMLNode) -> [Span] {
        var scalars: [Span] = []
        collect(root, into: &scalars, source.bytes)
        scalars.sort { $0.start < $1.start }
        var next = scalars[...]
        var comments: [Span] = []
        var place = 0
        let bytes = source.bytes
        while place < bytes.count {
            if let scalar = next.first, place >= Int(scalar.start) {
                place = max(place, Int(scalar.end))
                next.removeFirst()
                continue
            }
            let isAfterSpace = place == 0 || bytes[place - 1] <= 0x20
            guard bytes[place] == UInt8(ascii: "#"), isAfterSpace else {
                place += 1
                continue
            }
            let end = bytes[place...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
            comments.append(source.span(place..<end))
            place = end
        }
        return comments
    }

    private static func collect(
        _ node: YAMLNode, into scalars: inout [Span], _ bytes: [UInt8]
    ) {
        switch node.isAlias ? .scalar : node.kind {
        case .scalar:
            let span = node.span
            // A comment may stand behind the mark of a block.
            let isBlock = !node.isPlain && "|>".utf8.contains(bytes[Int(span.start)])
            let text = bytes[Int(span.start)..<Int(span.end)]
            let start = isBlock ? text.firstIndex(of: 0x0A) ?? text.endIndex : text.startIndex
            scalars.append(span.part(start - text.startIndex..<text.count))
        case .sequence: for item in node.items { collect(item, into: &scalars, bytes) }
        case .mapping:
            for entry in node.entries {
                collect(entry.key, into: &scalars, bytes)
                collect(entry.value, into: &scalars, bytes)
            }
        }
    }
}

import SpecDiagnostics

/// The comments of a YAML file, which a parsed document does not have.
package enum YAMLComments {
    /// The spans of all comments, from `#` to the end of the line, in order.
    ///
    /// - Parameters:
    ///   - root: The document of the file. A `#` inside of one of its scalars begins no comment.
    package static func spans(in source: SourceFile, _ root: YAMLNode) -> [Span] {
        var scalars: [Span] = []
        collect(root, into: &scalars)
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

    private static func collect(_ node: YAMLNode, into scalars: inout [Span]) {
        switch node.isAlias ? .scalar : node.kind {
        case .scalar: scalars.append(node.span)
        case .sequence: for item in node.items { collect(item, into: &scalars) }
        case .mapping:
            for entry in node.entries {
                collect(entry.key, into: &scalars)
                collect(entry.value, into: &scalars)
            }
        }
    }
}

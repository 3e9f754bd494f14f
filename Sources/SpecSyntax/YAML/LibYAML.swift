// The only file that knows libyaml.
import CLibYAML

/// One step of a YAML stream. Marks count Unicode scalars from the start of the input.
struct YAMLEvent {
    enum Kind {
        case scalar, alias, sequenceStart, mappingStart, collectionEnd, documentEnd, streamEnd
        case other
    }

    var kind = Kind.other
    let start: Int
    let end: Int
    let isOnOneLine: Bool
    /// A scalar's text or an alias's name.
    var text = ""
    var isPlain = false
    /// Whether the end mark is where the value ends: not so for blocks, whose mark is the next token.
    var hasExactEnd = false
    var anchor: String?
    var hasTag = false

    fileprivate init(_ event: yaml_event_t) {
        start = Int(event.start_mark.index)
        end = Int(event.end_mark.index)
        isOnOneLine = event.start_mark.line == event.end_mark.line
    }
}

/// Why libyaml stopped.
struct YAMLProblem: Error {
    /// libyaml's words.
    let text: String
    let context: String
    /// Marks in Unicode scalars; a problem with the encoding has an offset in bytes instead.
    let mark: Int
    let contextMark: Int
    let byteOffset: Int?
}

/// libyaml's event parser over bytes that outlive it.
final class LibYAML {
    private let parser: UnsafeMutablePointer<yaml_parser_t>

    /// A parser of UTF-8 without a byte order mark.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        // Fails only for want of memory, and then the first event does too.
        guard yaml_parser_initialize(parser) == 1 else { return }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// The next event.
    func next() throws(YAMLProblem) -> YAMLEvent {
        var event = yaml_event_t()
        guard parser.pointee.read_handler != nil, yaml_parser_parse(parser, &event) == 1 else {
            throw problem
        }
        defer { yaml_event_delete(&event) }
        return Self.translated(event)
    }

    private static func translated(_ event: yaml_event_t) -> YAMLEvent {
        var result = YAMLEvent(event)
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            result.kind = .scalar
            let text = UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
            result.text = String(decoding: text, as: UTF8.self)
            result.isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            result.hasExactEnd = result.isPlain || isQuoted(scalar.style)
            result.anchor = string(scalar.anchor)
            result.hasTag = scalar.tag != nil
        case YAML_ALIAS_EVENT:
            result.kind = .alias
            result.text = string(event.data.alias.anchor) ?? ""
        case YAML_SEQUENCE_START_EVENT:
            result.kind = .sequenceStart
            result.anchor = string(event.data.sequence_start.anchor)
            result.hasTag = event.data.sequence_start.tag != nil
            result.hasExactEnd = event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
        case YAML_MAPPING_START_EVENT:
            result.kind = .mappingStart
            result.anchor = string(event.data.mapping_start.anchor)
            result.hasTag = event.data.mapping_start.tag != nil
            result.hasExactEnd = event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: result.kind = .collectionEnd
        case YAML_DOCUMENT_END_EVENT: result.kind = .documentEnd
        case YAML_STREAM_END_EVENT: result.kind = .streamEnd
        default: break
        }
        return result
    }

    private static func isQuoted(_ style: yaml_scalar_style_t) -> Bool {
        style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE
    }

    private static func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        text.map { String(cString: $0) }
    }

    private var problem: YAMLProblem {
        let state = parser.pointee
        return YAMLProblem(
            text: state.problem.map { String(cString: $0) } ?? "there is not enough memory",
            context: state.context.map { String(cString: $0) } ?? "",
            mark: Int(state.problem_mark.index),
            contextMark: Int(state.context_mark.index),
            byteOffset: state.error == YAML_READER_ERROR ? Int(state.problem_offset) : nil)
    }
}

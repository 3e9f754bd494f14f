// The only file that uses libyaml.
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
    /// Whether a scalar's end mark is exact; that of a block scalar is the start of the next token.
    var hasExactEnd = false
    var anchor: String?
    var hasTag = false

    fileprivate init(_ event: UnsafeMutablePointer<yaml_event_t>) {
        start = event.pointee.start_mark.index
        end = event.pointee.end_mark.index
        isOnOneLine = event.pointee.start_mark.line == event.pointee.end_mark.line
    }
}

/// An error of libyaml.
struct YAMLProblem: Error {
    /// The message of libyaml.
    let text: String
    let context: String
    /// Marks in Unicode scalars; an encoding error has a byte offset instead.
    let mark: Int
    let contextMark: Int
    let byteOffset: Int?
}

/// libyaml's event parser over bytes that outlive it.
final class LibYAML {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// The storage of the current event, reused because copying events is slow in debug builds.
    private let event: UnsafeMutablePointer<yaml_event_t>

    /// A parser of UTF-8 without a byte order mark.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        parser = .allocate(capacity: 1)
        parser.initialize(to: yaml_parser_t())
        event = .allocate(capacity: 1)
        event.initialize(to: yaml_event_t())
        // Fails only if memory runs out; then the first event fails too.
        guard yaml_parser_initialize(parser) == 1 else { return }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        event.deallocate()
    }

    /// The next event.
    func next() throws(YAMLProblem) -> YAMLEvent {
        guard parser.pointee.read_handler != nil, yaml_parser_parse(parser, event) == 1 else {
            throw problem
        }
        defer { yaml_event_delete(event) }
        var result = YAMLEvent(event)
        // Raw values: comparing imported enumerations goes through witness tables in debug builds.
        switch event.pointee.type.rawValue {
        case YAML_SCALAR_EVENT.rawValue: readScalar(&result)
        case YAML_ALIAS_EVENT.rawValue:
            result.kind = .alias
            result.text = Self.string(event.pointee.data.alias.anchor) ?? ""
        case YAML_SEQUENCE_START_EVENT.rawValue: readSequence(&result)
        case YAML_MAPPING_START_EVENT.rawValue: readMapping(&result)
        case YAML_SEQUENCE_END_EVENT.rawValue, YAML_MAPPING_END_EVENT.rawValue:
            result.kind = .collectionEnd
        case YAML_DOCUMENT_END_EVENT.rawValue: result.kind = .documentEnd
        case YAML_STREAM_END_EVENT.rawValue: result.kind = .streamEnd
        default: break
        }
        return result
    }

    private func readScalar(_ result: inout YAMLEvent) {
        let scalar = event.pointee.data.scalar
        result.kind = .scalar
        let text = UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length))
        result.text = String(decoding: text, as: UTF8.self)
        let style = scalar.style.rawValue
        result.isPlain = style == YAML_PLAIN_SCALAR_STYLE.rawValue
        result.hasExactEnd =
            style != YAML_LITERAL_SCALAR_STYLE.rawValue
            && style != YAML_FOLDED_SCALAR_STYLE.rawValue
        result.anchor = Self.string(scalar.anchor)
        result.hasTag = scalar.tag != nil
    }

    private func readSequence(_ result: inout YAMLEvent) {
        result.kind = .sequenceStart
        result.anchor = Self.string(event.pointee.data.sequence_start.anchor)
        result.hasTag = event.pointee.data.sequence_start.tag != nil
    }

    private func readMapping(_ result: inout YAMLEvent) {
        result.kind = .mappingStart
        result.anchor = Self.string(event.pointee.data.mapping_start.anchor)
        result.hasTag = event.pointee.data.mapping_start.tag != nil
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

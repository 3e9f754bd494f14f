import TelexJSON

/// A call that has been thought of: what is sent, and how the reply becomes a value.
///
/// It is a template, made into a request anew for each attempt, with the credential of the moment.
public struct APIRequest<Output: Sendable>: Sendable {
    typealias Decode =
        @Sendable (_ bytes: [UInt8], _ path: [String], _ limits: JSONLimits) -> JSONResult<Output>

    /// All of it behind one reference: generated code hands requests around, and a copy of so large
    /// a value at each hand would be most of that code.
    private final class Box: ReplyKeys {
        let template: RequestTemplate
        let expected: ReplyKind
        let decode: Decode

        init(_ template: RequestTemplate, _ expected: ReplyKind, _ decode: @escaping Decode) {
            self.template = template
            self.expected = expected
            self.decode = decode
        }

        func sensitiveKeys(
            in body: [UInt8], at path: [String], _ limits: JSONLimits
        ) -> Set<String>? {
            switch expected {
            case .json: decode(body, path, limits).report.sensitiveKeys
            case .bytes, .nothing: []
            case .file, .stream: nil
            }
        }
    }

    private let box: Box

    var template: RequestTemplate { box.template }
    var expected: ReplyKind { box.expected }
    var decode: Decode { box.decode }
    var replyKeys: any ReplyKeys { box }

    init(_ template: RequestTemplate, _ expected: ReplyKind, decode: @escaping Decode) {
        box = Box(template, expected, decode)
    }

    /// The API's name of the method.
    public var method: String { template.method }

    /// What is wrong with the values. A call with an error among them fails before it is sent.
    public var violations: [Violation] { template.violations }

    /// The value of a transfer: what it ends with, made into what the request promises.
    func finish(_ end: some Sendable) -> Output? {
        if let output = end as? Output { return output }
        guard let count = end as? Int, let type = Output.self as? any StreamOutput.Type else {
            return nil
        }
        return type.init(count: count) as? Output
    }

    /// The same call, with its type of value forgotten.
    public consuming func erased() -> APIRequest<any Sendable> {
        APIRequest<any Sendable>(template, expected) { [decode] bytes, path, limits in
            let result = decode(bytes, path, limits)
            return JSONResult(value: result.value, report: result.report)
        }
    }
}

/// Knows the secrets of a reply, whatever its value is.
protocol ReplyKeys: Sendable {
    /// The keys whose values nobody may see; nil if that is not known.
    func sensitiveKeys(in body: [UInt8], at path: [String], _ limits: JSONLimits) -> Set<String>?
}

/// What a method's reply is.
enum ReplyKind: Sendable {
    /// A JSON document with a value in it.
    case json
    /// Bytes, taken as they are.
    case bytes
    /// Nothing of interest.
    case nothing
    /// Bytes, for the file of this path. The request decodes nothing.
    case file(destination: String)
    /// Elements, which the request decodes one by one: it is given the bytes of one, and its value
    /// is the end of a stream that stores it.
    case stream(StreamFormat)
}

extension APIRequest: CustomStringConvertible, CustomReflectable {
    /// The call in the manner of `curl`, without secrets and without the bytes of a body.
    public var description: String { template.text }

    /// Shows the description and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

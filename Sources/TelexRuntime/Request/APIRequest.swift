import TelexJSON

/// A call that has been thought of: what is sent, and how the reply becomes a value.
///
/// It is a template, made into a request anew for each attempt, with the credential of the moment.
public struct APIRequest<Output: Sendable>: Sendable {
    /// All of it behind one reference: generated code hands requests around, and a copy of so large
    /// a value at each hand would be most of that code.
    let content: RequestContent

    var template: RequestTemplate { content.template }

    init(_ content: RequestContent) {
        self.content = content
    }

    /// The API's name of the method.
    public var method: String { template.method }

    /// What is wrong with the values. A call with an error among them fails before it is sent.
    public var violations: [Violation] { template.violations }

    /// The same call, with its type of value forgotten.
    public consuming func erased() -> APIRequest<any Sendable> {
        let content = content
        return APIRequest<any Sendable>(
            RequestContent(
                template, content.expected,
                decode: { bytes, path, limits in
                    let result = content.decode(bytes, path, limits)
                    return Decoded(product: Self.erase(result.product), report: result.report)
                },
                finish: { Self.erase(content.finish($0)) }))
    }

    private static func erase(_ product: AnyProduct?) -> AnyProduct? {
        (product as? Product<Output>).map { Product<any Sendable>($0.value) }
    }
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
    /// is the end of a stream that stores it. Behind a reference, since it is large, and rare.
    indirect case stream(StreamFormat)

    /// Whether nothing of the reply is of interest.
    var isNothing: Bool { if case .nothing = self { true } else { false } }
}

extension APIRequest: CustomStringConvertible, CustomReflectable {
    /// The call in the manner of `curl`, without secrets and without the bytes of a body.
    public var description: String { template.text }

    /// Shows the description and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

import TelexJSON
import TelexTransport

/// A description of a call: the request and how its reply becomes a value.
///
/// It is a template: for each attempt, a request is built with the current credential.
public struct APIRequest<Output: Sendable>: Sendable {
    /// All content, behind one reference. Generated code passes requests around, and copies of such
    /// a large value would make up most of that code.
    package let content: RequestContent

    package var template: RequestTemplate { content.template }

    package init(_ content: RequestContent) {
        self.content = content
    }

    /// The API's name of the method.
    public var method: String { template.method }

    /// The endpoint and the rules of the method.
    public var endpoint: Endpoint { template.endpoint }

    /// The violations in the values. A call with an error among them fails before it is sent.
    public var violations: [Violation] { template.violations }

    /// Returns the same call with its value type erased.
    public consuming func erased() -> APIRequest<any Sendable> {
        APIRequest<any Sendable>(
            content.changed(finish: Self.erase) { result, _, _ in
                result.product = Self.erase(result.product)
            })
    }

    /// Returns the same call, whose value the app's own checks examine, too, as the description
    /// asks with `validate: custom`. Without ``APIDescription/ReplyChecks`` in the manager, the
    /// call fails with `invalidRequest`.
    ///
    /// - Parameters:
    ///   - api: The API of the call.
    ///   - check: Returns the violations of the value. It is called with the checks that were
    ///     passed to the manager, unless the validation of the reply is `off`.
    public consuming func checked<API: APIDescription>(
        in api: API.Type, by check: @escaping @Sendable (API.ReplyChecks, Output) -> [Violation]
    ) -> APIRequest<Output> {
        examined { checks, value in
            (checks as? API.ReplyChecks).map { check($0, value) } ?? []
        }
    }

    /// Returns the same call, of which the app's own checks examine each element; see
    /// ``checked(in:by:)``.
    public consuming func checkedElements<API: APIDescription, Element>(
        in api: API.Type, by check: @escaping @Sendable (API.ReplyChecks, Element) -> [Violation]
    ) -> APIRequest<Output> where Output == StreamEnd<Element> {
        examined { checks, end in
            guard let checks = checks as? API.ReplyChecks else { return [] }
            return end.elements.flatMap { check(checks, $0) }
        }
    }

    private consuming func examined(
        by check: @escaping @Sendable (any Sendable, Output) -> [Violation]
    ) -> APIRequest<Output> {
        APIRequest(
            content.changed(asksApp: true) { result, _, reading in
                guard let checks = reading.appChecks,
                    let product = result.product as? Product<Output>
                else { return }
                result.report.violations += check(checks, product.value)
            })
    }

    private static func erase(_ product: AnyProduct?) -> AnyProduct? {
        (product as? Product<Output>).map { Product<any Sendable>($0.value) }
    }
}

/// The kind of a method's reply.
package enum ReplyKind: Sendable {
    /// A JSON document that contains the value.
    case json
    /// Uninterpreted bytes.
    case bytes
    /// Text in the charset of the reply.
    case text
    /// A reply whose content is ignored.
    case nothing
    /// Bytes for the file at this path. The request decodes nothing.
    case file(destination: String)
    /// Elements, each decoded by the request from its own bytes. The decoded value is a `StreamEnd`
    /// that stores the element. Indirect, because the format is large and rare.
    indirect case stream(StreamFormat)
    /// A kind for each status; JSON for all others.
    indirect case statuses([Int: ReplyKind])

    /// The kind of a reply with this status.
    package func kind(of status: Int) -> ReplyKind {
        if case .statuses(let kinds) = self { kinds[status] ?? .json } else { self }
    }

    /// Whether the content of the reply is ignored.
    package var isNothing: Bool { if case .nothing = self { true } else { false } }
}

extension APIRequest: CustomStringConvertible, CustomReflectable {
    /// The call as a `curl` command, without secrets and without the bytes of a body.
    public var description: String { template.text }

    /// Contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

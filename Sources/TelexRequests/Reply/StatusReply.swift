import HTTPTypes
import TelexJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The content of a reply with one status, for a method whose replies differ by status.
public struct StatusReply<Output: Sendable>: Sendable {
    package let status: Int
    package let kind: ReplyKind
    package let decode: RequestContent.Decode

    /// JSON.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - output: Makes the output from the value.
    ///   - mapper: Reads and validates the value in one pass.
    public static func json<Value>(
        _ status: Int, _ output: @escaping @Sendable (Value) -> Output,
        _ mapper: @escaping @Sendable (inout JSONReader) -> Value?
    ) -> StatusReply {
        StatusReply(status: status, kind: .json) { reply, reading in
            Decoded(
                reading.read(reply.body) { json -> AnyProduct? in
                    mapper(&json).map { Product(output($0)) }
                })
        }
    }

    /// JSON that its type reads itself.
    public static func json<Value: JSONReadable & Sendable>(
        _ status: Int, _ output: @escaping @Sendable (Value) -> Output
    ) -> StatusReply {
        json(status, output) { json in json.value() }
    }

    /// Text in the charset of the reply.
    public static func text(
        _ status: Int, _ output: @escaping @Sendable (String) -> Output
    ) -> StatusReply {
        StatusReply(status: status, kind: .text) { reply, _ in
            Decoded(textOf: reply, output)
        }
    }

    /// The raw bytes.
    public static func bytes(
        _ status: Int, _ output: @escaping @Sendable (Data) -> Output
    ) -> StatusReply {
        StatusReply(status: status, kind: .bytes) { reply, _ in
            Decoded(product: Product(output(Data(reply.body))))
        }
    }

    /// Nothing: the body is not read.
    public static func nothing(_ status: Int, _ output: Output) -> StatusReply {
        StatusReply(status: status, kind: .nothing) { _, _ in
            Decoded(product: Product(output))
        }
    }
}

extension RequestBuilder {
    /// Completes the request of a method whose replies differ by status.
    ///
    /// - Parameter replies: The content for each success status.
    public consuming func finish<Output: Sendable>(
        _ replies: [StatusReply<Output>]
    ) -> APIRequest<Output> {
        let kinds = Dictionary(replies.map { ($0.status, $0.kind) }) { first, _ in first }
        return APIRequest(
            RequestContent(template, expecting: .statuses(kinds)) { reply, reading in
                replies.first { $0.status == reply.status }?.decode(reply, reading)
                    ?? Decoded(product: nil)
            })
    }

    /// Completes the request of a method whose value is the text of the reply.
    public consuming func finishText() -> APIRequest<String> {
        APIRequest(
            RequestContent(template, expecting: .text) { reply, _ in
                Decoded(textOf: reply, \.self)
            })
    }
}

extension APIDescription {
    /// Checks a reply of a method whose replies differ by status. It is valid if it is the reply of
    /// one of the statuses; only an empty one is the reply of a status without content.
    ///
    /// - Parameters:
    ///   - reply: The body of a reply.
    ///   - rules: The method's own success rules.
    ///   - checks: The checks of the value to make; all by default.
    ///   - replies: The content for each success status.
    /// - Returns: An empty report, or that of the first status.
    public static func validate<Output>(
        _ reply: [UInt8], rules: ReplyRules, checks: JSONChecks = .all,
        _ replies: [StatusReply<Output>]
    ) -> ValidationReport {
        let limits = definition.limits.json
        if let violation = rules.violation(in: reply, limits: limits) {
            return ValidationReport(violations: [violation])
        }
        let reading = ReplyReading(path: rules.unwrap, limits: limits, checks: checks)
        let reports = replies.filter { $0.kind.isNothing == reply.isEmpty }.map { item in
            let head = HTTPResponse(status: .init(code: item.status))
            return item.decode(Reply(head: head, body: reply), reading).report
        }
        return reports.first(where: \.isValid) ?? reports.first ?? ValidationReport()
    }
}

extension Decoded {
    /// The text of a reply, or the violation if it is none.
    fileprivate init<Output: Sendable>(textOf reply: Reply, _ output: (String) -> Output) {
        do throws(Violation) {
            self.init(product: Product(output(try reply.text())))
        } catch {
            self.init(product: nil, report: ValidationReport(violations: [error]))
        }
    }
}

import HTTPTypes
import TelexJSON
import TelexRequests

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A reply with its value.
struct CallAnswer: Sendable {
    var reply: Reply
    /// When the head of the reply was received; nil for a stored one.
    var received: Date?
    /// The value; nil for a 304 to a condition that a feature has added.
    var value: AnyProduct?
}

/// Something besides the request itself that takes part in calls, such as a cache. A manager has a
/// list of features, and a call passes through those that concern it, the first one outermost.
protocol CallFeature: Sendable {
    /// Whether the feature takes part in a call.
    func concerns(_ plan: CallPlan) -> Bool

    /// Returns the answer to a call whose reply is read into memory, usually that of `next`.
    nonisolated(nonsending) func answer(
        to call: Call, _ next: NextFeature
    ) async throws(APIError) -> CallAnswer

    /// Adds header fields to a request of a call.
    func add(to fields: inout HTTPFields, of hop: Hop, in exchange: Exchange)

    /// Learns of a reply, which may be a redirect.
    func note(_ head: HTTPResponse, to hop: Hop, in exchange: Exchange)

    /// Checks a reply that is JSON, besides its mapper.
    func check(
        _ reply: Reply, _ reading: ReplyReading, of call: Call,
        into report: inout ValidationReport)

    /// Learns of the violations, without secrets, in spite of which a value is returned.
    func noteDrift(_ warnings: [Violation], of call: Call)

    /// The values that no text may show.
    var secrets: [String] { get }
}

extension CallFeature {
    func concerns(_ plan: CallPlan) -> Bool { true }

    nonisolated(nonsending) func answer(
        to call: Call, _ next: NextFeature
    ) async throws(APIError) -> CallAnswer {
        try await next.answer()
    }

    func add(to fields: inout HTTPFields, of hop: Hop, in exchange: Exchange) {}

    func note(_ head: HTTPResponse, to hop: Hop, in exchange: Exchange) {}

    func check(
        _ reply: Reply, _ reading: ReplyReading, of call: Call,
        into report: inout ValidationReport
    ) {}

    func noteDrift(_ warnings: [Violation], of call: Call) {}

    var secrets: [String] { [] }
}

/// The features that a call has yet to pass through. The last one is followed by the server.
struct NextFeature: Sendable {
    private let call: Call
    private var index = 0
    /// The header fields that the features before have added.
    private var fields = HTTPFields()

    /// All features of a call.
    init(of call: Call) {
        self.call = call
    }

    /// Returns the answer to the call.
    ///
    /// - Parameter fields: Additional header fields of the request.
    nonisolated(nonsending) func answer(
        adding fields: HTTPFields = [:]
    ) async throws(APIError) -> CallAnswer {
        var next = self
        next.fields += fields
        guard index < call.features.count else { return try await call.ask(adding: next.fields) }
        next.index += 1
        return try await call.features[index].answer(to: call, next)
    }
}

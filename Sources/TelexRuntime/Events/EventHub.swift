import TelexInspection
import TelexScheduling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Distributes the events of an `APIManager` to its listeners. Without listeners, no events are
/// made.
final class EventHub: Sendable {
    /// The number of events that a stream buffers for a slow reader; older ones are dropped.
    static let streamCapacity = 1024

    let clock: RuntimeClock
    /// The largest body limit of all listeners, in bytes.
    let bodyLimit: Int
    private let listeners: [any APIEventListener]
    private let startListeners: [any StartListener]
    private let onEvent: (@Sendable (APIEvent) -> Void)?
    private let streams = Broadcast<APIEvent>()
    /// Prints faults, also without a listener.
    let faults: FaultReporter

    init(
        _ listeners: [any APIEventListener], clock: RuntimeClock,
        onFault: @escaping @Sendable (String) -> Void = FaultReporter.standardError,
        onEvent: (@Sendable (APIEvent) -> Void)?
    ) {
        faults = FaultReporter(onFault)
        self.listeners = listeners
        startListeners = listeners.compactMap { $0 as? any StartListener }
        self.clock = clock
        self.onEvent = onEvent
        bodyLimit = listeners.map(\.bodyLimit).max() ?? 0
    }

    /// Whether there are listeners or readers of streams.
    var isObserved: Bool { onEvent != nil || !listeners.isEmpty || streams.hasReaders }

    /// A stream of the events from this call on.
    var events: AsyncStream<APIEvent> {
        streams.stream(from: nil, keeping: .bufferingNewest(Self.streamCapacity))
    }

    /// Whether there are start listeners.
    var hasStartListeners: Bool { !startListeners.isEmpty }

    func willStart(_ operation: OperationID, in group: OperationID?) {
        for listener in startListeners { listener.willStart(operation, in: group) }
    }

    func emit(_ event: APIEvent) {
        for listener in listeners {
            let limit = max(0, listener.bodyLimit)
            listener.handle(limit < bodyLimit ? event.limitingBodies(to: limit) : event)
        }
        guard onEvent != nil || streams.hasReaders else { return }
        let event = bodyLimit > 0 ? event.limitingBodies(to: 0) : event
        onEvent?(event)
        streams.yield(event)
    }
}

extension APIEvent {
    /// The event with at most `limit` bytes of each body.
    func limitingBodies(to limit: Int) -> APIEvent {
        var event = self
        switch kind {
        case .sending(var request):
            request.limitBody(to: limit)
            event.kind = .sending(request)
        case .received(var exchange):
            exchange.limitBodies(to: limit)
            event.kind = .received(exchange)
        case .disconnected(var exchange):
            exchange.limitBodies(to: limit)
            event.kind = .disconnected(exchange)
        default: break
        }
        return event
    }
}

extension ExchangeRecord {
    fileprivate mutating func limitBodies(to limit: Int) {
        request.limitBody(to: limit)
        guard var reply else { return }
        (reply.text, reply.isTextCut) = limited(reply.text, isCut: reply.isTextCut, to: limit)
        self.reply = reply
    }
}

extension RequestRecord {
    fileprivate mutating func limitBody(to limit: Int) {
        guard var body else { return }
        (body.text, body.isTextCut) = limited(body.text, isCut: body.isTextCut, to: limit)
        self.body = body
    }
}

/// Returns at most `limit` bytes of a text, in whole characters, and whether the text is truncated;
/// no text if `limit` is 0.
private func limited(_ text: String?, isCut: Bool, to limit: Int) -> (String?, Bool) {
    guard limit > 0, let text else { return (nil, false) }
    guard text.utf8.count > limit else { return (text, isCut) }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
        end = text.utf8.index(before: end)
    }
    return (String(text[..<end]), true)
}

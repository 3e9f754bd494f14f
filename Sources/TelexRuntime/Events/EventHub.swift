import TelexInspection
import TelexScheduling
import TelexValues

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
    /// The event without the texts of bodies of more than `limit` bytes.
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
        if limit <= 0 || (reply?.size ?? 0) > limit { reply?.text = nil }
    }
}

extension RequestRecord {
    fileprivate mutating func limitBody(to limit: Int) {
        if limit <= 0 || (body?.size ?? 0) > limit { body?.text = nil }
    }
}

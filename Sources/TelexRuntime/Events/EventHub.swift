#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Hands the events of an `APIManager` to those who listen. While nobody does, no event is made.
final class EventHub: Sendable {
    /// How many events a stream keeps for a reader that is slow; older ones are dropped.
    static let streamCapacity = 1024

    let clock: RuntimeClock
    /// How many bytes of bodies the most curious listener wants.
    let bodyLimit: Int
    private let listeners: [any APIEventListener]
    private let startListeners: [any StartListener]
    private let onEvent: (@Sendable (APIEvent) -> Void)?
    private let streams = Broadcast<APIEvent>()

    init(
        _ listeners: [any APIEventListener], clock: RuntimeClock,
        onEvent: (@Sendable (APIEvent) -> Void)?
    ) {
        self.listeners = listeners
        startListeners = listeners.compactMap { $0 as? any StartListener }
        self.clock = clock
        self.onEvent = onEvent
        bodyLimit = listeners.map(\.bodyLimit).max() ?? 0
    }

    /// Whether anybody listens.
    var isObserved: Bool { onEvent != nil || !listeners.isEmpty || streams.hasReaders }

    /// What happens from now on.
    var events: AsyncStream<APIEvent> {
        streams.stream(from: nil, keeping: .bufferingNewest(Self.streamCapacity))
    }

    /// Whether anybody wants to know who starts operations.
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
    /// The same with at most so many bytes of each body.
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
        (reply.text, reply.isTextCut) = limited(reply.text, reply.isTextCut, to: limit)
        self.reply = reply
    }
}

extension RequestRecord {
    fileprivate mutating func limitBody(to limit: Int) {
        guard var body else { return }
        (body.text, body.isTextCut) = limited(body.text, body.isTextCut, to: limit)
        self.body = body
    }
}

/// At most so many bytes of a text, whole characters, and whether that is the beginning only; no text
/// if none are wanted.
private func limited(_ text: String?, _ isCut: Bool, to limit: Int) -> (String?, Bool) {
    guard limit > 0, let text else { return (nil, false) }
    guard text.utf8.count > limit else { return (text, isCut) }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
        end = text.utf8.index(before: end)
    }
    return (String(text[..<end]), true)
}

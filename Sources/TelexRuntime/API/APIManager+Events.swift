extension APIManager {
    /// The events of all calls from now on, without secrets. Any number of tasks may read them.
    /// Each reader gets every event, except the oldest ones if it falls more than 1,024 behind. The
    /// stream ends when the manager and all its operations have been released.
    public var events: AsyncStream<APIEvent> { factory.hub.events }
}

extension APIManager: CustomStringConvertible, CustomReflectable {
    /// The name of the API.
    public var description: String { "manager of \(factory.pipeline.definition.name)" }

    /// Contains only the description, because the base parameters may be secret.
    public var customMirror: Mirror { Mirror(self, children: ["manager": description]) }
}

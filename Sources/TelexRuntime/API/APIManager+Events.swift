extension APIManager {
    /// What happens to all calls, from now on, without secrets. Any number of tasks may read; each
    /// gets every event, but for the oldest ones if it falls more than 1,024 behind. Ends when the
    /// manager and all its operations are gone.
    ///
    /// ```swift
    /// for await event in vk.events { print(event) }
    /// ```
    public var events: AsyncStream<APIEvent> { factory.hub.events }
}

extension APIManager: CustomStringConvertible, CustomReflectable {
    /// The name of the API.
    public var description: String { "manager of \(factory.pipeline.definition.name)" }

    /// Shows the description and nothing else: the parameters of all calls may be secret.
    public var customMirror: Mirror { Mirror(self, children: ["manager": description]) }
}

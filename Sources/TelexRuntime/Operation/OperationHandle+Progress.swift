extension OperationProgress {
    /// The progress of an operation that has not been started.
    fileprivate static var notStarted: Self {
        var progress = OperationProgress()
        progress.hasStarted = false
        return progress
    }
}

extension OperationHandle {
    /// The progress from now to the end of the operation. The current value comes first, if there
    /// is one; for an operation that has not been started it is one without
    /// ``OperationProgress/hasStarted``, because reading the progress starts nothing. Then come at
    /// most ten values per second, and one whenever the operation is done or a step of a group
    /// begins or ends. The numbers of bytes never decrease. A slow reader gets the newest value; a
    /// stream created after an end without listeners is empty. For a reply that is read into
    /// memory, the bytes received are updated only when more arrive.
    public var progress: AsyncStream<OperationProgress> {
        let isReady = live.withLock { !$0.isRegistered && $0.end == nil }
        return followed.stream(startingWith: isReady ? .notStarted : nil)
    }

    /// Calls a closure with the progress from now on, as ``progress`` delivers it, but with nothing
    /// before the start.
    ///
    /// ```swift
    /// let upload = gallery.pictures.add(file: file).onProgress { bar.show($0.fraction) }.start()
    /// ```
    ///
    /// - Parameter handler: Is called on the task or thread of the transfer, one value at a time. It
    ///   must be quick and must not block. It is released when the operation ends.
    /// - Returns: The operation.
    @discardableResult
    public func onProgress(
        _ handler: @escaping @Sendable (OperationProgress) -> Void
    ) -> Self {
        followed.forward(to: handler)
        return self
    }

    /// Calls a closure with the progress on the main actor, where it may change views; otherwise
    /// like ``onProgress(_:)``. If the main actor is busy, it gets the newest value.
    @discardableResult
    public func onProgress(
        on actor: MainActor, _ handler: @escaping @MainActor (OperationProgress) -> Void
    ) -> Self {
        let values = followed.stream(startingWith: nil)
        Task { @MainActor in for await value in values { handler(value) } }
        return self
    }

    /// The tracker, which also has the progress made so far.
    var followed: ProgressTracker {
        let tracker = tracker
        // The tracker receives later changes by itself; report the earlier ones here.
        if let progress = listeners.takeEarlierProgress() { tracker.report(progress) }
        return tracker
    }

    /// The tracker, for the progress from now on.
    var tracker: ProgressTracker { listeners.tracker(clock: engine.clock) }
}

extension EngineMachine {
    /// The engine's data about one operation.
    struct Entry: Sendable {
        // Ordered so that the layout has no gaps, because there may be 100,000 entries.
        var machine = OperationMachine()
        private var marks = Marks()
        /// How often the operation was refused, or waited for a refresh, since it last made
        /// progress.
        var refusals: UInt8 = 0
        /// The scheme whose refresh the operation shares: it waits for it, or did until it was
        /// suspended. If the refresh fails while it does not wait, it shares the failure, and so
        /// does its next attempt if that begins shortly afterwards.
        var shared: SchemeKey?
        /// The last end of a refresh when the last attempt was launched or the operation began to
        /// wait for the next refresh; see `launch`.
        var launched: UInt32 = 0
        /// How many attempts failed since the operation last made progress.
        var failures: UInt32 = 0
        var scheduling: SchedulingRequest?
        /// The start of the live attempt, or the earliest start of the next one after a failure.
        /// Suspension does not change it.
        var notBefore = Duration.zero
        /// The deadline of the whole operation.
        var deadline = Duration.seconds(Int64.max)

        /// Whether it waits for prerequisites.
        var isBlocked: Bool {
            get { marks[.blocked] }
            set { marks[.blocked] = newValue }
        }
        /// Whether it obtains or revokes a token; see `mayWait`.
        var isPrivileged: Bool { marks[.privileged] }
        /// Whether its attempt exceeded its time limit while paused; the limit starts again when it
        /// continues.
        var isOverdue: Bool {
            get { marks[.overdue] }
            set { marks[.overdue] = newValue }
        }
        /// Whether its last attempt reported that it sent nothing.
        var isUnsent: Bool {
            get { marks[.unsent] }
            set { marks[.unsent] = newValue }
        }
        /// Whether an attempt that has ended may have sent anything.
        var hasSent: Bool {
            get { marks[.sent] }
            set { marks[.sent] = newValue }
        }
        /// Whether the throttle delays its start.
        var isDelayed: Bool {
            get { marks[.delayed] }
            set { marks[.delayed] = newValue }
        }

        /// Starts the operation.
        ///
        /// - Parameter privilege: The scheme whose token it obtains or revokes; nil for none.
        mutating func start(
            _ scheduling: SchedulingRequest, isBlocked: Bool, privilege: SchemeKey?
        ) {
            self.scheduling = scheduling
            self.isBlocked = isBlocked
            marks[.privileged] = privilege != nil
            marks[.fetching] = privilege.map { $0 != .login } ?? false
        }

        /// Whether its attempts carry a token of this scheme.
        func uses(_ scheme: SchemeKey) -> Bool {
            scheduling?.slot?.schemes.contains(scheme) == true
        }

        /// Whether it may wait for a refresh of this scheme. What obtains a token never waits for
        /// one, or two refreshes could wait for each other; but what logs in or out may wait for a
        /// token of another scheme, because those that obtain such a token never wait for a log-in.
        func mayWait(for scheme: SchemeKey) -> Bool {
            !isPrivileged || scheme != .login && !marks[.fetching]
        }

        /// Records the launch of an attempt. An attempt that shares the failure of a refresh counts
        /// as launched before that refresh.
        mutating func launch(
            at now: Duration, after lastEnd: UInt32, sharesFailure: Bool
        ) {
            notBefore = now
            if !sharesFailure {
                launched = lastEnd
                shared = nil
            }
            isOverdue = false
            isUnsent = false
        }
    }

    /// Flags of an operation, one bit each.
    private struct Marks: OptionSet {
        let rawValue: UInt8

        static let blocked = Marks(rawValue: 1)
        static let privileged = Marks(rawValue: 2)
        static let overdue = Marks(rawValue: 4)
        static let fetching = Marks(rawValue: 8)
        static let unsent = Marks(rawValue: 16)
        static let sent = Marks(rawValue: 32)
        static let delayed = Marks(rawValue: 64)

        subscript(mark: Marks) -> Bool {
            get { contains(mark) }
            set { if newValue { insert(mark) } else { remove(mark) } }
        }
    }
}

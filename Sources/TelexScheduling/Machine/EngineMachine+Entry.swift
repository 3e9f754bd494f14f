extension EngineMachine {
    /// The engine's data about one operation.
    struct Entry: Sendable {
        // Ordered so that the layout has no gaps, because there may be 100,000 entries.
        var machine = OperationMachine()
        private var marks = Marks()
        /// How often the operation was refused, or waited for a refresh, since it last made
        /// progress.
        var refusals: UInt8 = 0
        /// The refresh count when the last attempt was launched or began to wait for the next
        /// refresh; see `launch`.
        var launched = CredentialGate.Count()
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
        /// Whether it obtains or revokes a credential, so that it must not wait for a refresh.
        var isPrivileged: Bool {
            get { marks[.privileged] }
            set { marks[.privileged] = newValue }
        }
        /// Whether its attempt exceeded its time limit while paused; the limit starts again when it
        /// continues.
        var isOverdue: Bool {
            get { marks[.overdue] }
            set { marks[.overdue] = newValue }
        }
        /// Whether the credential was new when the last attempt was launched.
        var hasNewCredential: Bool {
            get { marks[.newCredential] }
            set { marks[.newCredential] = newValue }
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
        /// Whether it shares the current refresh: it waits for it, or did until it was suspended.
        /// If the refresh fails while it does not wait, it shares the failure, and so does its next
        /// attempt if that begins shortly afterwards.
        var sharesRefresh: Bool {
            get { marks[.sharesRefresh] }
            set { marks[.sharesRefresh] = newValue }
        }
        /// Whether the throttle delays its start.
        var isDelayed: Bool {
            get { marks[.delayed] }
            set { marks[.delayed] = newValue }
        }

        /// Starts the operation.
        mutating func start(_ scheduling: SchedulingRequest, isBlocked: Bool, isPrivileged: Bool) {
            self.scheduling = scheduling
            self.isBlocked = isBlocked
            self.isPrivileged = isPrivileged
        }

        /// Records the launch of an attempt. An attempt that shares the failure of a refresh counts
        /// as launched before that refresh.
        mutating func launch(
            at now: Duration, after refreshes: CredentialGate.Count, withNewCredential: Bool,
            sharesFailure: Bool
        ) {
            notBefore = now
            if !sharesFailure { launched = refreshes }
            sharesRefresh = sharesFailure
            hasNewCredential = withNewCredential
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
        static let newCredential = Marks(rawValue: 8)
        static let unsent = Marks(rawValue: 16)
        static let sent = Marks(rawValue: 32)
        static let delayed = Marks(rawValue: 64)
        static let sharesRefresh = Marks(rawValue: 128)

        subscript(mark: Marks) -> Bool {
            get { contains(mark) }
            set { if newValue { insert(mark) } else { remove(mark) } }
        }
    }
}

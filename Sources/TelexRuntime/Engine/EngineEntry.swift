extension EngineMachine {
    /// What is known about an operation.
    struct Entry: Sendable {
        // In the order in which they leave no gaps: there may be a hundred thousand.
        var machine = OperationMachine()
        private var marks = Marks()
        /// How often it was refused, or waited lest it be refused, since it last came forward.
        var refusals: UInt8 = 0
        /// How many refreshes there had been when the last attempt was launched, or when it began to wait
        /// for the next one; see `launch`.
        var launched = CredentialGate.Count()
        /// How many attempts failed since it last came forward.
        var failures: UInt32 = 0
        var scheduling: SchedulingRequest?
        /// The moment of its live attempt, or of the next one after one that failed; suspending it
        /// changes nothing about that.
        var notBefore = Duration.zero
        /// When all of it has taken too long.
        var deadline = Duration.seconds(Int64.max)

        /// Whether it waits for others.
        var isBlocked: Bool {
            get { marks[.blocked] }
            set { marks[.blocked] = newValue }
        }
        /// Whether it gets a new credential or gives one back, so that it must not wait for a refresh.
        var isErrand: Bool {
            get { marks[.refresh] }
            set { marks[.refresh] = newValue }
        }
        /// Whether the time of its attempt ran out while it was held: it has as much again once it
        /// goes on.
        var isOverdue: Bool {
            get { marks[.overdue] }
            set { marks[.overdue] = newValue }
        }
        /// Whether the credential was new when the last attempt was launched.
        var hasNewCredential: Bool {
            get { marks[.newCredential] }
            set { marks[.newCredential] = newValue }
        }

        /// Whether its last attempt has said that it sent nothing.
        var isUnsent: Bool {
            get { marks[.unsent] }
            set { marks[.unsent] = newValue }
        }
        /// Whether an attempt that is over may have sent anything.
        var hasSent: Bool {
            get { marks[.sent] }
            set { marks[.sent] = newValue }
        }
        /// Whether it has its share of the refresh under way: it waits for that, or did so until it was
        /// suspended. One that does not wait when that fails keeps its share of the failure, and so does
        /// the attempt that it makes next, if that is a moment later.
        var sharesRefresh: Bool {
            get { marks[.sharesRefresh] }
            set { marks[.sharesRefresh] = newValue }
        }
        /// Whether its start has yet to come: it came too soon after another.
        var isDelayed: Bool {
            get { marks[.delayed] }
            set { marks[.delayed] = newValue }
        }

        /// It is started for the first time.
        mutating func start(_ scheduling: SchedulingRequest, isBlocked: Bool, isErrand: Bool) {
            self.scheduling = scheduling
            self.isBlocked = isBlocked
            self.isErrand = isErrand
        }

        /// An attempt is launched. One that shares the failure of a refresh counts as launched before that.
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

    /// Facts of an operation, a bit each.
    private struct Marks: OptionSet {
        let rawValue: UInt8

        static let blocked = Marks(rawValue: 1)
        static let refresh = Marks(rawValue: 2)
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

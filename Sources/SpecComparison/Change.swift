/// A difference between two versions of a spec.
public struct Change: Sendable, Hashable {
    /// What a change does to an app, the worst first.
    public enum Kind: String, CaseIterable, Sendable {
        /// Code that uses the generated client does not compile any more.
        case source
        /// The code compiles, and a call does something else.
        case behaviour
        /// The client has more than before, or a part of it is deprecated.
        case additive
        /// Only comments, examples, the order or the files of declarations differ.
        case documentation
    }

    /// What the change does to an app.
    public var kind: Kind
    /// What has changed: `wall.get`, `wall.get.count`, `Post.likes`, `errors.notFound`; `api` for
    /// settings of the API as a whole.
    public var subject: String
    /// What has become of it, in one line without a full stop.
    public var sentence: String

    /// Creates a change.
    public init(_ kind: Kind, subject: String, sentence: String) {
        self.kind = kind
        self.subject = subject
        self.sentence = sentence
    }
}

/// The step from one version to the next (Semantic Versioning 2.0.0, items 6 to 8).
public enum VersionStep: String, Sendable {
    case major, minor, patch, none

    /// The step that changes ask for: `major` if code does not compile any more, `minor` if a call
    /// does something else or there is more than before, `patch` for documentation.
    public init(for changes: [Change]) {
        let kinds = Set(changes.map(\.kind))
        if kinds.contains(.source) {
            self = .major
        } else if kinds.contains(.behaviour) || kinds.contains(.additive) {
            self = .minor
        } else {
            self = kinds.isEmpty ? .none : .patch
        }
    }
}

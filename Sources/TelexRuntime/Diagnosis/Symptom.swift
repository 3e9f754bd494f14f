/// What a call has met with for which the network may be to blame.
enum Symptom: Sendable {
    /// The transport failed, or the call took too long.
    case failure(TransportError.Kind)
    /// It is hardly the server that answered: a page for people came where a value is promised, or a
    /// redirect that cannot be followed.
    case strangeReply
    /// Somebody on the way says that the network wants its user to log in (RFC 6585, section 6).
    case loginRequired

    /// What has to be looked at.
    enum Aspect: Sendable, Hashable {
        /// How far the network reaches.
        case levels
        /// Who answers in the place of a host that is not trusted, of which other levels say nothing.
        case trust
        /// Who answers in the place of a host that says strange things.
        case reply
    }

    /// What is to be looked at; nil if the network has nothing to do with it, or no doubt is left.
    var aspect: Aspect? {
        switch self {
        case .failure(.tls): .trust
        case .failure(let kind): kind.isOfNetwork ? .levels : nil
        case .strangeReply: .reply
        case .loginRequired: nil
        }
    }
}

extension TransportError.Kind {
    /// Whether it may be the network's doing.
    var isOfNetwork: Bool {
        switch self {
        case .offline, .nameNotFound, .cannotConnect, .connectionLost, .timedOut, .tls, .truncated,
            .other:
            true
        case .cancelled, .tooLarge, .invalidRequest, .unsupported: false
        }
    }
}

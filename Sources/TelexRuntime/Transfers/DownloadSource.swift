/// Which document a download asks for.
struct DownloadSource: Sendable {
    /// Where the bytes come from, without the token and other secrets, which change from one attempt
    /// to the next.
    var address: Address
    /// What else chooses among the documents of the address.
    var choice = ""
    /// Whether parts can be asked for: of what GET gives, and of nothing else (RFC 9110, section
    /// 14.2).
    var hasParts = true
    /// Whether a date alone tells that a part which an earlier download left is of the same document.
    var trustsDates = true
}

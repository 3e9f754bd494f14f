import TelexTransport

/// The document that a download requests.
package struct DownloadSource: Sendable {
    /// The address, without tokens and other secrets, which change between attempts.
    package var address: Address
    /// Other request values that select among the documents of the address.
    package var choice = ""
    /// Whether ranges can be requested. Only GET supports them (RFC 9110, section 14.2).
    package var supportsRanges = true
    /// Whether `Last-Modified` alone suffices as the validator of a part that an earlier download
    /// left.
    package var acceptsDateValidator = true

    package init(
        address: Address, choice: String = "", supportsRanges: Bool = true,
        acceptsDateValidator: Bool = true
    ) {
        self.address = address
        self.choice = choice
        self.supportsRanges = supportsRanges
        self.acceptsDateValidator = acceptsDateValidator
    }
}

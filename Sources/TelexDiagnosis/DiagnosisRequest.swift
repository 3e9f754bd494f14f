import TelexTransport

/// A failure to diagnose and the address of its request. A class, because every attempt has room
/// for a reference to one but few attempts have one.
package final class DiagnosisRequest: Sendable {
    package let symptom: Symptom
    package let address: Address
    /// The host to show in the diagnosis, if the real one must not be shown.
    package let redactedHost: String?

    package init(_ symptom: Symptom, of address: Address, shown redactedHost: String?) {
        self.symptom = symptom
        self.address = address
        self.redactedHost = redactedHost
    }
}

import TelexTransport

/// A failure to diagnose and the address of its request. A class, because every attempt has room
/// for a reference to one but few attempts have one.
final class DiagnosisRequest: Sendable {
    let symptom: Symptom
    let address: Address
    /// The host to show in the diagnosis, if the real one must not be shown.
    let redactedHost: String?

    init(_ symptom: Symptom, of address: Address, shown redactedHost: String?) {
        self.symptom = symptom
        self.address = address
        self.redactedHost = redactedHost
    }
}

/// Why the network may be to blame for a failure, and whose answer is looked into. A reference, because
/// few attempts have one, and each has room for it.
final class DiagnosisRequest: Sendable {
    let symptom: Symptom
    let address: Address
    /// The host as people may see it, if that is not as it is.
    let shownHost: String?

    init(_ symptom: Symptom, of address: Address, shown shownHost: String?) {
        self.symptom = symptom
        self.address = address
        self.shownHost = shownHost
    }
}

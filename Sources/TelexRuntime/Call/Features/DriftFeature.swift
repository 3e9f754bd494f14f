import TelexJSON
import TelexRequests

/// Tells the app of replies that deviate from their description.
struct DriftFeature: CallFeature {
    let listener: any DriftListener

    func noteDrift(_ warnings: [Violation], of call: Call) {
        listener.replyDrifted(of: call.template.method, violations: warnings)
    }
}

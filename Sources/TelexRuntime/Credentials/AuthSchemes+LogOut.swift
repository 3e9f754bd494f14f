import TelexCredentials
import TelexRequests

extension AuthSchemes {
    /// Removes the tokens that the server has handed out, and stops the refreshes that get such
    /// tokens. The others belong to the app.
    func forgetHandedOut(_ engine: Engine) async {
        for scheme in further.values where scheme.isHandedOut {
            if let key = scheme.key { engine.stopRefresh(of: key) }
            try? await scheme.store.clear()
        }
    }
}

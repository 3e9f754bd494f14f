import HTTPTypes
import TelexCredentials
import TelexTransport

/// Sends the cookies of earlier replies. Another origin gets none, nor does a background transfer,
/// whose redirects the system follows itself.
struct CookieFeature: CallFeature {
    let jar: CookieJar

    func add(to fields: inout HTTPFields, of hop: Hop, in exchange: Exchange) {
        let call = exchange.call
        guard !exchange.hasLeftOrigin(hop), !call.rules.session.isBackground else { return }
        let own = fields[.cookie] ?? ""
        let names = own.split(separator: ";").map { pair in
            String(pair.prefix { $0 != "=" }.drop { $0 == " " })
        }
        let now = call.pipeline.clock.now()
        guard let field = jar.field(for: hop.address, besides: Set(names), at: now) else { return }
        fields[.cookie] = own.isEmpty ? field : "\(own); \(field)"
    }

    func note(_ head: HTTPResponse, to hop: Hop, in exchange: Exchange) {
        guard !exchange.hasLeftOrigin(hop) else { return }
        jar.store(head, from: hop.address, at: exchange.call.pipeline.clock.now())
    }

    var secrets: [String] { jar.secrets }
}

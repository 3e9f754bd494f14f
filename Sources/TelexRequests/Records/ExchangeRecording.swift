import HTTPTypes
import TelexInspection
import TelexTransport

/// Makes the records of an exchange without secrets.
package protocol ExchangeRecording: Sendable {
    /// The number of bytes of the reply's body that its record needs.
    var sampleLimit: Int { get }

    func record(_ request: TransportRequest) -> RequestRecord
    func record(_ head: HTTPResponse, _ body: BodySample) -> ReplyRecord
    func record(_ error: TransportError) -> TransportError
}

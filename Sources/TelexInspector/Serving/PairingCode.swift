import HTTPTypes
import TelexInspection
import TelexTesting
import TelexTransport

/// What lets another machine show calls and look at them: eight letters and digits that a terminal
/// shows.
public struct PairingCode: Sendable {
    static let cookie = "telex-code"
    /// Without those that look alike.
    private static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")

    /// The code, such as `K7QF-3MWD`.
    public let text: String

    /// Makes a code that cannot be guessed.
    public init() {
        var random = SystemRandomNumberGenerator()
        let letters = (0..<8).map { _ in Self.alphabet.randomElement(using: &random) ?? "2" }
        text = String(letters.prefix(4)) + "-" + String(letters.suffix(4))
    }

    /// Whether a request has it, in a field or a cookie.
    func isIn(_ request: LoopbackRequest) -> Bool {
        if let name = HTTPField.Name(InspectorLines.codeField), let sent = request.fields[name] {
            return text.isEqualInConstantTime(to: sent)
        }
        return request.fields[values: .cookie].flatMap { $0.split(separator: ";") }
            .map { $0.drop { $0 == " " } }
            .contains { $0.isEqualInConstantTime(to: "\(Self.cookie)=\(text)") }
    }
}

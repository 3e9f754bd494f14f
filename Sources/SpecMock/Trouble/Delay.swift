/// How long replies are held back: a time, and how much it varies.
public struct Delay: Sendable, Equatable {
    /// The time in the middle.
    public var time: Duration
    /// How much it is more or less, in percent.
    public var percent: Int

    /// Creates a delay.
    public init(_ time: Duration, percent: Int = 0) {
        self.time = time
        self.percent = percent
    }

    /// Reads `200ms`, `1.5s±50%` or `200ms+-50%`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.replacing("+-", with: "±").split(
            separator: "±", omittingEmptySubsequences: false)
        guard parts.count <= 2, let time = Duration(written: parts[0]) else { return nil }
        self.init(time)
        guard parts.count == 2 else { return }
        guard parts[1].hasSuffix("%"), let percent = Int(parts[1].dropLast()),
            (0...100).contains(percent)
        else { return nil }
        self.percent = percent
    }

    /// A time of this delay.
    func time(using random: inout some RandomNumberGenerator) -> Duration {
        guard percent > 0 else { return time }
        return time * (1 + Double(Int.random(in: -percent...percent, using: &random)) / 100)
    }
}

extension Duration {
    private static let units: [(name: String, seconds: Double)] = [
        ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86400),
    ]

    /// Reads a time with its unit, such as `200ms`, `1.5s` or `5m`; nil for anything else.
    public init?(written text: some StringProtocol) {
        let number = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let unit = text.dropFirst(number.count)
        guard let value = Double(number), value.isFinite, value < 1e9,
            let seconds = Self.units.first(where: { $0.name == unit })?.seconds
        else { return nil }
        self = .seconds(value * seconds)
    }
}

import SpecDiagnostics
import TelexJSON
import TelexTesting

/// A fault that some replies have.
public struct FaultShare: Sendable {
    /// The fault.
    public let fault: Fault
    /// The share of replies that have it, in percent.
    public let percent: Int

    /// The faults that a server has that accepts connections.
    public static let known = Fault.catalogue.filter { $0.requestLimit > 0 }

    /// Creates a share from 1 to 100 percent.
    public init(_ fault: Fault, percent: Int) {
        self.fault = fault
        self.percent = percent
    }

    /// Reads `NAME:10%`; the name is one of ``known``.
    ///
    /// - Throws: What is wrong with the text.
    public init(_ text: String) throws(MockError) {
        guard let colon = text.lastIndex(of: ":"), text.hasSuffix("%"),
            let percent = Int(text[colon...].dropFirst().dropLast()), (1...100).contains(percent)
        else {
            throw MockError(
                "a fault is its name and a share from 1 to 100, as in `short body:10%`")
        }
        let name = String(text[..<colon])
        guard let fault = Self.known.first(where: { $0.name == name }) else {
            let near = didYouMean(name, among: Self.known.map(\.name)) ?? "`--fault list` names all"
            throw MockError("there is no fault `\(name)`; \(near)")
        }
        self.init(fault, percent: percent)
    }
}

/// Why an argument of a mock is not valid.
public struct MockError: Error, CustomStringConvertible {
    /// The reason, with what to do.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// Plays the faults of a mock.
struct FaultPlayer: Sendable {
    private struct Player: Sendable {
        let share: FaultShare
        var handler: LoopbackServer.Handler
        var played = 0
    }

    private var players: [Player]

    init(_ shares: [FaultShare]) {
        players = shares.map { Player(share: $0, handler: $0.fault.handler()) }
    }

    /// The handler of the fault that a request meets, and its name; nil for none.
    mutating func next(
        using random: inout some RandomNumberGenerator
    ) -> (handler: LoopbackServer.Handler, name: String)? {
        for index in players.indices
        where Int.random(in: 1...100, using: &random) <= players[index].share.percent {
            let fault = players[index].share.fault
            // A fault that is over begins again.
            if players[index].played == fault.requestLimit {
                players[index].handler = fault.handler()
                players[index].played = 0
            }
            players[index].played += 1
            return (players[index].handler, fault.name)
        }
        return nil
    }
}

/// The statuses by which a server may prove to have done nothing. The compiler and the runtime, neither of
/// which imports the other, both know them; a test of each holds it to these.
public let statusesOfNothingDone: Set<Int> = [429, 503, 511]

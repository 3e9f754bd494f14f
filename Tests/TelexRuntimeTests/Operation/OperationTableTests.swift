import Testing

@testable import TelexRuntime
@_spi(Engine) @testable import TelexScheduling

@Suite("A table of operations")
struct OperationTableTests {
    private func id(_ number: UInt64) -> OperationID { OperationID(number: number) }

    @Test(
        "an operation table holds the same as a dictionary, for random insertions and removals",
        arguments: 0..<8 as Range<UInt64>)
    func likeDictionary(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table = OperationTable<Int>()
        var model: [UInt64: Int] = [:]
        for step in 0..<20_000 {
            // Close numbers, and some that are far away; with few and with many entries.
            let range = step / 4_000 % 2 == 0 ? 300 : 40 as UInt64
            let near = UInt64.random(in: 1...range, using: &random)
            let number = near % 7 == 0 ? near << 40 : near
            if Bool.random(using: &random) {
                table[id(number)] = step
                model[number] = step
            } else {
                #expect(table.removeValue(of: id(number)) == model.removeValue(forKey: number))
            }
            let other = UInt64.random(in: 1...range, using: &random)
            #expect(table[id(other)] == model[other])
        }
        #expect(table.count == model.count)
        #expect(table.values.sorted() == model.values.sorted())
        #expect(model.allSatisfy { table[id($0.key)] == $0.value })
    }

    @Test("a table of operations shrinks back after many entries")
    func crowd() {
        var table = OperationTable<Int>()
        for number in 1...5_000 { table[id(UInt64(number))] = number }
        for number in 1...5_000 { #expect(table.removeValue(of: id(UInt64(number))) == number) }
        #expect(table.isEmpty && !table.contains(id(1)))
        table[id(1)] = 1
        #expect(table[id(1)] == 1)
    }

    @Test("a table of operations changes a value in place, and removes one that is set to nil")
    func values() {
        var table = OperationTable<[Int]>()
        table[id(3)] = [1]
        table.update(id(3)) { $0.append(2) }
        #expect(table.update(id(4)) { $0.append(9) } == nil)
        #expect(table[id(3)] == [1, 2] && table[id(4)] == nil)
        table[id(3)] = nil
        #expect(table.isEmpty)
    }
}

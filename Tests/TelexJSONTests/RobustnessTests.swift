import Foundation
import TelexJSON
import TestSupport
import Testing

@Suite struct RobustnessTests {
    private func readEverything(_ bytes: [UInt8]) -> Bool {
        let mapped: JSONResult<[Person]> = JSONReader.read(bytes, at: ["response", "items"]) {
            $0.list()
        }
        let value: JSONResult<JSONValue> = JSONReader.read(bytes) { $0.value() }
        let skipped: JSONResult<Void> = JSONReader.read(bytes) { $0.nothing() }
        _ = JSONReader.value(at: ["response", "items"], in: bytes)
        #expect((value.syntaxError == nil) == (skipped.syntaxError == nil))
        #expect((mapped.syntaxError == nil) == (skipped.syntaxError == nil))
        #expect(mapped.value != nil || !mapped.report.isValid)
        return value.syntaxError == nil
    }

    @Test("a document that ends anywhere is an error, never a trap")
    func truncation() {
        let bytes = Array(personText.utf8)
        #expect(readEverything(bytes))
        for count in 0..<bytes.count { #expect(!readEverything(Array(bytes[..<count]))) }
    }

    @Test("changed, inserted and removed bytes never cause a trap")
    func mutation() {
        var generator = SeededGenerator(2026)
        let original = Array(personText.utf8)
        let signs = Array(#"{}[]",:\ux0-+.eE1tfn "#.utf8) + [0x80, 0xC3, 0xF0, 0xFF, 0]
        for _ in 0..<4_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                let sign = signs.randomElement(using: &generator) ?? 0
                switch generator.next() % 4 {
                case 0: bytes[place] = sign
                case 1: bytes.insert(sign, at: place)
                case 2: bytes.remove(at: place)
                default: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
                }
            }
            _ = readEverything(bytes)
        }
    }

    @Test("models nested up to the limit are read, deeper ones refused")
    func recursion() {
        func nested(_ depth: Int) -> String {
            let open = #"{"id":1,"name":"","place":{"city":""},"tags":[],"friends":["#
            return String(repeating: open, count: depth) + String(repeating: "]}", count: depth)
        }
        let fine: JSONResult<Person> = read(nested(250), limits: JSONLimits(depth: 512)) {
            $0.model()
        }
        #expect(fine.value != nil)
        let deep: JSONResult<Person> = read(nested(1_000)) { $0.model() }
        #expect(deep.syntaxError?.reason == .tooDeep(limit: 128))
    }

    @Test("a model in lists is checked like one without lists")
    func growth() {
        let lists = Array(14...17) + Array(62...66) + Array(254...258)
        let checks = overwritingFreedMemory { lists.map(checks(inside:)) }
        #expect(checks == lists.map { _ in [.keys] })
    }

    /// The checks that find a violation in a model that lacks a key, nested in that many lists.
    private func checks(inside lists: Int) -> [Violation.Check] {
        let text =
            String(repeating: "[", count: lists) + "{}" + String(repeating: "]", count: lists)
        let result: JSONResult<Bool> = read(text, limits: JSONLimits(depth: 512)) { json in
            for _ in 0..<lists { _ = json.beginList() && json.nextElement() }
            _ = Place.read(from: &json)
            for _ in 0..<lists { _ = json.endList() }
            return true
        }
        return result.violations.map(\.check)
    }

    /// Runs a body. Freed memory is overwritten if the C library supports it (`M_PERTURB`
    /// of glibc), so that its use is detected.
    private func overwritingFreedMemory<T>(_ body: () -> T) -> T {
        guard let symbol = dlsym(nil, "mallopt") else { return body() }
        let mallopt = unsafeBitCast(symbol, to: (@convention(c) (CInt, CInt) -> CInt).self)
        let perturb: CInt = -6
        _ = mallopt(perturb, 0xA5)
        defer { _ = mallopt(perturb, 0) }
        return body()
    }
}

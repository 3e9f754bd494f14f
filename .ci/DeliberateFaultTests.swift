import Testing

/// A use of memory that has been given back, which the address sanitizer has to report.
@Suite("A deliberate fault")
struct DeliberateFaultTests {
    @Test("is reported")
    func useAfterFree() {
        let memory = UnsafeMutablePointer<Int>.allocate(capacity: 16)
        memory.initialize(repeating: 1, count: 16)
        memory.deallocate()
        #expect(memory[1] != 2)
    }
}

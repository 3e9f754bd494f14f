import CScan
import TestSupport
import Testing

@Suite("Scanning blocks of 16 bytes")
struct ScanTests {
    @Test("vectors and plain loops find the same")
    func agreement() {
        var generator = SeededGenerator(34)
        let special: [UInt8] = [0x20, 0x20, 0x20, 0x22, 0x5C, 0x1F, 0x00, 0x7F, 0x80, 0xFF, 0x41]
        for _ in 0..<20_000 {
            // Runs of spaces or letters, so that every count up to 16 occurs.
            let filler = generator.next() % 2 == 0 ? special[0] : 0x41
            let bytes = (0..<16).map { _ in
                generator.next() % 12 == 0 ? special.randomElement(using: &generator)! : filler
            }
            var other = bytes
            if generator.next() % 4 != 0 { other[Int(generator.next() % 16)] ^= 1 }
            #expect(c_scan_spaces(bytes) == c_scan_spaces_portable(bytes), "\(bytes)")
            #expect(c_scan_text(bytes) == c_scan_text_portable(bytes), "\(bytes)")
            for count in Int32(0)...16 {
                #expect(
                    c_scan_is_equal(bytes, other, count)
                        == c_scan_is_equal_portable(bytes, other, count), "\(bytes) \(other)")
            }
        }
    }

    @Test("a block is scanned up to the byte that ends it")
    func ends() {
        let letters = [UInt8](repeating: 0x41, count: 16)
        #expect(c_scan_text(letters) == 16)
        #expect(c_scan_spaces(letters) == 0)
        for place in 0..<16 {
            for end in [0x00, 0x1F, 0x22, 0x5C] as [UInt8] {
                var bytes = letters
                bytes[place] = end
                #expect(c_scan_text(bytes) == place)
                if place > 0 { bytes[place - 1] = 0xC3 }
                #expect(c_scan_text(bytes) == (place > 0 ? Int32(place) | 32 : 0))
            }
            var spaces = [UInt8](repeating: 0x20, count: 16)
            spaces[place] = 0x0A
            #expect(c_scan_spaces(spaces) == place)
        }
    }

    @Test("text is copied up to the byte that needs an escape, whatever its length and place")
    func copies() {
        for count in 0..<50 {
            var text = [UInt8](repeating: 0x41, count: count)
            for place in 0...count {
                for end in [0x00, 0x1F, 0x22, 0x5C] as [UInt8] {
                    if place < count { text[place] = end }
                    for copy in [c_scan_copy, c_scan_copy_portable] {
                        var copied = [UInt8](repeating: 0xFF, count: count + 32)
                        // The text fills its memory: a sanitizer finds what is read beyond it.
                        #expect(copy(&copied, text, count) == place)
                        #expect(copied[..<place] == text[..<place])
                        #expect(copied[(count + 16)...].allSatisfy { $0 == 0xFF })
                    }
                    if place < count { text[place] = place % 2 == 0 ? 0xC3 : 0x7F }
                }
            }
        }
    }
}

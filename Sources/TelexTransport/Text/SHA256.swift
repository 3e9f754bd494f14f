/// The hash function SHA-256 (FIPS 180-4, section 6.2).
package struct SHA256 {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c,
        0x1f83_d9ab, 0x5be0_cd19,
    ]
    /// The message schedule (section 6.2.2, step 1), kept between blocks to save its allocation.
    private var words = [UInt32](repeating: 0, count: 64)
    /// The bytes that do not fill a block yet.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    package init() {}

    /// Returns the hash of bytes in hexadecimal.
    package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        var hash = SHA256()
        hash.update(Array(bytes))
        return hash.value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Adds bytes at the end of the message.
    package mutating func update(_ bytes: [UInt8]) {
        count += UInt64(bytes.count)
        mix(rest + bytes)
    }

    /// The hash of the message so far, 32 bytes.
    package var value: [UInt8] {
        var last = self
        // A bit 1, zeros to fill the block, and the length in bits (section 5.1.1).
        let zeros = [UInt8](repeating: 0, count: (119 - rest.count) % 64)
        let bits = count << 3
        last.mix(
            rest + [0x80] + zeros
                + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
        return last.state.flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// Hashes all whole blocks and keeps the rest.
    private mutating func mix(_ bytes: [UInt8]) {
        let end = bytes.count & ~63
        for start in stride(from: 0, to: end, by: 64) { mix(bytes, at: start) }
        rest = Array(bytes[end...])
    }

    private mutating func mix(_ bytes: [UInt8], at start: Int) {
        for index in 0..<16 {
            let place = start + 4 * index
            words[index] =
                UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16
                | UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])
        }
        for index in 16..<64 {
            let late = words[index - 2]
            let early = words[index - 15]
            let one = Self.rotated(late, 17) ^ Self.rotated(late, 19) ^ late >> 10
            let zero = Self.rotated(early, 7) ^ Self.rotated(early, 18) ^ early >> 3
            words[index] = one &+ words[index - 7] &+ zero &+ words[index - 16]
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let sum1 = Self.rotated(e, 6) ^ Self.rotated(e, 11) ^ Self.rotated(e, 25)
            let sum0 = Self.rotated(a, 2) ^ Self.rotated(a, 13) ^ Self.rotated(a, 22)
            let first = h &+ sum1 &+ choice &+ Self.constants[index] &+ words[index]
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    private static func rotated(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        word >> bits | word << (32 - bits)
    }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
        0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
        0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
        0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
        0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]
}

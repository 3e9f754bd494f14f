/// FNV-1a of 64 bits as hexadecimal digits, equal on every machine: it tells a change, and protects
/// nothing.
package func stableHash(_ text: String) -> String {
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return String(hash, radix: 16)
}

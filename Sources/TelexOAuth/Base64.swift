/// Base64 encoding (RFC 4648).
enum Base64 {
    /// Encodes with the standard alphabet (section 4) and padding.
    static func standard(_ bytes: some Collection<UInt8>) -> String {
        let text = encode(bytes, "+/")
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    /// Encodes with the URL-safe alphabet (section 5) and without padding.
    static func url(_ bytes: some Collection<UInt8>) -> String {
        encode(bytes, "-_")
    }

    private static func encode(_ bytes: some Collection<UInt8>, _ tail: String) -> String {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        let alphabet = Array((letters + tail).utf8)
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = (bits & 0xFF) << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> UInt32(count) & 0x3F)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << UInt32(6 - count) & 0x3F)]) }
        return String(decoding: text, as: UTF8.self)
    }
}

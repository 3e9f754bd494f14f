import SpecSyntax
import Testing

@Suite("Quantities are read in decimals")
struct QuantityTests {
    @Test(
        "a duration is a whole number of milliseconds",
        arguments: [
            ("16.1s", 16_100), ("1.1h", 3_960_000), ("0.7d", 60_480_000), ("4.1m", 246_000),
            ("64.1s", 64_100), ("0.001s", 1), (".5s", 500), ("1.s", 1000), ("1.50s", 1500),
            ("1.0000s", 1000), ("007ms", 7), ("1000000000000000ms", 1_000_000_000_000_000),
            ("0.00000001157407407407407407407407407d", nil), ("0.0005s", nil), ("1.5ms", nil),
            ("0s", nil), ("0.0s", nil), ("1.2.3s", nil), (".s", nil), ("s", nil), ("1", nil),
            ("1 s", nil), ("-1s", nil), ("1e3s", nil), ("1000000000000001ms", nil),
            ("1000000000000.001s", nil), ("99999999999999999999d", nil),
        ] as [(String, Int?)])
    func times(text: String, milliseconds: Int?) {
        #expect(Quantity.milliseconds(text) == milliseconds)
    }

    @Test(
        "a size is a whole number of bytes",
        arguments: [
            ("4.1MB", 4_100_000), ("16.1KB", 16_100), ("0.5KiB", 512), ("1.001GB", 1_001_000_000),
            ("0.000000000931322574615478515625GiB", 1), ("0.1KiB", nil), ("1.5", nil),
            ("0.5B", nil), ("1000001GB", nil), ("9223372036854775807GiB", nil),
        ] as [(String, Int?)])
    func sizes(text: String, bytes: Int?) {
        #expect(Quantity.bytes(text) == bytes)
    }
}

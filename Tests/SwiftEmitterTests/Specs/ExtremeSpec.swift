/// The largest, smallest and longest values of each type.
enum ExtremeSpec {
    private static let values: [(type: String, values: [String])] = [
        ("int", ["-9223372036854775808", "9223372036854775807", "0x7FFFFFFFFFFFFFFF", "-0", "+5"]),
        ("int32", ["-2147483648", "2147483647"]),
        ("uint", ["0", "9223372036854775807"]),
        (
            "double",
            [
                "-0", "1E+5", ".5", "5.", "9007199254740993", "100000000000000000000000000",
                "0x1FFFFFFFFFFFFFFF", "123456789012345678901234567890.5", "1.7976931348623157e308",
                "2.2250738585072014e-308", "0e999", "-1e-5",
            ]
        ),
        ("decimal", ["99999999999999999999999999999999999999", "1e127", "1e-128", "1.5e-127"]),
        ("Duration", ["-1", "999999999999999", "0.000000000000000001", "1e14", "1000d", "1ms"]),
    ]

    static let spec: TestSpec = {
        var fields = ""
        for (type, values) in values {
            for (index, value) in values.enumerated() {
                let name = "\(type)_\(index)"
                fields += "      d_\(name): { type: \(type), default: \(value) }\n"
                fields += "      n_\(name): { type: \(type) | null, default: \(value) }\n"
                fields += "      c_\(name): { type: \(type), const: \(value) }\n"
                fields += "      j_\(name): { type: json, const: { x: [\(value), null] } }\n"
                if type == "Duration" { continue }
                for rule in ["min", "max", "above", "below"] {
                    fields += "      \(rule)_\(name): { type: \(type), \(rule): \(value) }\n"
                }
                fields += "      b_\(name): { type: \(type), min: \(value), max: \(value) }\n"
                fields += "      i_\(name): { type: \(type), in: [\(value)] }\n"
            }
        }
        return TestSpec(files: [
            "api.yaml": "telex: 1\napi: Extreme\nservers: { a: https://example.com/ }\n",
            "numbers.yaml": "methods:\n  put:\n    put: numbers\n    json:\n\(fields)"
                + "    returns: Numbers\nmodels:\n  Numbers:\n    fields:\n\(fields)",
        ])
    }()
}

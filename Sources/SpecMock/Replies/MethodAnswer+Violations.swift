import SpecIR
import SpecInterpreter
import TelexJSON
import TelexTesting

/// The check of requests.
extension MethodAnswer {
    /// The refusal of a request that the spec does not allow; nil for a good one. Warnings do not
    /// refuse it.
    func violations(of match: Match, _ exchange: inout MockExchange) -> LoopbackReply? {
        let name = match.method.apiName
        let found = spec.interpreter.check(content.values(path: match.values), of: name)
            .filter { $0.violation.severity == .error && !$0.isPreference }
        guard let first = found.first else { return nil }
        let items = found.map { item -> JSONValue in
            var entry: JSONObject = [
                "path": .string(item.violation.path), "rule": .string(item.violation.rule),
                "expected": .string(item.violation.expected),
                "found": .string(item.violation.found),
                "place": .string(spec.sources[name, item.parameter?.key ?? ""]),
            ]
            if let location = item.parameter?.location { entry["in"] = .string(location.rawValue) }
            if let message = item.violation.message { entry["message"] = .string(message) }
            return .object(entry)
        }
        let count = found.count == 1 ? "" : " and \(found.count - 1) more"
        let place = spec.sources[name, first.parameter?.key ?? ""]
        exchange.note =
            "\(first.violation.path): expected \(first.violation.expected)\(count) (\(place))"
        return .json(
            [
                "message": .string("the request breaks the spec"), "method": .string(name),
                "violations": .array(items),
            ], status: 400)
    }
}

extension RequestViolation {
    /// Whether it is about what a client prefers (RFC 9110, section 12.5), which `curl` and browsers
    /// decide on their own.
    fileprivate var isPreference: Bool {
        guard let parameter, parameter.location == .header else { return false }
        return ["accept", "accept-charset", "accept-encoding", "accept-language", "user-agent"]
            .contains(parameter.key.lowercased())
    }
}

import SpecIR
import TelexJSON

extension JSONValue {
    /// Sets a value inside of nested objects, which are created where there are none.
    mutating func set(_ value: JSONValue?, at path: [String]) {
        guard let key = path.first else {
            if let value { self = value }
            return
        }
        var object = asObject ?? JSONObject()
        if path.count == 1 {
            object[key] = value
        } else {
            var inner = object[key] ?? .object(JSONObject())
            inner.set(value, at: Array(path.dropFirst()))
            object[key] = inner
        }
        self = .object(object)
    }

    /// The value inside of nested objects.
    func value(at path: [String]) -> JSONValue? {
        path.reduce(self) { value, key in value?[key] }
    }

    /// The value in objects and lists that a path leads through.
    func wrapped(by path: [PathStep]) -> JSONValue {
        path.reversed().reduce(self) { value, step in
            switch step {
            case .key(let key): .object(JSONObject([JSONObject.Member(key: key, value: value)]))
            case .index(let index):
                .array(Array(repeating: value, count: index < 0 ? -index : index + 1))
            case .each, .first: .array([value])
            }
        }
    }
}
